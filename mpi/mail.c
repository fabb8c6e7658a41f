/* mpi/mail.c - see mail.h */
#include "mpi/mail.h"

#include <stdlib.h>
#include <string.h>

dc_status dc_mail_init(dc_mail *m, const dc_par *par)
{
    m->processes = par->processes;
    m->to = dc_fault("mail.init") ? NULL : calloc((size_t)par->processes, sizeof *m->to);
    return m->to ? DC_OK : dc_fail_memory();
}

void dc_mail_fini(dc_mail *m)
{
    for (int p = 0; m->to && p < m->processes; p++)
        dc_buf_free(&m->to[p]);
    free(m->to);
    *m = (dc_mail){0};
}

dc_status dc_mail_add(dc_mail *m, int to, const void *bytes, size_t n)
{
    return dc_buf_add(&m->to[to], bytes, n);
}

/* All buffers one after another, freed as they are copied. */
static dc_status flatten(char **flat, uint64_t *count, dc_mail *m)
{
    uint64_t total = 0, at = 0;
    for (int p = 0; p < m->processes; p++)
        total += count[p] = m->to[p].n;
    *flat = malloc(total + 1);
    if (!*flat)
        return dc_fail_memory();
    for (int p = 0; p < m->processes; p++) {
        if (count[p])
            memcpy(*flat + at, m->to[p].data, count[p]);
        at += count[p];
        dc_buf_free(&m->to[p]);
    }
    return DC_OK;
}

dc_status dc_mail_deliver(char **in, uint64_t *n, dc_mail *m, dc_status local, const dc_par *par)
{
    char *flat = NULL;
    uint64_t *count = calloc((size_t)par->processes, sizeof *count);
    *in = NULL;
    *n = 0;
    if (local == DC_OK && !count)
        local = dc_fail_memory();
    if (local == DC_OK)
        local = flatten(&flat, count, m);
    dc_status st = dc_par_agree(local, par);
    if (st == DC_OK)
        st = dc_par_exchange(in, n, NULL, flat, count, par);
    free(flat);
    free(count);
    return st;
}

dc_status dc_letter_take(dc_letter *l, void *out, size_t n)
{
    if ((size_t)(l->end - l->at) < n)
        return dc_fail(DC_EFORMAT, "a message between processes is cut short");
    memcpy(out, l->at, n);
    l->at += n;
    return DC_OK;
}

const char *dc_letter_text(dc_letter *l)
{
    const char *text = l->at;
    const char *nul = text < l->end ? memchr(text, '\0', (size_t)(l->end - text)) : NULL;
    if (!nul)
        return "";
    l->at = nul + 1;
    return text;
}
