/* capture/summary_text.c - see summary_text.h */
#include "capture/summary_text.h"

#include "capture/overflow_text.h"
#include "capture/places.h"
#include "capture/skipped_text.h"
#include "capture/view.h"
#include "io/log.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line as one text, arguments parted by blanks. */
static char *own_command_line(void)
{
    char text[32768];
    size_t n = 0;
    FILE *f = fopen("/proc/self/cmdline", "r");
    if (f) {
        n = fread(text, 1, sizeof text - 1, f);
        fclose(f);
    }
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return strdup(text);
}

void dc_summary_begin(dc_capture_summary *s)
{
    *s = (dc_capture_summary){.start = dc_seconds(), .command_line = own_command_line()};
}

void dc_summary_fini(dc_capture_summary *s)
{
    free(s->command_line);
    dc_buf_free(&s->skipped);
    dc_buf_free(&s->assumed);
    dc_buf_free(&s->places);
    dc_buf_free(&s->overflows);
}

static void print_lines(const dc_buf *lines)
{
    fwrite(lines->n ? lines->data : "", 1, lines->n, stdout);
}

static void tell_odd(const struct dc_scan_odd *odd, const char *what)
{
    if (odd->n)
        dc_warn("%s: %" PRIu64 ", %s%s", what, odd->n, odd->n > 1 ? "the first " : "",
                odd->example);
}

void dc_summary_cost(const dc_scan_cost *cost)
{
    dc_debug("%" PRIu64 " %s opened for headers, %" PRIu64 " %s read", cost->headers,
             dc_word(cost->headers, "file", "files"), cost->header_bytes,
             dc_word(cost->header_bytes, "byte", "bytes"));
    tell_odd(&cost->growing, "damaged files that changed in the last seconds (still growing?)");
    tell_odd(&cost->trailing, "files with more bytes than their headers speak of");
    tell_odd(&cost->misnamed, "names in mapping.csv whose hash does not fit --original-path");
    tell_odd(&cost->lost, "names in mapping.csv whose files are not there");
}

static dc_status say_unnumbered(dc_buf *out, const struct dc_scan_odd *odd)
{
    if (odd->n == 0)
        return DC_OK;
    return dc_buf_printf(out,
                         "%" PRIu64 " %s below a rank or step level without a number, which tells "
                         "nothing: %s%s\n",
                         odd->n, dc_word(odd->n, "file lies", "files lie"), odd->example,
                         odd->n > 1 ? ", ..." : "");
}

dc_status dc_summary_scanned(dc_capture_summary *s, const dc_catalog *c, const dc_par *par)
{
    s->files = c->files;
    s->faults = c->faults;
    s->planned = c->total;
    dc_status st = par->process == 0
                       ? dc_skipped_text(&s->skipped, c->skipped, c->nskipped, c->names, c->files)
                       : DC_OK;
    if (st == DC_OK && par->process == 0)
        st = say_unnumbered(&s->assumed, &c->cost.unnumbered);
    if (st == DC_OK && par->process == 0)
        st = dc_overflow_summary(&s->overflows, c);
    st = dc_par_agree(st, par);
    return st == DC_OK ? dc_census_take(&s->census, c->row, c->n, par) : st;
}

dc_status dc_summary_dry(dc_capture_summary *s, const dc_catalog *c, dc_select *select,
                         const dc_par *par)
{
    dc_places places;
    char text[256];
    dc_status st = dc_places_gather(&places, c->row, c->n, par);
    if (st == DC_OK && par->process == 0) {
        dc_places_print(&places, c->names);
        st = dc_places_report(&s->places, &places, c->names);
    }
    if (st == DC_OK && par->process == 0)
        st = dc_select_matches(&s->places, select);
    if (st == DC_OK && par->process == 0) {
        dc_census_print(text, sizeof text, &s->census);
        print_lines(&s->assumed);
        print_lines(&s->places);
        print_lines(&s->overflows);
        printf("would store %s\n", text);
    }
    dc_places_fini(&places);
    return dc_par_agree(st, par);
}

void dc_summary_ingested(dc_capture_summary *s, const dc_ingest_count *mine, const dc_par *par)
{
    uint64_t v[4] = {mine->stored, mine->unreadable, mine->bytes, mine->statistics};
    dc_par_sum_u64(v, 4, par);
    s->stored = v[0];
    s->unreadable = v[1];
    s->bytes = v[2];
    s->statistics = v[3];
}

dc_status dc_summary_stored(dc_capture_summary *s, const dc_plan *p, const dc_pool *names,
                            const dc_par *par)
{
    dc_places places;
    dc_status st = dc_places_gather(&places, p->row, p->n, par);
    if (st == DC_OK && par->process == 0)
        st = dc_places_report(&s->places, &places, names);
    dc_places_fini(&places);
    st = dc_par_agree(st, par);
    if (st != DC_OK)
        return st;
    s->planned = p->store.rows;
    return dc_census_take(&s->census, p->row, p->n, par);
}

void dc_summary_print(const dc_capture_summary *s, const char *store)
{
    char text[256];
    double seconds = dc_seconds() - s->start;
    dc_census_print(text, sizeof text, &s->census);
    printf("stored %s\n", text);
    if (s->statistics)
        printf("of %" PRIu64 " %s only the statistics are stored\n", s->statistics,
               dc_word(s->statistics, "tensor", "tensors"));
    if (s->census.absent)
        printf("%" PRIu64 " of the tensors %s no bytes: the device had no address for %s\n",
               s->census.absent, dc_word(s->census.absent, "has", "have"),
               dc_word(s->census.absent, "it", "them"));
    if (s->census.cut)
        printf("%" PRIu64 " of the tensors %s damaged: fewer bytes than the shape needs "
               "(dumpcap ls --long tells)\n",
               s->census.cut, dc_word(s->census.cut, "is", "are"));
    print_lines(&s->assumed);
    print_lines(&s->places);
    print_lines(&s->overflows);
    if (s->unreadable)
        printf("%" PRIu64 " of the tensors could not be read from %s\n", s->unreadable,
               dc_word(s->unreadable, "its file", "their files"));
    print_lines(&s->skipped);
    if (s->skipped.n && !s->files) /* resumed, merged: only the numbers are known */
        printf("dumpcap ls --skipped lists them\n");
    printf("%s: %.2f s, %.3f GB/s\n", store, seconds,
           seconds > 0 ? (double)s->bytes / 1e9 / seconds : 0);
}

uint64_t dc_summary_store_bytes(const dc_store_plan *p)
{
    const uint64_t piece = (uint64_t)1 << 20; /* large datasets start on one: io/store.c */
    uint64_t columns = p->rows < 8192 ? 1 : 40;
    uint64_t sum = p->rows * 256 + p->string_bytes + p->strings * 8 + columns * piece;
    if (p->rows <= DC_VIEW_LIMIT)
        sum += p->rows * 600;
    for (uint32_t d = 0; d < 256; d++)
        if (p->slab[d])
            sum += dc_round_up(p->slab[d] * dc_store_element(d), (uint64_t)64 << 10) + piece;
    return sum;
}
