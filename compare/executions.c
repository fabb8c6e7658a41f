/* compare/executions.c - see executions.h */
#include "compare/executions.h"

#include "io/cmp.h"
#include "io/idset.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const dc_model_step *a = left, *b = right;
    return DC_CMP_BY(a, b, model, place, step);
}

static dc_model_step step_of(const dc_executions *e, const dc_tensor *t)
{
    int32_t place = e->uses.rank ? t->rank : e->uses.device ? t->device : 0;
    return (dc_model_step){t->step, t->model, place};
}

/* This process's, each once. */
static dc_status collect(dc_idset **out, const dc_executions *e, const dc_catalog *c, uint64_t run)
{
    dc_status st = dc_idset_new(out, sizeof(dc_model_step));
    dc_model_step last = {.step = -1};
    uint32_t id;
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++) {
        const dc_tensor *t = &c->row[i];
        const dc_model_step m = step_of(e, t);
        if (t->step < 0 || (uint64_t)t->run != run || compare(&m, &last) == 0)
            continue;
        last = m;
        st = dc_idset_add(&id, NULL, *out, &m);
    }
    return st;
}

/* Only one run is chosen. Collective. */
static uint64_t chosen_run(const dc_catalog *c, const uint8_t *chosen, const dc_par *par)
{
    uint64_t run = 0;
    for (uint64_t i = 0; i < c->n; i++)
        if ((!chosen || chosen[i]) && c->row[i].run > 0 && (uint64_t)c->row[i].run > run)
            run = (uint64_t)c->row[i].run;
    dc_par_max_u64(&run, 1, par);
    return run;
}

dc_status dc_executions_begin(dc_executions *out, const dc_catalog *c, const uint8_t *chosen,
                              dc_status local, const dc_par *par)
{
    dc_idset *mine = NULL;
    dc_buf buf = {0};
    char *all = NULL;
    uint64_t run = chosen_run(c, chosen, par), total = 0;
    dc_status st = local == DC_OK ? collect(&mine, out, c, run) : local;
    for (uint32_t i = 0; st == DC_OK && i < dc_idset_count(mine); i++)
        st = dc_buf_add(&buf, dc_idset_key(mine, i), sizeof(dc_model_step));
    if ((st = dc_par_agree(st, par)) == DC_OK)
        st = dc_par_allgather(&all, &total, NULL, buf.data, buf.n, par);
    dc_idset_free(mine);
    dc_buf_free(&buf);
    out->at = (dc_model_step *)(void *)all;
    out->n = 0;
    size_t n = st == DC_OK ? (size_t)(total / sizeof *out->at) : 0;
    if (n)
        qsort(out->at, n, sizeof *out->at, compare);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare(&out->at[i], &out->at[i - 1]) != 0)
            out->at[out->n++] = out->at[i];
    return st;
}

void dc_executions_fini(dc_executions *e)
{
    free(e->at);
    e->at = NULL;
    e->n = 0;
}

static int compare_model(const void *context, size_t i)
{
    const dc_model_step *want = ((const void *const *)context)[0];
    const dc_executions *e = ((const void *const *)context)[1];
    const dc_model_step *at = &e->at[i];
    return DC_CMP_BY(at, want, model, place);
}

/* The steps of t's model, in t's directory: how many, and which one t's is. */
static uint64_t count_steps(uint64_t *place, const dc_executions *e, const dc_tensor *t)
{
    const dc_model_step want = step_of(e, t);
    const void *context[] = {&want, e};
    size_t first, n = dc_equal_range(&first, e->n, compare_model, context);
    const dc_model_step *at = n ? bsearch(&want, e->at + first, n, sizeof want, compare) : NULL;
    *place = at ? (uint64_t)(at - (e->at + first)) : 0;
    return n;
}

static bool is_mapped(const dc_step_map *m)
{
    return m->n || m->offset;
}

bool dc_executions_by_step(const dc_executions *e, const dc_tensor *t)
{
    uint64_t place;
    return !e->uses.step && t->step >= 0 && (is_mapped(e->steps) || count_steps(&place, e, t) > 1);
}

bool dc_executions_find(uint64_t *index, uint64_t *steps, const dc_executions *e,
                        const dc_tensor *t, uint32_t runs, uint32_t have)
{
    uint64_t place;
    int64_t mapped;
    *index = t->occurrence;
    *steps = count_steps(&place, e, t);
    if (have <= runs || !dc_executions_by_step(e, t))
        return true;
    if (is_mapped(e->steps)) {
        *index =
            dc_step_map_get(&mapped, e->steps, t->step) && (uint64_t)mapped < UINT64_MAX / runs - 1
                ? (uint64_t)mapped * runs + t->occurrence
                : UINT64_MAX;
        return true;
    }
    *index = place * runs + t->occurrence;
    return have == *steps * runs;
}
