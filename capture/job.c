/* capture/job.c - see job.h */
#include "capture/job.h"

#include "capture/choose.h"
#include "capture/ingest.h"
#include "capture/plan.h"
#include "capture/skipped_text.h"
#include "capture/summary_text.h"
#include "capture/verify.h"
#include "capture/view.h"
#include "io/interrupt.h"
#include "io/log.h"
#include "io/word.h"
#include "mpi/merge.h"
#include "mpi/pstore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct job {
    const dc_capture_options *o;
    const dc_par *par;
    dc_pstore pstore;
    dc_choice choice;
    dc_merge stores; /* of a merge */
    dc_catalog catalog;
    dc_plan plan;
    dc_store *store; /* the .part, open for reading */
    dc_capture_summary sum;
    bool claimed, created; /* created: the .part can be resumed */
    bool counted;          /* sum says what is stored */
} job;

/* Collective. */
static dc_status scan(job *j)
{
    const dc_roots *roots = &j->choice.roots;
    const dc_scan_ask ask = {.root = roots->root,
                             .roots = roots->n,
                             .run_window = j->o->run_window,
                             .mixed = j->o->mixed,
                             .original_path = j->o->original_path,
                             .filter = dc_choice_filter(&j->choice)};
    const char *unasked = j->o->config ? "" : j->choice.config.file;
    if (j->par->process == 0)
        dc_info("scanning %s%s%s%s", roots->root[0].path, roots->n > 1 ? " and others" : "",
                *unasked ? ", selected by ./" : "", unasked);
    dc_status st = dc_catalog_scan(&j->catalog, &ask, j->par);
    if (st != DC_OK || !dc_choice_again(&j->choice, j->par))
        return st;
    dc_catalog_fini(&j->catalog);
    return dc_catalog_scan(&j->catalog, &ask, j->par);
}

/* Everything a new capture decides before it creates anything. Collective. */
static dc_status decide(job *j)
{
    dc_status st = dc_par_agree(dc_choice_make(&j->choice, j->o), j->par);
    if (st != DC_OK)
        return st;
    st = scan(j);
    for (uint64_t i = 0; st == DC_OK && j->o->stats_only && i < j->catalog.n; i++)
        j->catalog.row[i].flags |= DC_TENSOR_STATISTICS;
    if (st == DC_OK)
        st = dc_choice_report(&j->sum.assumed, &j->choice, j->par);
    if (st == DC_OK && j->par->process == 0)
        dc_summary_cost(&j->catalog.cost);
    if (st == DC_OK)
        st = dc_summary_scanned(&j->sum, &j->catalog, j->par);
    if (st == DC_OK && j->catalog.total + j->catalog.overflows == 0)
        st = dc_fail(DC_EARG, "nothing to store: %" PRIu64 " %s seen, none selected%s%s",
                     j->catalog.files, dc_word(j->catalog.files, "file", "files"),
                     j->catalog.faults ? "; some could not be read" : "",
                     j->catalog.files && j->o->op.n && j->o->type.n
                         ? "; --op and --type must fit the same operator"
                         : "");
    if (st == DC_OK && dc_interrupted())
        st = dc_fail(DC_EINTERRUPTED, "interrupted");
    return dc_par_agree(st, j->par);
}

static bool merging(const job *j)
{
    return j->o->rest.command == DC_CMD_MERGE;
}

/* Everything a merge decides before it creates anything. Collective. */
static dc_status decide_merge(job *j)
{
    dc_status st = dc_merge_open(&j->stores, &j->catalog, (const char *const *)j->o->rest.argument,
                                 j->o->rest.n, j->par);
    if (st != DC_OK)
        return st;
    char *text = dc_store_attribute(j->stores.store[0], "configuration");
    st = dc_buf_puts(&j->choice.configuration, text ? text : "");
    if (st == DC_OK)
        st = dc_buf_add(&j->choice.configuration, "", 1);
    free(text);
    st = dc_par_agree(st, j->par);
    return st == DC_OK ? dc_summary_scanned(&j->sum, &j->catalog, j->par) : st;
}

/* Close *s; the first failure counts, with its message. */
static dc_status close_store(dc_store **s, dc_status st)
{
    char text[2048];
    snprintf(text, sizeof text, "%s", dc_last_error());
    dc_status closed = dc_store_close(*s);
    *s = NULL;
    return st == DC_OK ? closed : dc_set_error(st, text);
}

static void holder_name(char *text, size_t size)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    snprintf(text, size, "host %s, pid %ld", host, (long)getpid());
}

/* Write the plan into the new store. Collective. */
static dc_status put_plan(job *j, dc_store *s)
{
    dc_status st = dc_store_put_rows(s, j->plan.row, j->plan.first_row, j->plan.n);
    if (st == DC_OK && (j->plan.groups || j->par->process == 0))
        st = dc_store_put_groups(s, j->plan.group_row, j->plan.group_bytes, j->plan.first_group,
                                 j->plan.groups);
    if (st == DC_OK && j->par->process == 0) {
        st = dc_store_put_skipped(s, j->catalog.skipped, 0, j->catalog.nskipped);
        if (st == DC_OK)
            st = dc_store_put_overflows(s, j->catalog.overflow, 0, j->catalog.overflows);
        if (st == DC_OK)
            st = dc_store_put_strings(s, j->catalog.names);
    }
    return dc_par_agree(st, j->par);
}

/* Process 0 alone, through the serial driver: views, and the mark that the plan is whole. */
static dc_status finish_plan(const job *j)
{
    dc_store *s = NULL;
    uint64_t made = 0;
    dc_status st = dc_store_open_new(&s, j->pstore.part);
    if (st == DC_OK && !j->o->no_views && dc_store_rows(s) <= DC_VIEW_LIMIT)
        st = dc_view_make(&made, s, NULL);
    if (st == DC_OK)
        st = close_store(&s, DC_OK); /* all of it is in the file before the mark is */
    if (st == DC_OK)
        st = dc_pstore_sync(&j->pstore);
    if (st == DC_OK)
        st = dc_store_open_new(&s, j->pstore.part);
    if (st == DC_OK)
        st = dc_store_finish_plan(s);
    return close_store(&s, st);
}

/* Create the .part with its plan, closed and whole: from now on a kill loses nothing that is
 * marked. Collective. */
static dc_status create(job *j)
{
    dc_store *s = NULL;
    char text[32768]; /* attributes are written by all: the same text everywhere */
    char holder[300];
    holder_name(holder, sizeof holder);
    snprintf(text, sizeof text, "%s", j->sum.command_line ? j->sum.command_line : "");
    dc_par_bcast(holder, sizeof holder, 0, j->par);
    dc_par_bcast(text, sizeof text, 0, j->par);
    dc_status st = dc_plan_make(&j->plan, &j->catalog, j->stores.from, j->o->align, j->par);
    if (st != DC_OK)
        return st;
    j->plan.store.holder = holder;
    j->plan.store.configuration = j->choice.configuration.data;
    j->plan.store.command_line = text;
    j->plan.store.merged = j->stores.n;
    st = dc_pstore_check_space(&j->pstore, dc_summary_store_bytes(&j->plan.store), j->par);
    if (st == DC_OK)
        st = dc_pstore_create(&s, &j->pstore, &j->plan.store, j->par);
    if (st == DC_OK)
        st = put_plan(j, s);
    st = dc_par_agree(close_store(&s, st), j->par);
    if (st == DC_OK)
        st = dc_par_agree(j->par->process == 0 ? finish_plan(j) : DC_OK, j->par);
    j->created = st == DC_OK;
    j->plan.store.holder = j->plan.store.configuration = j->plan.store.command_line = NULL;
    return st;
}

/* Rows in the file do not say where a merge reads: its stores have to be given again. */
static dc_status check_kind(const job *j, const dc_store *s)
{
    uint64_t merged = dc_store_merged(s);
    if (merged && !merging(j))
        return dc_fail(DC_EARG,
                       "%s: is a merge of %" PRIu64 " %s; continue it with dumpcap merge --resume "
                       "STORE... -o %s",
                       j->pstore.part, merged, dc_word(merged, "store", "stores"), j->pstore.path);
    if (!merged && merging(j))
        return dc_fail(DC_EARG, "%s: is no merge; continue it with dumpcap --resume -o %s",
                       j->pstore.part, j->pstore.path);
    return DC_OK;
}

/* Take the plan from an interrupted capture, or see that it is still the merge's. Collective. */
static dc_status take_up(job *j)
{
    char holder[300];
    dc_store *s = NULL;
    dc_status st = DC_OK;
    holder_name(holder, sizeof holder);
    if (j->par->process == 0) {
        st = dc_store_open(&s, j->pstore.part, true);
        if (st == DC_EFORMAT)
            st = dc_fail(st, "%s; --force starts anew", dc_last_error());
        if (st == DC_OK)
            st = check_kind(j, s);
        if (st == DC_OK && !merging(j))
            st = dc_skipped_recall(&j->sum.skipped, &j->sum.faults, s);
        if (st == DC_OK)
            st = dc_store_set_holder(s, holder);
        st = close_store(&s, st);
    }
    st = dc_par_agree(st, j->par);
    if (!merging(j))
        dc_par_bcast(&j->sum.faults, sizeof j->sum.faults, 0, j->par);
    j->created = st == DC_OK;
    return st;
}

/* A merge's plan, made again, must be what the file has. Collective. */
static dc_status plan_again(job *j)
{
    dc_status st = dc_plan_make(&j->plan, &j->catalog, j->stores.from, j->o->align, j->par);
    return st == DC_OK ? dc_plan_check(&j->plan, j->catalog.names, j->store, j->par) : st;
}

/* Bytes and marks. Collective. */
static dc_status write_data(job *j)
{
    dc_status st = dc_par_agree(dc_store_open(&j->store, j->pstore.part, false), j->par);
    if (st == DC_OK && j->o->resume)
        st = merging(j) ? plan_again(j) : dc_plan_load(&j->plan, j->store, j->par->process, j->par);
    if (st == DC_OK)
        st = dc_pstore_begin_data(&j->pstore, j->par);
    if (st == DC_OK)
        st = dc_pstore_reserve(&j->pstore, j->par);
    if (st != DC_OK)
        return st;
    j->sum.planned = dc_store_rows(j->store);
    const dc_ingest in = {.plan = &j->plan,
                          .store = j->store,
                          .names = dc_store_names(j->store),
                          .stores = &j->stores,
                          .fd = j->pstore.fd,
                          .piece = j->o->piece,
                          .resume = j->o->resume,
                          .progress = (dc_progress_mode)j->o->progress};
    dc_ingest_count count;
    st = dc_ingest_run(&count, &in, j->par);
    dc_summary_ingested(&j->sum, &count, j->par);
    j->counted = true;
    if (st == DC_OK || st == DC_EINTERRUPTED) {
        dc_status synced = dc_pstore_sync(&j->pstore);
        st = synced == DC_OK ? st : synced;
    }
    return dc_par_agree(st, j->par);
}

/* Each process checks what another one wrote. Collective. */
static dc_status verify(job *j)
{
    dc_plan other = {0};
    dc_verify_count count = {0};
    dc_status st =
        dc_plan_load(&other, j->store, (j->par->process + 1) % j->par->processes, j->par);
    if (st == DC_OK)
        st = dc_par_agree(dc_verify_run(&count, j->store, &other, j->pstore.fd,
                                        (dc_progress_mode)j->o->progress, j->par),
                          j->par);
    dc_plan_fini(&other);
    dc_par_sum_u64(&count.bad, 1, j->par);
    j->sum.stored -= count.bad;
    if (st == DC_OK && count.bad)
        st = dc_fail(DC_EIO, "%s: %" PRIu64 " %s did not read back as written", j->pstore.part,
                     count.bad, dc_word(count.bad, "tensor", "tensors"));
    return st;
}

/* Process 0 alone, through the serial driver: the mark. */
static dc_status finish_store(const job *j)
{
    dc_store *s = NULL;
    dc_status st = dc_store_open(&s, j->pstore.part, true);
    if (st == DC_OK && j->sum.unreadable)
        st = dc_view_drop_unreadable(s);
    if (st == DC_OK)
        st = dc_store_finish(s);
    return close_store(&s, st);
}

/* Collective. */
static dc_status publish(job *j)
{
    dc_status st = j->o->verify ? verify(j) : DC_OK;
    st = dc_par_agree(close_store(&j->store, st), j->par);
    if (st == DC_OK)
        st = dc_par_agree(j->par->process == 0 ? finish_store(j) : DC_OK, j->par);
    return st == DC_OK ? dc_pstore_publish(&j->pstore, j->par) : st;
}

static dc_status run(job *j)
{
    const dc_pstore_ask ask = {j->o->output, j->o->resume, j->o->force};
    dc_status st = dc_capture_options_check(j->o);
    if (st == DC_OK && !j->o->dry_run) {
        st = dc_pstore_claim(&j->pstore, &ask, j->par);
        j->claimed = st == DC_OK;
    }
    if (st == DC_OK)
        st = j->o->resume ? take_up(j) : DC_OK;
    if (st == DC_OK && merging(j))
        st = decide_merge(j);
    else if (st == DC_OK && !j->o->resume)
        st = decide(j);
    if (st == DC_OK && j->o->dry_run)
        return dc_summary_dry(&j->sum, &j->catalog, j->choice.select, j->par);
    if (st == DC_OK && !j->o->resume)
        st = create(j);
    if (st == DC_OK)
        st = write_data(j);
    if (st == DC_OK)
        st = dc_summary_stored(&j->sum, &j->plan, dc_store_names(j->store), j->par);
    return st == DC_OK ? publish(j) : st;
}

/* The one line about a failure. */
static void explain(const job *j, dc_status st)
{
    if (st == DC_EINTERRUPTED && !j->created)
        dc_error("interrupted before anything was stored");
    else if (st == DC_EINTERRUPTED)
        dc_error("interrupted, %" PRIu64 " of %" PRIu64 " %s stored in %s, continue with --resume",
                 j->sum.stored, j->sum.planned, dc_word(j->sum.planned, "tensor", "tensors"),
                 j->pstore.part);
    else if (j->created && j->counted)
        dc_error("%s; %" PRIu64 " %s stored in %s, continue with --resume", dc_last_error(),
                 j->sum.stored, dc_word(j->sum.stored, "tensor is", "tensors are"), j->pstore.part);
    else if (j->created)
        dc_error("%s; what %s holds is kept, continue with --resume", dc_last_error(),
                 j->pstore.part);
    else
        dc_error("%s", dc_last_error());
}

static int conclude(job *j, dc_status st)
{
    bool first = j->par->process == 0;
    if (st != DC_OK && first)
        explain(j, st);
    if (st != DC_OK)
        return DC_EXIT_FAILED;
    if (first && !j->o->dry_run)
        dc_summary_print(&j->sum, j->pstore.path);
    if (j->sum.stored + j->plan.store.overflows == 0 && !j->o->dry_run)
        return DC_EXIT_FAILED;
    return j->sum.faults || j->sum.unreadable || j->sum.census.cut ? DC_EXIT_PART : DC_EXIT_OK;
}

int dc_job_capture(const dc_capture_options *o, const dc_par *par)
{
    job j = {.o = o, .par = par, .pstore = {.lock = -1, .fd = -1}};
    dc_interrupt_setup();
    dc_summary_begin(&j.sum);
    dc_status st = run(&j);
    int code = conclude(&j, st);
    if (dc_store_close(j.store) != DC_OK)
        code = DC_EXIT_FAILED;
    dc_plan_fini(&j.plan);
    dc_catalog_fini(&j.catalog);
    dc_merge_close(&j.stores);
    dc_choice_fini(&j.choice);
    dc_summary_fini(&j.sum);
    if (j.claimed)
        dc_pstore_fini(&j.pstore, st != DC_OK && !j.created);
    return code;
}
