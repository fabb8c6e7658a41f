/* compare/align_files.c - see align.h: against golden files */
#include "compare/align.h"
#include "compare/align_report.h"
#include "compare/bare.h"
#include "compare/choices.h"
#include "compare/claims.h"
#include "compare/dir_askers.h"
#include "compare/executions.h"
#include "compare/op_counts.h"
#include "compare/unused.h"
#include "io/dtype.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 4096

typedef struct job {
    const dc_align_ask *ask;
    const dc_catalog *npu;
    dc_alignment *out;
    dc_pool *names;       /* out->pairs.names */
    dc_golden_dirs *dirs; /* out->pairs.dirs */
    dc_wants wants;
    dc_choices choices;
    dc_op_walk ops;
    dc_executions executions;
    dc_lines lines;
    dc_buf messages;
    uint32_t *golden_of; /* [dirs->files]: number in out->pairs.golden, or DC_UNPAIRED */
    uint8_t *used;       /* [dirs->files] */
    bool unread;         /* the golden of the row at hand cannot be read */
    uint32_t line_note;  /* of the row at hand, as alignment.csv has it for all steps together */
} job;

static dc_status because(dc_pair *p, job *j, dc_pairing pairing, const char *reason)
{
    p->pairing = (uint8_t)pairing;
    return dc_pool_adds(&p->reason, j->names, reason);
}

/* First look at row i: what it wants, and where. The pair holds the number of its choice until the
 * choices are decided. */
static dc_status survey_row(job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    dc_pair *p = &j->out->pairs.pair[i];
    uint32_t want, dir, choice;
    dc_status st;
    dc_pairing pairing;
    const char *bare = dc_bare_reason(&pairing, j->npu, i);
    if (j->ask->chosen && !j->ask->chosen[i]) {
        p->pairing = DC_NOT_CHOSEN;
        return DC_OK;
    }
    if (bare && pairing == DC_NOT_EXPECTED)
        return because(p, j, pairing, bare);
    const dc_wants_tensor x = {t, j->npu->names, *dc_op_walk_at(&j->ops, i)};
    if ((st = dc_wants_of(&want, &j->wants, &x)) != DC_OK)
        return st;
    const dc_opmap_want *w = dc_wants_get(&j->wants, want);
    p->match = w->match;
    p->reason = w->reason;
    p->note = w->note;
    p->pairing = w->pairing;
    if (w->pairing != DC_PAIRED)
        return DC_OK;
    /* unless it is inserted or fused, and nobody would miss it; its golden is looked for all the
     * same, since it is not left over */
    if (bare && (st = because(p, j, pairing, bare)) != DC_OK)
        return st;
    if ((st = dc_golden_dirs_place(&dir, j->dirs, t->rank, t->device, t->step)) != DC_OK)
        return st;
    if (dir == DC_NO_DIR)
        return bare ? DC_OK
                    : because(p, j, DC_NOT_EXPECTED,
                              t->step < 0 ? "it was dumped without a step, and goldens go by step"
                                          : "the step map leaves this step out");
    uint32_t most = dc_executions_by_step(&j->executions, t) ? UINT32_MAX : t->occurrence + 1;
    if ((st = dc_choices_of(&choice, &j->choices, want, dir, t, most)) == DC_OK)
        p->golden = choice;
    return st;
}

static dc_status survey(job *j)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < j->npu->n; i++)
        st = survey_row(j, i);
    if (st == DC_OK)
        st = dc_claim_unchosen(&j->choices, &j->ops, j->npu, j->ask->chosen);
    const dc_golden_dirs *d = j->dirs;
    if (st == DC_OK && d->n && !d->uses.rank && !d->uses.device && !d->uses.step &&
        d->dir[0].status != DC_OK)
        return dc_set_error(d->dir[0].status, d->dir[0].error);
    return st;
}

/* The golden table's entry of a file, made at first use. */
static dc_status golden_entry(uint32_t *out, job *j, uint64_t file, const dc_opmap_want *w)
{
    *out = j->golden_of[file];
    if (*out != DC_UNPAIRED)
        return DC_OK;
    const dc_golden_head *h = dc_choices_head(&j->choices, file);
    const dc_golden g = {.listed = true,
                         .path = (uint32_t)file,
                         .name = w->label,
                         .dtype = (uint8_t)h->dtype,
                         .big_endian = h->big_endian,
                         .fortran_order = h->fortran_order,
                         .shape = h->text,
                         .offset = h->offset,
                         .bytes = h->bytes};
    dc_status st = dc_pairs_add_golden(out, &j->out->pairs, &g);
    j->golden_of[file] = *out;
    return st;
}

/* Append to a note; "" adds nothing. */
static dc_status add_note(uint32_t *note, job *j, const char *more)
{
    const char *have = dc_pool_text(j->names, *note);
    char text[TEXT];
    if (!*more)
        return DC_OK;
    snprintf(text, sizeof text, "%s%s%s", have, *have ? "; " : "", more);
    return dc_pool_adds(note, j->names, text);
}

/* What is to be known about a pair: which of several executions, what its types are worth. */
static dc_status note_pair(dc_pair *p, job *j, const dc_choice *ch, const dc_tensor *t,
                           uint64_t index)
{
    char text[128];
    uint64_t file = dc_choices_file(&j->choices, ch, index);
    const dc_golden_head *h = dc_choices_head(&j->choices, file);
    dc_status st = add_note(&p->note, j, dc_pool_text(j->names, ch->note));
    if (st == DC_OK && h->void_type) {
        snprintf(text, sizeof text, "the golden's type has lost its name: %s is assumed",
                 dc_dtype_get(h->dtype)->name);
        st = add_note(&p->note, j, text);
    }
    if (st == DC_OK && t->dtype == DC_BFLOAT16 && h->dtype == DC_FLOAT16)
        st = add_note(&p->note, j,
                      "tfdbg_ascend labels bfloat16 as float16: the golden may be of that kind");
    j->line_note = p->note;
    if (st != DC_OK || ch->n < 2)
        return st;
    snprintf(text, sizeof text, "golden %" PRIu64 " of %u by time", index + 1, ch->n);
    if ((st = add_note(&p->note, j, text)) != DC_OK)
        return st;
    snprintf(text, sizeof text, "%u goldens of this name, in order of time", ch->n);
    return add_note(&j->line_note, j, text);
}

static uint8_t layout(const job *j, const dc_opmap_want *w, const dc_golden_head *h)
{
    dc_shape logical, golden;
    if (w->shape == DC_NO_STR ||
        dc_shape_parse(&logical, dc_pool_text(j->names, w->shape)) != DC_OK ||
        dc_shape_parse(&golden, dc_pool_text(j->names, h->text)) != DC_OK)
        return (uint8_t)w->format;
    return (uint8_t)dc_opmap_correct_format(w->format, &logical, &golden);
}

/* A golden that is not there; it would be execution `index`. */
static dc_status missing(dc_pair *p, job *j, const dc_choice *ch, uint64_t index)
{
    const dc_opmap_want *w = dc_wants_get(&j->wants, ch->want);
    const dc_listed_dir *dir = &j->dirs->dir[ch->dir];
    const char *label = dc_pool_text(j->names, w->label);
    char text[TEXT];
    if (dir->status == DC_ENOENT)
        snprintf(text, sizeof text, "the golden directory of this rank and step is missing");
    else if (dir->status != DC_OK)
        snprintf(text, sizeof text, "the golden directory of this rank and step cannot be read");
    else if (ch->n)
        snprintf(text, sizeof text, "the golden has %u %s of %s, this is number %" PRIu64, ch->n,
                 dc_word(ch->n, "execution", "executions"), label, index + 1);
    else if (w->reason) /* the map has said what a name like this is worth */
        snprintf(text, sizeof text, "%s", dc_pool_text(j->names, w->reason));
    else
        snprintf(text, sizeof text, "no golden file is called like %s", label);
    return because(p, j, (dc_pairing)w->missing, text);
}

/* Nothing tells which of the golden's executions is meant. */
static dc_status unclear(dc_pair *p, job *j, const dc_choice *ch, uint64_t steps)
{
    char text[TEXT];
    snprintf(text, sizeof text,
             "the golden directory has %u executions of %s for %" PRIu64
             " steps: a step map or a directory for each step would tell which is whose",
             ch->n, dc_pool_text(j->names, dc_wants_get(&j->wants, ch->want)->label), steps);
    return because(p, j, DC_AMBIGUOUS, text);
}

/* The golden of a tensor that is not compared is not left over. */
static void take_golden(job *j, const dc_choice *ch, uint64_t i)
{
    uint64_t index, steps, file = UINT64_MAX;
    uint32_t runs = dc_op_walk_at(&j->ops, i)->runs;
    if (ch->state != DC_CHOICE_AMBIGUOUS &&
        dc_executions_find(&index, &steps, &j->executions, &j->npu->row[i], runs, ch->n))
        file = dc_choices_file(&j->choices, ch, index);
    if (file != UINT64_MAX)
        j->used[file] = 1;
}

static dc_status decide_row(job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    dc_pair *p = &j->out->pairs.pair[i];
    j->line_note = p->note;
    j->unread = false;
    if (p->golden == DC_UNPAIRED)
        return DC_OK;
    const dc_choice *ch = &j->choices.choice[p->golden];
    const dc_opmap_want *w = dc_wants_get(&j->wants, ch->want);
    p->golden = DC_UNPAIRED;
    if (p->pairing != DC_PAIRED) {
        take_golden(j, ch, i);
        return DC_OK;
    }
    if (ch->state == DC_CHOICE_AMBIGUOUS) {
        p->reason = ch->note;
        p->pairing = DC_AMBIGUOUS;
        return DC_OK;
    }
    uint64_t index, steps;
    uint32_t runs = dc_op_walk_at(&j->ops, i)->runs;
    if (!dc_executions_find(&index, &steps, &j->executions, t, runs, ch->n))
        return unclear(p, j, ch, steps);
    uint64_t file = dc_choices_file(&j->choices, ch, index);
    if (file == UINT64_MAX)
        return missing(p, j, ch, index);
    const dc_golden_head *h = dc_choices_head(&j->choices, file);
    j->used[file] = 1;
    if (h->status != DC_OK) {
        p->reason = h->text;
        p->pairing = DC_NOT_COMPARABLE;
        j->unread = true;
        return DC_OK;
    }
    p->reason = 0;
    p->format = layout(j, w, h);
    dc_status st = note_pair(p, j, ch, t, index);
    return st == DC_OK ? golden_entry(&p->golden, j, file, w) : st;
}

/* Count the row under its line; label: what it was looked for as. */
static dc_status count_row(job *j, uint64_t i, uint32_t label)
{
    const dc_tensor *t = &j->npu->row[i];
    const dc_pair *p = &j->out->pairs.pair[i];
    j->out->count[p->pairing]++;
    if (p->pairing == DC_NOT_CHOSEN)
        return DC_OK;
    dc_line_key key = {.model = t->model,
                       .op = t->op,
                       .op_type = t->op_type,
                       .golden = label,
                       .reason = p->reason,
                       .note = j->line_note,
                       .slot = t->slot,
                       .direction = t->direction,
                       .pairing = p->pairing,
                       .match = p->match};
    const dc_line_tally one = {.count = 1, .rank = t->rank, .step = t->step};
    if (p->pairing == DC_NOT_EXPECTED)
        key.golden = 0; /* only a guess of a name */
    if (j->unread) {    /* not a line for every rank's own file */
        dc_status st = dc_pool_adds(&key.reason, j->names, "its golden file cannot be read");
        if (st != DC_OK)
            return st;
    }
    return dc_lines_add(&j->lines, &key, &one);
}

static dc_status decide(job *j)
{
    uint64_t files = j->dirs->files;
    j->golden_of = malloc((files + 1) * sizeof *j->golden_of);
    j->used = calloc(files + 1, 1);
    if (!j->golden_of || !j->used)
        return dc_fail_memory();
    memset(j->golden_of, 0xff, (files + 1) * sizeof *j->golden_of);
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < j->npu->n; i++) {
        uint32_t choice = j->out->pairs.pair[i].golden;
        uint32_t label = 0;
        if (choice != DC_UNPAIRED)
            label = dc_wants_get(&j->wants, j->choices.choice[choice].want)->label;
        st = decide_row(j, i);
        if (st == DC_OK)
            st = count_row(j, i, label);
    }
    return st;
}

static dc_status begin(job *j)
{
    dc_pairs *pairs = &j->out->pairs;
    dc_status st = dc_pairs_begin(pairs, j->npu->n);
    j->names = pairs->names;
    j->dirs = &pairs->dirs;
    if (st == DC_OK)
        st = dc_golden_dirs_begin(j->dirs, j->ask->golden, j->ask->steps);
    if (st == DC_OK)
        st = dc_wants_begin(&j->wants, j->names, &j->ask->graphs);
    j->wants.ignore = j->ask->ignore;
    if (st == DC_OK)
        st = dc_choices_begin(&j->choices, j->dirs, &j->wants, j->names);
    return st == DC_OK ? dc_lines_begin(&j->lines, j->names) : st;
}

static void end(job *j)
{
    dc_lines_fini(&j->lines);
    dc_choices_fini(&j->choices);
    dc_wants_fini(&j->wants);
    dc_executions_fini(&j->executions);
    dc_buf_free(&j->messages);
    free(j->golden_of);
    free(j->used);
}

dc_status dc_align_files(dc_alignment *out, const dc_align_ask *ask, const dc_par *par)
{
    *out = (dc_alignment){0};
    job j = {.ask = ask, .npu = ask->npu, .out = out};
    dc_status st = dc_op_walk_begin(&j.ops, j.npu, begin(&j), par);
    j.executions = (dc_executions){.steps = ask->steps, .uses = j.dirs->uses};
    st = dc_executions_begin(&j.executions, j.npu, ask->chosen, st, par);
    if (st == DC_OK)
        st = survey(&j);
    st = dc_dir_askers_count(out, &j.messages, j.dirs, st, par);
    if (st == DC_OK)
        st = dc_choices_decide(&j.choices, par);
    if (st == DC_OK) {
        st = decide(&j);
        const dc_unused_ask left = {j.dirs, j.used};
        out->unused_unknown = ask->some_ops;
        st = ask->some_ops ? dc_par_agree(st, par)
                           : dc_unused_collect(out, &j.lines, &left, st, par);
    }
    if (st == DC_OK)
        st = dc_align_report(out, &j.lines, &j.messages, ask, par);
    end(&j);
    if (st != DC_OK)
        dc_alignment_fini(out);
    return st;
}
