/* compare/session.c - see session.h */
#include "compare/session.h"

#include "compare/across.h"
#include "compare/chosen.h"
#include "compare/cut.h"
#include "compare/graphs.h"
#include "compare/peer.h"
#include "compare/report.h"
#include "compare/rnn_sizes.h"
#include "compare/run.h"
#include "compare/shard.h"
#include "compare/sources.h"
#include "io/log.h"
#include "io/word.h"

#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_MESSAGES 20

typedef struct session {
    const dc_settings *s;
    const dc_par *par;
    dc_sources in;
    dc_chosen chosen;
    dc_graphs graphs;
    dc_alignment alignment;
    dc_rows rows;
    dc_outcome outcome;
    dc_across across;
    dc_buf across_text;
} session;

static void session_fini(session *w)
{
    dc_buf_free(&w->across_text);
    dc_across_fini(&w->across);
    dc_outcome_fini(&w->outcome);
    dc_rows_fini(&w->rows);
    dc_alignment_fini(&w->alignment);
    dc_graphs_fini(&w->graphs);
    dc_chosen_fini(&w->chosen);
    dc_sources_fini(&w->in);
}

/* What alignment has to tell, from process 0. */
static void tell_messages(const dc_alignment *a)
{
    for (uint64_t i = 0; i < a->messages && i < MOST_MESSAGES; i++)
        dc_warn("%s", dc_pool_text(a->text, a->message[i]));
    if (a->messages > MOST_MESSAGES)
        dc_warn("and %" PRIu64 " more %s of this kind", a->messages - MOST_MESSAGES,
                dc_word(a->messages - MOST_MESSAGES, "message", "messages"));
}

static dc_status align(session *w)
{
    const dc_align_ask ask = {
        .npu = &w->in.npu,
        .chosen = w->chosen.npu,
        .golden = w->s->golden,
        .steps = &w->s->steps,
        .graphs = w->s->ignore >> DC_MATCH_GRAPH & 1 ? (dc_align_graphs){0}
                                                     : dc_graphs_finder(&w->graphs),
        .ignore = w->s->ignore,
        .some_ops = w->s->op.n + w->s->type.n + w->s->exclude.n + w->s->exclude_type.n != 0,
    };
    dc_status st = w->in.golden_is_catalog ? dc_align_catalogs(&w->alignment, &ask, &w->in.golden,
                                                               w->chosen.golden, w->par)
                                           : dc_align_files(&w->alignment, &ask, w->par);
    if (st == DC_OK)
        tell_messages(&w->alignment);
    return st;
}

static dc_status compare(session *w)
{
    const dc_run_ask ask = {
        .npu = &w->in.npu,
        .pairs = &w->alignment.pairs,
        .profile = w->s->profile,
        .no_kl = !(w->s->metrics >> DC_METRIC_KL & 1),
        .golden_dtype = w->s->golden_dtype,
        .uint1_msb = w->s->uint1_msb,
        .progress = (dc_progress_mode)w->s->progress,
    };
    dc_status st = dc_run_compare(&w->rows, &ask, w->par);
    if (st != DC_OK)
        return st;
    uint64_t suspicious = dc_rows_suspicious(&w->rows);
    dc_par_sum_u64(&suspicious, 1, w->par);
    if (suspicious && w->par->process == 0)
        dc_warn("%" PRIu64 " bfloat16 tensors have goldens that say float16: if these were saved "
                "by a library without bfloat16, give --golden-dtype bfloat16",
                suspicious);
    return DC_OK;
}

static dc_status judge(session *w)
{
    dc_first_bad first = {0};
    const dc_feeds feeds = dc_graphs_feeds(&w->graphs);
    const dc_align_graphs graphs = dc_graphs_finder(&w->graphs);
    dc_status st = dc_rows_number(&w->rows, w->par);
    if (st == DC_OK)
        st = dc_first_bad_find(&first, &w->rows, &feeds, w->par);
    if (st == DC_OK)
        st = dc_rows_sort(&w->rows, w->par);
    const dc_outcome_ask ask = {&w->rows, &first, &graphs};
    if (st == DC_OK)
        st = dc_outcome_make(&w->outcome, &ask, w->par);
    return st;
}

/* Everything that is about goldens. */
static dc_status with_golden(session *w)
{
    const dc_align_graphs graphs = dc_graphs_finder(&w->graphs);
    const dc_shard_ask shards = {&w->in.npu, w->s->shard.item, w->s->shard.n};
    dc_status st = align(w);
    if (st == DC_OK && !w->in.golden_is_catalog)
        st = dc_cut_apply(&w->alignment.pairs, &w->in.npu, w->par);
    if (st == DC_OK && shards.n)
        st = dc_shard_apply(&w->alignment.pairs, &shards, w->par);
    if (st == DC_OK)
        st = dc_par_agree(dc_rnn_sizes_apply(&w->alignment.pairs, &w->in.npu, &graphs), w->par);
    if (st == DC_OK)
        st = dc_par_agree(dc_peer_settle(&w->alignment.pairs, &w->in.npu), w->par);
    if (st == DC_OK)
        st = compare(w);
    return st == DC_OK ? judge(w) : st;
}

static dc_status across_ranks(session *w)
{
    const dc_align_graphs graphs = dc_graphs_finder(&w->graphs);
    const dc_across_ask ask = {
        .npu = &w->in.npu,
        .chosen = w->chosen.npu,
        .graphs = &graphs,
        .groups = w->s->groups.n ? &w->s->groups : NULL,
        .replicated = w->s->replicated.item,
        .nreplicated = w->s->replicated.n,
        .profile = w->s->profile,
        .metrics = w->s->metrics,
        .progress = (dc_progress_mode)w->s->progress,
        .excel = w->s->excel,
    };
    dc_status st = dc_across_run(&w->across, &ask, w->par);
    if (st == DC_OK)
        st = dc_across_print(&w->across_text, &w->across);
    if (st == DC_OK)
        st = dc_buf_add(&w->across_text, "", 1);
    w->outcome.across = w->across_text.data;
    w->outcome.alike = w->across.agreed;
    w->outcome.deviating = w->across.failed;
    w->outcome.undecided = w->across.missed;
    return dc_par_agree(st, w->par);
}

static dc_status report(session *w)
{
    const dc_report_ask ask = {
        .dir = w->s->out,
        .rows = w->s->golden ? &w->rows : NULL,
        .metrics = w->s->metrics,
        .excel = w->s->excel,
        .command = w->s->command,
        .outcome = &w->outcome,
        .alignment = &w->alignment,
        .ranks = w->s->across ? &w->across.file : NULL,
    };
    return dc_report_write(&ask, w->par);
}

static dc_status print_ranks_only(dc_buf *out, const session *w)
{
    dc_status st = dc_outcome_unreadable(out, &w->outcome);
    return st == DC_OK ? dc_buf_puts(out, w->outcome.across) : st;
}

/* The summary, from process 0. */
static dc_status print(const session *w)
{
    dc_buf text = {0};
    dc_status st = DC_OK;
    if (w->par->process == 0) {
        st = dc_buf_puts(&text, w->chosen.said);
        if (st == DC_OK && w->s->golden)
            st = dc_outcome_print(&text, &w->outcome, &w->alignment);
        else if (st == DC_OK)
            st = print_ranks_only(&text, w);
        if (st == DC_OK && (fwrite(text.data, 1, text.n, stdout) != text.n || fflush(stdout) != 0))
            st = dc_fail_errno("standard output");
        dc_buf_free(&text);
    }
    return dc_par_agree(st, w->par);
}

/* Tensors come and go by the megabyte: keep their pages, do not fault them in afresh each time. */
static void keep_pages(void)
{
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int dc_session_run(const dc_settings *s, const dc_par *par)
{
    session w = {.s = s, .par = par};
    keep_pages();
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is an error of write() */
    dc_status st = dc_sources_open(&w.in, s, par);
    if (st == DC_OK)
        st = dc_chosen_make(&w.chosen, &w.in, s, par);
    if (st == DC_OK)
        st = dc_par_agree(
            dc_graphs_init(&w.graphs, s->graph, w.in.npu.names, w.in.npu.n && w.in.npu.first == 0),
            par);
    if (st == DC_OK && s->golden)
        st = with_golden(&w);
    if (st == DC_OK && s->across)
        st = across_ranks(&w);
    w.outcome.unreadable = w.chosen.unreadable;
    if (st == DC_OK)
        st = report(&w);
    if (st == DC_OK)
        st = print(&w);
    int code = st == DC_OK ? dc_outcome_code(&w.outcome, s->exit_zero) : 2;
    if (st != DC_OK && par->process == 0)
        dc_error("%s", dc_last_error());
    session_fini(&w);
    return code;
}
