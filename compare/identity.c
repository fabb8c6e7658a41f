/* compare/identity.c - see identity.h */
#include "compare/identity.h"

#include "compare/optype.h"
#include "io/golden.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define TEXT 4096 /* of a name that is cleaned; of longer ones the beginning */

/* Whose output: by name and number. */
typedef struct original {
    const char *name;
    uint32_t output;
    bool said, by_graph;
} original;

static const char *own_name(const dc_identities *s, const dc_tensor *t)
{
    return dc_pool_text(s->catalog->names, t->op);
}

/* GE copies the next operator's original name to those it inserts: these are only themselves. */
static original original_of(const dc_identities *s, uint64_t i)
{
    const dc_tensor *t = &s->catalog->row[i];
    const char *own = own_name(s, t), *header = dc_pool_text(s->catalog->names, t->origin_op);
    const dc_opmap_want *w = s->want ? dc_wants_get(s->wants, s->want[i]) : NULL;
    const original self = {own, t->slot, false, false};
    if (t->direction != DC_OUTPUT ||
        dc_optype_inserted(dc_pool_text(s->catalog->names, t->op_type), own))
        return self;
    if (w && w->pairing == DC_PAIRED && w->match != DC_MATCH_NAME)
        return (original){dc_pool_text(s->wants->pool, w->name), w->output, true,
                          w->match == DC_MATCH_GRAPH};
    if (*header && !s->no_header)
        return (original){header, t->origin_slot == DC_UNSET ? t->slot : t->origin_slot, true,
                          false};
    return self;
}

bool dc_identity_said(bool *by_graph, const dc_identities *s, uint64_t i)
{
    const original o = original_of(s, i);
    *by_graph = o.by_graph;
    return o.said;
}

/* Texts mean the same on both sides and all processes by their hash. Of a million names two have
 * the same one in one of 37 million runs. */
static uint64_t hash(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

static uint64_t clean_hash(const char *text)
{
    char clean[TEXT];
    size_t n = strlen(text);
    if (n >= TEXT)
        return hash(text);
    memcpy(clean, text, n + 1);
    dc_golden_clean(clean, clean);
    return hash(clean);
}

/* The part of the key that names the tensor; false: no part in this round. */
static bool name_key(dc_join_key *k, const dc_identities *s, dc_join_round round, uint64_t i)
{
    const dc_tensor *t = &s->catalog->row[i];
    const original o = original_of(s, i);
    bool output = t->direction == DC_OUTPUT;
    k->slot = round == DC_JOIN_ORIGINAL || round == DC_JOIN_CLEAN ? o.output : t->slot;
    switch (round) {
    case DC_JOIN_SAME:
        k->op = hash(own_name(s, t));
        k->original = hash(o.name);
        k->extra = o.output;
        return true;
    case DC_JOIN_ORIGINAL:
        k->op = hash(o.name);
        return output;
    case DC_JOIN_CLEAN:
        k->op = clean_hash(o.name);
        return true;
    case DC_JOIN_UNSAID: /* equal if one says and the other does not */
        k->op = clean_hash(own_name(s, t));
        k->extra = o.said != s->right;
        return output;
    default:
        k->op = clean_hash(own_name(s, t));
        return output && o.said;
    }
}

bool dc_identity_key(dc_join_key *out, const dc_identities *s, dc_join_round round, uint64_t i)
{
    const dc_tensor *t = &s->catalog->row[i];
    *out = (dc_join_key){.step = t->step,
                         .rank = t->rank,
                         .direction = t->direction,
                         .slice = t->slice,
                         .occurrence = t->occurrence};
    if (!s->one_model)
        out->model = hash(dc_pool_text(s->catalog->names, t->model));
    return name_key(out, s, round, i) &&
           (!s->steps || dc_step_map_get(&out->step, s->steps, t->step));
}

#define CHUNK 65536 /* names agreed on at a time */

/* The sum of the hashes of all operators' names, each counted once. used: a bit for each text. */
static uint64_t sum_names(uint8_t *used, uint64_t *chunk, const dc_catalog *c, const dc_par *par)
{
    uint64_t sum = 0;
    uint32_t n = dc_pool_count(c->names);
    for (uint64_t i = 0; i < c->n; i++)
        used[c->row[i].op / 8] |= (uint8_t)(1 << c->row[i].op % 8);
    for (uint32_t from = 0; from < n; from += CHUNK) {
        uint32_t k = n - from < CHUNK ? n - from : CHUNK;
        for (uint32_t i = 0; i < k; i++)
            chunk[i] = used[(from + i) / 8] >> (from + i) % 8 & 1;
        dc_par_max_u64(chunk, k, par);
        for (uint32_t i = 0; i < k; i++)
            sum += chunk[i] ? clean_hash(dc_pool_text(c->names, from + i)) : 0;
    }
    return sum;
}

dc_status dc_identity_same_build(bool *same, const dc_catalog *a, const dc_catalog *b,
                                 dc_status local, const dc_par *par)
{
    uint64_t *chunk = malloc(CHUNK * sizeof *chunk);
    uint8_t *used_a = calloc(dc_pool_count(a->names) / 8 + 1, 1);
    uint8_t *used_b = calloc(dc_pool_count(b->names) / 8 + 1, 1);
    dc_status st = chunk && used_a && used_b ? local : dc_fail_memory();
    if ((st = dc_par_agree(st, par)) == DC_OK)
        *same = sum_names(used_a, chunk, a, par) == sum_names(used_b, chunk, b, par);
    free(chunk);
    free(used_a);
    free(used_b);
    return st;
}
