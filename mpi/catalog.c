/* mpi/catalog.c - see catalog.h */
#include "mpi/catalog.h"

#include "io/path.h"
#include "io/row_texts.h"
#include "mpi/dictionary.h"
#include "mpi/headers.h"
#include "mpi/overflows.h"
#include "mpi/runs.h"
#include "mpi/slices.h"
#include "mpi/sort.h"
#include "mpi/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_WINDOW 600 /* seconds */

/* run and model of each directory of the walk; model is a string id in the walk's names. */
typedef struct dir_identity {
    int32_t *run;
    uint32_t *instance, *model;
} dir_identity;

static void identity_fini(dir_identity *id)
{
    free(id->run);
    free(id->instance);
    free(id->model);
}

static dc_status name_models(dir_identity *id, dc_walk *w)
{
    dc_status st = DC_OK;
    for (size_t d = 0; st == DC_OK && d < w->dirs; d++) {
        char text[320];
        dc_tree_model_name(text, 256, w->dir[d].place.model, w->dir[d].place.model_length);
        if (id->instance[d])
            snprintf(text + strlen(text), 16, "#%u", id->instance[d] + 1);
        st = dc_pool_adds(&id->model[d], w->names, text);
    }
    return st;
}

/* Collective: group directories into runs and number model instances. */
static dc_status identify_dirs(dir_identity *id, int32_t *runs, dc_walk *w, dc_headers *h,
                               const dc_scan_ask *ask, const dc_par *par)
{
    size_t n = w->dirs + 1;
    *id = (dir_identity){malloc(n * sizeof *id->run), malloc(n * sizeof *id->instance),
                         malloc(n * sizeof *id->model)};
    dc_status st =
        dc_par_agree(id->run && id->instance && id->model ? DC_OK : dc_fail_memory(), par);
    if (st != DC_OK)
        return st;
    dc_par_min_u64(h->first_time, w->dirs, par);
    dc_par_max_u64(h->last_time, w->dirs, par);
    const dc_runs_ask runs_ask = {.walk = w,
                                  .first_time = h->first_time,
                                  .last_time = h->last_time,
                                  .key = h->key,
                                  .n = h->keys,
                                  .window = ask->run_window ? ask->run_window : RUN_WINDOW,
                                  .root = ask->root,
                                  .mixed = ask->mixed};
    st = dc_runs_assign(id->run, runs, &runs_ask, par);
    if (st != DC_OK)
        return st;
    st = dc_runs_instances(id->instance, w, id->run, h->first_time);
    if (st == DC_OK)
        st = name_models(id, w);
    return dc_par_agree(st, par);
}

/* Rows, of tensors and of what was skipped, with ids of the dictionary. */
static void remap_rows(dc_headers *h, dc_walk *w, const dir_identity *id, const uint32_t *map)
{
    for (size_t i = 0; i < h->n; i++) {
        dc_tensor *t = &h->row[i];
        t->run = id->run[h->row_dir[i]];
        t->model = id->model[h->row_dir[i]];
        dc_texts_map(dc_tensor_texts(t), map);
    }
    for (size_t i = 0; i < w->nskipped; i++)
        dc_texts_map(dc_skipped_texts(&w->skipped[i]), map);
}

/* All processes' skipped rows, sorted, to process 0. */
static dc_status gather_skipped(dc_catalog *c, const dc_walk *w, const dc_par *par)
{
    char *all;
    uint64_t bytes;
    for (size_t i = 0; i < w->nskipped; i++)
        c->faults += w->skipped[i].fault != DC_SKIPPED_OTHER;
    dc_status st =
        dc_par_allgather(&all, &bytes, NULL, w->skipped, w->nskipped * sizeof *w->skipped, par);
    if (st != DC_OK)
        return st;
    c->skipped_total = bytes / sizeof *c->skipped;
    dc_par_sum_u64(&c->faults, 1, par);
    if (par->process == 0) {
        c->skipped = (dc_skipped *)(void *)all;
        c->nskipped = c->skipped_total;
        dc_skipped_sort(c->skipped, c->nskipped);
    } else {
        free(all);
    }
    return DC_OK;
}

static void number_occurrences(dc_tensor *row, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++)
        if (dc_tensor_compare_identity(&row[i - 1], &row[i]) == 0)
            row[i].occurrence = row[i - 1].occurrence + 1;
}

/* The dictionary, then everything that needs comparable ids. Takes h's rows over. */
static dc_status assemble(dc_catalog *c, dc_walk *w, dc_headers *h, const dir_identity *id,
                          const dc_par *par)
{
    uint32_t *map = NULL;
    size_t n = h->n;
    dc_status st = dc_dictionary_build(&c->names, &map, w->names, par);
    if (st != DC_OK)
        return st;
    remap_rows(h, w, id, map);
    st = dc_sort_rows((void **)&h->row, &n, sizeof *h->row, par);
    if (st == DC_OK)
        st = dc_slices_missing(w, h->row, n, c->names, par);
    if (st == DC_OK)
        st = gather_skipped(c, w, par);
    if (st == DC_OK) {
        c->row = h->row;
        c->n = n;
        h->row = NULL;
        st = dc_overflows_gather(c, w, map, id->run, id->model, par);
    }
    free(map);
    if (st != DC_OK)
        return st;
    number_occurrences(c->row, c->n);
    c->first = dc_par_before_u64(c->n, par);
    c->total = c->n;
    dc_par_sum_u64(&c->total, 1, par);
    return DC_OK;
}

void dc_scan_odd_add(struct dc_scan_odd *odd, uint64_t n, const char *example)
{
    if (n && (!odd->n || strcmp(example, odd->example) < 0))
        snprintf(odd->example, sizeof odd->example, "%s", example);
    odd->n += n;
}

/* Add up the processes' costs; process 0 gets the first example in order. Collective. */
static dc_status sum_cost(dc_scan_cost *out, const dc_scan_cost *mine, const dc_par *par)
{
    char *all;
    uint64_t bytes;
    dc_status st = dc_par_allgather(&all, &bytes, NULL, mine, sizeof *mine, par);
    if (st != DC_OK)
        return st;
    for (uint64_t i = 0; i < bytes / sizeof *mine; i++) {
        const dc_scan_cost *c = (const dc_scan_cost *)(const void *)all + i;
        out->headers += c->headers;
        out->header_bytes += c->header_bytes;
        dc_scan_odd_add(&out->growing, c->growing.n, c->growing.example);
        dc_scan_odd_add(&out->trailing, c->trailing.n, c->trailing.example);
        dc_scan_odd_add(&out->misnamed, c->misnamed.n, c->misnamed.example);
        dc_scan_odd_add(&out->unnumbered, c->unnumbered.n, c->unnumbered.example);
        dc_scan_odd_add(&out->lost, c->lost.n, c->lost.example);
    }
    free(all);
    return DC_OK;
}

dc_status dc_catalog_scan(dc_catalog *out, const dc_scan_ask *ask, const dc_par *par)
{
    dc_catalog c = {0};
    dc_walk w = {0};
    dc_headers h = {0};
    dir_identity id = {0};
    dc_status st = dc_walk_trees(&w, ask, par);
    if (st == DC_OK) {
        c.dirs = w.dirs;
        c.files = w.seen;
        dc_par_sum_u64(&c.files, 1, par);
        st = dc_par_agree(dc_headers_read(&h, &w, ask), par);
    }
    if (st == DC_OK)
        st = sum_cost(&c.cost, &h.cost, par);
    if (st == DC_OK)
        st = identify_dirs(&id, &c.runs, &w, &h, ask, par);
    if (st == DC_OK)
        st = assemble(&c, &w, &h, &id, par);
    identity_fini(&id);
    dc_headers_fini(&h);
    dc_walk_fini(&w);
    if (st != DC_OK) {
        dc_catalog_fini(&c);
        return st;
    }
    *out = c;
    return DC_OK;
}

/* An even share of the rows, moved forward to the next start of an identity so that none straddles
 * processes. */
static dc_status own_range(dc_catalog *c, const dc_par *par)
{
    uint64_t np = (uint64_t)par->processes, me = (uint64_t)par->process;
    uint64_t range[2] = {c->total * me / np, c->total * (me + 1) / np};
    for (int k = 0; k < 2; k++) {
        dc_tensor pair[2];
        bool same = true;
        while (range[k] > 0 && range[k] < c->total && same) {
            dc_status st = dc_store_get_rows(pair, NULL, c->store, range[k] - 1, 2);
            if (st != DC_OK)
                return st;
            same = dc_tensor_compare_identity(&pair[0], &pair[1]) == 0;
            range[k] += same;
        }
    }
    c->first = range[0];
    c->n = range[1] - range[0];
    return DC_OK;
}

static dc_status read_rows(dc_catalog *c, const char *path, const dc_par *par)
{
    dc_status st = dc_store_open(&c->store, path, false);
    if (st != DC_OK)
        return st;
    c->total = dc_store_rows(c->store);
    c->skipped_total = dc_store_skipped(c->store);
    c->names = dc_store_take_names(c->store);
    st = own_range(c, par);
    c->row = malloc((c->n + 1) * sizeof *c->row);
    c->hash = malloc((c->n + 1) * sizeof *c->hash);
    c->state = malloc(c->n + 1);
    if (st == DC_OK && (!c->row || !c->hash || !c->state))
        st = dc_fail_memory();
    if (st == DC_OK)
        st = dc_store_get_rows(c->row, NULL, c->store, c->first, c->n);
    if (st == DC_OK)
        st = dc_store_get_marks(c->hash, c->state, c->store, c->first, c->n);
    if (st == DC_OK && par->process == 0) {
        c->nskipped = c->skipped_total;
        c->skipped = malloc((c->nskipped + 1) * sizeof *c->skipped);
        st = c->skipped ? dc_store_get_skipped(c->skipped, c->store, 0, c->nskipped)
                        : dc_fail_memory();
    }
    return st;
}

void dc_catalog_count_runs(dc_catalog *c, const dc_par *par)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < c->n; i++)
        if (c->row[i].run >= 0 && (uint64_t)c->row[i].run + 1 > runs)
            runs = (uint64_t)c->row[i].run + 1;
    dc_par_max_u64(&runs, 1, par);
    c->runs = (int32_t)runs;
}

dc_status dc_catalog_load(dc_catalog *out, const char *path, const dc_par *par)
{
    dc_catalog c = {0};
    dc_status st = dc_par_agree(read_rows(&c, path, par), par);
    if (st != DC_OK) {
        dc_catalog_fini(&c);
        return st;
    }
    dc_catalog_count_runs(&c, par);
    *out = c;
    return DC_OK;
}

void dc_catalog_fini(dc_catalog *c)
{
    dc_pool_free(c->names);
    free(c->row);
    free(c->hash);
    free(c->state);
    free(c->skipped);
    free(c->overflow);
    if (dc_store_close(c->store) != DC_OK)
        c->store = NULL;
    *c = (dc_catalog){0};
}

dc_status dc_catalog_place(char **path, uint64_t *offset, const dc_catalog *c, const dc_tensor *t)
{
    char file[DC_FILE_NAME];
    if (!c->store) {
        dc_file_name(file, c->names, t->file, t->file_number);
        *path = dc_path_join(dc_pool_text(c->names, t->dir), file);
        *offset = t->offset;
        return *path ? DC_OK : DC_ENOMEM;
    }
    *offset = dc_store_tensor_at(c->store, t);
    if (t->bytes && *offset == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: the index points outside the store's data",
                       dc_store_path(c->store));
    *path = strdup(dc_store_path(c->store));
    return *path ? DC_OK : dc_fail_memory();
}
