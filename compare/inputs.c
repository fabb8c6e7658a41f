/* compare/inputs.c - see inputs.h */
#include "compare/inputs.h"

static bool same_op(const dc_tensor *a, const dc_tensor *b)
{
    return a->rank == b->rank && a->run == b->run && a->model == b->model && a->step == b->step &&
           a->op == b->op;
}

uint32_t dc_inputs_next(dc_inputs *s, const dc_tensor *t)
{
    if (!s->any || !same_op(&s->last, t))
        *s = (dc_inputs){.last = *t, .any = true};
    if (t->direction == DC_INPUT && t->slot >= s->n)
        s->n = t->slot + 1;
    return s->n;
}

void dc_inputs_begin(dc_inputs *s, const dc_catalog *c, const dc_par *par)
{
    dc_inputs after = {0};
    uint64_t first = c->n;
    *s = (dc_inputs){0};
    dc_par_chain_receive(s, sizeof *s, par);
    while (first > 0 && same_op(&c->row[first - 1], &c->row[c->n - 1]))
        first--;
    if (first == 0)
        after = *s;
    for (uint64_t i = first; i < c->n; i++)
        dc_inputs_next(&after, &c->row[i]);
    dc_par_chain_pass(&after, sizeof after, par);
}
