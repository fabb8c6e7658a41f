/* compare/choices.c - see choices.h */
#include "compare/choices.h"

#include "io/cmp.h"
#include "io/dtype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNREAD    UINT32_MAX
#define REQUESTED (UINT32_MAX - 1)
#define TEXT      2048

typedef struct choice_key {
    uint32_t want, dir;
} choice_key;

dc_status dc_choices_begin(dc_choices *out, dc_golden_dirs *dirs, dc_wants *wants, dc_pool *names)
{
    *out = (dc_choices){.dirs = dirs, .wants = wants, .names = names};
    dc_status st = dc_idset_new(&out->key, sizeof(choice_key));
    return st == DC_OK ? dc_idset_new(&out->heads, sizeof(dc_golden_head)) : st;
}

void dc_choices_fini(dc_choices *c)
{
    dc_idset_free(c->key);
    free(c->choice);
    free(c->also);
    dc_rivals_fini(&c->rivals);
    free(c->listed);
    free(c->head_of);
    dc_idset_free(c->heads);
    *c = (dc_choices){0};
}

static char *clean_name(const dc_choices *c, uint32_t want)
{
    char *clean = strdup(dc_pool_text(c->names, dc_wants_get(c->wants, want)->name));
    if (clean)
        dc_golden_clean(clean, clean);
    else
        (void)dc_fail_memory();
    return clean;
}

static const char *file_name(const dc_golden_dir *d, size_t i)
{
    return dc_pool_text(d->pool, d->file[i].name);
}

/* Files of one name stand together: keep those most like the wanted name. Several names as like as
 * one another are left contested. */
static void keep_likest(dc_choice *ch, const dc_golden_dir *d, const char *name)
{
    int best = 3;
    size_t end = ch->first + ch->n, from = ch->first, kept = 0, names = 0;
    for (size_t i = ch->first; i < end; i++) {
        bool new_name = i == ch->first || d->file[i].name != d->file[i - 1].name;
        int likeness = dc_golden_likeness(file_name(d, i), name);
        if (likeness < best) {
            best = likeness;
            from = i;
            kept = names = 0;
        }
        if (likeness == best) {
            kept++;
            names += new_name;
        }
    }
    if (names > 1) { /* all of the key's names are alike, or they would not be several */
        ch->state = DC_CHOICE_CONTESTED;
        return;
    }
    ch->first = (uint32_t)from;
    ch->n = (uint32_t)kept;
}

static dc_status find_files(dc_choices *c, dc_choice *ch)
{
    const dc_opmap_want *w = dc_wants_get(c->wants, ch->want);
    const dc_golden_dir *d = &c->dirs->dir[ch->dir].list;
    char *clean = clean_name(c, ch->want);
    size_t first = 0;
    if (!clean)
        return DC_ENOMEM;
    if (d->n) {
        ch->n = (uint32_t)dc_golden_find(&first, d, clean, w->output);
        ch->first = (uint32_t)first;
        keep_likest(ch, d, dc_pool_text(c->names, w->name));
    }
    free(clean);
    return DC_OK;
}

dc_status dc_choices_claim(dc_choices *c, uint32_t want)
{
    dc_status st = dc_grow((void **)&c->also, &c->also_cap, c->nalso, 1, sizeof *c->also);
    if (st == DC_OK)
        c->also[c->nalso++] = want;
    return st;
}

dc_status dc_choices_of(uint32_t *choice, dc_choices *c, uint32_t want, uint32_t dir,
                        const dc_tensor *t, uint32_t most)
{
    const choice_key key = {want, dir};
    bool added;
    dc_status st = dc_idset_add(choice, &added, c->key, &key);
    if (st == DC_OK && added) {
        if ((st = dc_grow((void **)&c->choice, &c->cap, *choice, 1, sizeof *c->choice)) != DC_OK)
            return st;
        c->n = *choice + (size_t)1;
        c->choice[*choice] = (dc_choice){.want = want, .dir = dir, .dtype = t->dtype};
        st = find_files(c, &c->choice[*choice]);
    }
    if (st == DC_OK && most > c->choice[*choice].most)
        c->choice[*choice].most = most;
    return st;
}

uint64_t dc_choices_file(const dc_choices *c, const dc_choice *ch, uint64_t index)
{
    if (index >= ch->n)
        return UINT64_MAX;
    if (ch->state == DC_CHOICE_TOLD_APART)
        return c->listed[ch->first + index];
    return c->dirs->dir[ch->dir].base + ch->first + index;
}

const dc_golden_head *dc_choices_head(const dc_choices *c, uint64_t file)
{
    return dc_idset_key(c->heads, c->head_of[file]);
}

static dc_status claim_of(dc_rival *out, const dc_choices *c, uint32_t want)
{
    const dc_opmap_want *w = dc_wants_get(c->wants, want);
    char *clean = clean_name(c, want);
    *out = (dc_rival){.output = w->output, .name = w->name, .shape = w->shape};
    dc_status st = clean ? dc_pool_adds(&out->clean, c->names, clean) : DC_ENOMEM;
    free(clean);
    return st;
}

/* What this process claims: everything that a file was found for, in whichever directory, and what
 * only has a claim. */
static dc_status claims(dc_rival **out, size_t *n, const dc_choices *c)
{
    size_t wants = dc_idset_count(c->wants->answer);
    uint8_t *found = calloc(wants + 1, 1);
    *out = malloc((wants + 1) * sizeof **out);
    *n = 0;
    dc_status st = *out && found ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < c->n; i++)
        found[c->choice[i].want] |= c->choice[i].n > 0;
    for (size_t i = 0; st == DC_OK && i < c->nalso; i++)
        found[c->also[i]] = 1;
    for (uint32_t want = 0; st == DC_OK && want < wants; want++)
        if (found[want])
            st = claim_of(&(*out)[(*n)++], c, want);
    free(found);
    return st;
}

/* Kinds that a tensor and its golden may have without being of different things. */
static int family(uint32_t dtype)
{
    dc_kind kind = dc_dtype_get(dtype)->kind;
    return kind == DC_KIND_UINT ? DC_KIND_INT : (int)kind;
}

static int compare_dims(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return DC_CMP(x, y);
}

/* The dims without ones in order of size: what a change of layout leaves. */
static bool sorted_dims(dc_shape *out, const char *text)
{
    dc_shape s;
    if (dc_shape_parse(&s, text) != DC_OK)
        return false;
    out->rank = 0;
    for (uint32_t i = 0; i < s.rank; i++)
        if (s.dim[i] != 1)
            out->dim[out->rank++] = s.dim[i];
    qsort(out->dim, out->rank, sizeof *out->dim, compare_dims);
    return true;
}

/* Could a golden of shape `golden` be one that should have shape `wanted` (NULL: any)? */
static bool shape_fits(const char *golden, const char *wanted)
{
    dc_shape a, b;
    return !wanted ||
           (sorted_dims(&a, golden) && sorted_dims(&b, wanted) && dc_shape_equal(&a, &b));
}

/* Another name that file i of the directory is as like as the wanted one, and whose golden may have
 * the file's shape (NULL: any): that name, or NULL. */
static const char *rival_of(const dc_choices *c, const dc_choice *ch, size_t i, const char *shape,
                            const char *clean)
{
    const dc_opmap_want *w = dc_wants_get(c->wants, ch->want);
    const char *name = dc_pool_text(c->names, w->name);
    const char *file = file_name(&c->dirs->dir[ch->dir].list, i);
    int own = dc_golden_likeness(file, name);
    size_t first, n = dc_rivals_of(&first, &c->rivals, clean, w->output);
    for (size_t k = first; k < first + n; k++) {
        const dc_rival *r = &c->rivals.rival[k];
        const char *other = dc_pool_text(c->rivals.pool, r->name);
        const char *wanted = r->shape == DC_NO_STR ? NULL : dc_pool_text(c->rivals.pool, r->shape);
        if (strcmp(other, name) != 0 && dc_golden_likeness(file, other) <= own &&
            (!shape || shape_fits(shape, wanted)))
            return other;
    }
    return NULL;
}

static dc_status find_rivals(dc_choices *c, const dc_par *par)
{
    dc_rival *claim = NULL;
    size_t n = 0;
    dc_status st = claims(&claim, &n, c);
    st = dc_rivals_find(&c->rivals, claim, n, c->names, st, par);
    free(claim);
    for (size_t i = 0; st == DC_OK && c->rivals.n && i < c->n; i++) {
        dc_choice *ch = &c->choice[i];
        char *clean = clean_name(c, ch->want);
        if (!clean)
            return DC_ENOMEM;
        if (ch->n && rival_of(c, ch, ch->first, NULL, clean))
            ch->state = DC_CHOICE_CONTESTED;
        free(clean);
    }
    return st;
}

/* The files whose headers are needed, in the order of the choices. */
static dc_status list_files(uint32_t **file, uint64_t *n, dc_choices *c)
{
    uint64_t files = c->dirs->files;
    size_t cap = 0;
    c->head_of = malloc((files + 1) * sizeof *c->head_of);
    if (!c->head_of)
        return dc_fail_memory();
    memset(c->head_of, 0xff, (files + 1) * sizeof *c->head_of);
    for (size_t i = 0; i < c->n; i++) {
        const dc_choice *ch = &c->choice[i];
        uint32_t need = ch->state == DC_CHOICE_PLAIN && ch->most < ch->n ? ch->most : ch->n;
        dc_status st = dc_grow((void **)file, &cap, *n, need, sizeof **file);
        if (st != DC_OK)
            return st;
        for (uint32_t k = 0; k < need; k++) {
            uint64_t f = dc_choices_file(c, ch, k);
            if (c->head_of[f] != UNREAD)
                continue;
            c->head_of[f] = REQUESTED;
            (*file)[(*n)++] = (uint32_t)f;
        }
    }
    return DC_OK;
}

static dc_status ambiguous(dc_choices *c, dc_choice *ch, const char *format, const char *other)
{
    char text[TEXT];
    const char *name = dc_pool_text(c->names, dc_wants_get(c->wants, ch->want)->name);
    ch->state = DC_CHOICE_AMBIGUOUS;
    snprintf(text, sizeof text, format, name, other); /* NOLINT: formats are ours */
    return dc_pool_adds(&ch->note, c->names, text);
}

/* Does contested file i fit by shape and kind of element? */
static bool fits(const char **shape, const dc_choices *c, const dc_choice *ch, size_t i)
{
    const dc_opmap_want *w = dc_wants_get(c->wants, ch->want);
    const dc_golden_head *h = dc_choices_head(c, c->dirs->dir[ch->dir].base + i);
    *shape = dc_pool_text(c->names, h->text);
    return h->status == DC_OK && family(h->dtype) == family(ch->dtype) &&
           shape_fits(*shape, w->shape == DC_NO_STR ? NULL : dc_pool_text(c->names, w->shape));
}

/* Of the contested files keep those that fit, that no rival fits as well, and that are of one name.
 */
static dc_status tell_apart(dc_choices *c, dc_choice *ch, const char *clean)
{
    const dc_listed_dir *dir = &c->dirs->dir[ch->dir];
    const char *shape, *kept = NULL;
    size_t from = c->nlisted;
    dc_status st = dc_grow((void **)&c->listed, &c->listed_cap, from, ch->n, sizeof *c->listed);
    for (size_t i = ch->first; st == DC_OK && i < (size_t)ch->first + ch->n; i++) {
        if (!fits(&shape, c, ch, i))
            continue;
        const char *file = file_name(&dir->list, i), *other = rival_of(c, ch, i, shape, clean);
        if (other)
            return ambiguous(c, ch,
                             "the golden may be that of %s or that of %s: in file names the "
                             "two are alike, and shapes do not tell",
                             other);
        if (kept && strcmp(kept, file) != 0)
            return ambiguous(c, ch,
                             "the golden of %s may be the one called %s or another of like "
                             "name: shapes and types do not tell",
                             kept);
        kept = file;
        c->listed[c->nlisted++] = dir->base + i;
    }
    if (st != DC_OK)
        return st;
    if (!kept)
        return ambiguous(c, ch,
                         "of several goldens of like name none has the shape and type of %s%s", "");
    ch->state = DC_CHOICE_TOLD_APART;
    ch->first = (uint32_t)from;
    ch->n = (uint32_t)(c->nlisted - from);
    return dc_pool_adds(&ch->note, c->names,
                        "several names are alike in file names: told apart by name, shape or type");
}

dc_status dc_choices_decide(dc_choices *c, const dc_par *par)
{
    uint32_t *file = NULL;
    uint64_t n = 0;
    dc_idset_free(c->key);
    c->key = NULL;
    dc_status st = dc_par_agree(find_rivals(c, par), par);
    if (st != DC_OK)
        return st;
    st = list_files(&file, &n, c);
    const dc_golden_ask ask = {c->dirs, file, n};
    dc_golden_heads out = {c->heads, c->head_of, c->names};
    st = dc_golden_heads_read(&out, &ask, st, par);
    free(file);
    for (size_t i = 0; st == DC_OK && i < c->n; i++) {
        if (c->choice[i].state != DC_CHOICE_CONTESTED)
            continue;
        char *clean = clean_name(c, c->choice[i].want);
        st = clean ? tell_apart(c, &c->choice[i], clean) : DC_ENOMEM;
        free(clean);
    }
    return dc_par_agree(st, par);
}
