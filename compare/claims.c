/* compare/claims.c - see claims.h */
#include "compare/claims.h"

static dc_status claim(dc_choices *c, const dc_wants_tensor *x)
{
    uint32_t want;
    dc_status st = dc_wants_of(&want, c->wants, x);
    return st == DC_OK && dc_wants_get(c->wants, want)->pairing == DC_PAIRED
               ? dc_choices_claim(c, want)
               : st;
}

dc_status dc_claim_unchosen(dc_choices *c, dc_op_walk *ops, const dc_catalog *npu,
                            const uint8_t *chosen)
{
    dc_idset *done = NULL;
    dc_status st = dc_idset_new(&done, 4 * sizeof(uint32_t));
    for (uint64_t i = 0; st == DC_OK && chosen && i < npu->n; i++) {
        const dc_tensor *t = &npu->row[i];
        const uint32_t names[] = {t->op, t->origin_op, t->slot, t->origin_slot};
        uint32_t id;
        bool added;
        if (chosen[i] || t->direction != DC_OUTPUT)
            continue;
        st = dc_idset_add(&id, &added, done, names);
        if (st == DC_OK && added) {
            const dc_wants_tensor x = {t, npu->names, *dc_op_walk_at(ops, i)};
            st = claim(c, &x);
        }
    }
    dc_idset_free(done);
    return st;
}
