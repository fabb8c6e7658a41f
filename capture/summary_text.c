/* capture/summary_text.c - see summary_text.h */
#include "capture/summary_text.h"

#include "capture/overflow_text.h"

#include "capture/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMED 3 /* examples per reason */

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
    dc_buf_free(&s->reasons);
    dc_buf_free(&s->assumed);
    dc_buf_free(&s->places);
    dc_buf_free(&s->overflows);
}

static void print_lines(const dc_buf *lines)
{
    fwrite(lines->n ? lines->data : "", 1, lines->n, stdout);
}

typedef struct by_reason {
    const dc_skipped *row;
    uint64_t order;
} by_reason;

static int compare_reasons(const void *a, const void *b)
{
    const by_reason *x = a, *y = b;
    if (x->row->reason != y->row->reason)
        return x->row->reason < y->row->reason ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static dc_status add_reason(dc_buf *out, const by_reason *r, uint64_t n, const dc_pool *names)
{
    char file[DC_FILE_NAME];
    dc_status st = dc_buf_printf(out, "  %" PRIu64 " %s: ", n, dc_pool_text(names, r->row->reason));
    for (uint64_t i = 0; st == DC_OK && i < n && i < NAMED; i++)
        st = dc_buf_printf(out, "%s%s/%s", i ? ", " : "", dc_pool_text(names, r[i].row->dir),
                           dc_file_name(file, names, r[i].row->file, r[i].row->file_number));
    if (st == DC_OK)
        st = dc_buf_puts(out, n > NAMED ? ", ...\n" : "\n");
    return st;
}

static dc_status explain(dc_capture_summary *s, const dc_catalog *c)
{
    by_reason *r = malloc((c->nskipped + 1) * sizeof *r);
    dc_status st = r ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < c->nskipped; i++)
        r[i] = (by_reason){&c->skipped[i], i};
    if (st == DC_OK && c->nskipped)
        qsort(r, c->nskipped, sizeof *r, compare_reasons);
    for (uint64_t i = 0, n; st == DC_OK && i < c->nskipped; i += n) {
        for (n = 1; i + n < c->nskipped && r[i + n].row->reason == r[i].row->reason;)
            n++;
        st = add_reason(&s->reasons, &r[i], n, c->names);
    }
    free(r);
    return st;
}

dc_status dc_summary_scanned(dc_capture_summary *s, const dc_catalog *c, const dc_par *par)
{
    s->files = c->files;
    s->skipped = c->skipped_total;
    s->faults = c->faults;
    s->planned = c->total;
    dc_status st = par->process == 0 ? explain(s, c) : DC_OK;
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
    if (s->skipped == 0)
        s->skipped = p->store.skipped;
    return dc_census_take(&s->census, p->row, p->n, par);
}

void dc_summary_print(const dc_capture_summary *s, const char *store)
{
    char text[256];
    double seconds = dc_seconds() - s->start;
    dc_census_print(text, sizeof text, &s->census);
    printf("stored %s\n", text);
    if (s->statistics)
        printf("of %" PRIu64 " tensors only the statistics are stored\n", s->statistics);
    if (s->census.absent)
        printf("%" PRIu64 " of the tensors have no bytes: the device had no address for them\n",
               s->census.absent);
    if (s->census.cut)
        printf("%" PRIu64 " of the tensors are damaged: fewer bytes than their shape needs "
               "(dumpcap ls --long names them)\n",
               s->census.cut);
    print_lines(&s->assumed);
    print_lines(&s->places);
    print_lines(&s->overflows);
    if (s->unreadable)
        printf("%" PRIu64 " of the tensors could not be read from their files\n", s->unreadable);
    if (s->skipped && !s->files) /* resumed: the plan knows how many, not of how many */
        printf("%" PRIu64 " files gave no tensors: dumpcap ls --skipped lists them\n", s->skipped);
    else if (s->skipped)
        printf("%" PRIu64 " of %" PRIu64 " files gave no tensors:\n%.*s", s->skipped, s->files,
               (int)s->reasons.n, s->reasons.data ? s->reasons.data : "");
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
