/* capture/command.c - dumpcap's serial commands: ls, verify, views. See job.h. */
#include "capture/export.h"
#include "capture/job.h"
#include "capture/list.h"
#include "capture/show.h"
#include "capture/unmatched.h"
#include "capture/verify.h"
#include "capture/view.h"
#include "io/log.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>

static dc_status verify_store(bool *differs, const char *path, const dc_capture_options *o)
{
    dc_par alone;
    dc_store *s = NULL;
    dc_plan plan = {0};
    dc_verify_count count = {0};
    dc_par_single(&alone);
    dc_status st = dc_store_open(&s, path, false);
    if (st == DC_OK)
        st = dc_plan_load(&plan, s, 0, &alone);
    if (st == DC_OK)
        st = dc_verify_run(&count, s, &plan, -1, (dc_progress_mode)o->progress, &alone);
    if (st == DC_OK)
        printf("%s: %" PRIu64 " %s good, %" PRIu64 " bad, %" PRIu64 " not stored, %" PRIu64
               " with an unreadable source\n",
               path, count.good, dc_word(count.good, "tensor", "tensors"), count.bad, count.pending,
               count.unreadable);
    *differs = count.bad || count.pending || count.unreadable;
    dc_plan_fini(&plan);
    dc_status closed = dc_store_close(s);
    return st == DC_OK ? closed : st;
}

static dc_status make_views(const char *path, const char *glob)
{
    dc_store *s = NULL;
    uint64_t made = 0;
    dc_status st = dc_store_open(&s, path, true);
    if (st == DC_OK)
        st = dc_view_make(&made, s, glob);
    dc_status closed = dc_store_close(s);
    st = st == DC_OK ? closed : st;
    if (st == DC_OK && made == 0 && glob)
        st = dc_unmatched(path, glob);
    if (st == DC_OK)
        printf("%s: %" PRIu64 " %s made\n", path, made, dc_word(made, "view", "views"));
    return st;
}

static dc_status export_tensors(bool *partly, const char *from, const char *glob,
                                const dc_capture_options *o)
{
    const dc_export_ask ask = {from, glob, o->output, (dc_export_kind)o->as, o->layout, o->force};
    dc_export_count count;
    if (!o->output)
        return dc_fail(DC_EARG, "give the directory to write to: dumpcap export %s -o DIR", from);
    dc_status st = dc_export(&count, &ask);
    if (st == DC_OK)
        printf("%s: %" PRIu64 " %s, %.3f MB, in %" PRIu64 " %s\n", o->output, count.tensors,
               dc_word(count.tensors, "tensor", "tensors"), (double)count.bytes / 1e6, count.files,
               dc_word(count.files, "file", "files"));
    if (st == DC_OK && count.failed)
        printf("%" PRIu64 " %s could not be exported\n", count.failed,
               dc_word(count.failed, "tensor", "tensors"));
    *partly = count.failed != 0;
    return st;
}

/* Commands that need a store or file, and how many arguments may follow it. */
static dc_status check_arguments(const dc_capture_options *o)
{
    static const struct {
        const char *name, *what;
        size_t most;
    } command[] = {[DC_CMD_LS] = {"ls", "store", 2},
                   [DC_CMD_SHOW] = {"show", "store or file", 2},
                   [DC_CMD_EXPORT] = {"export", "store or file", 2},
                   [DC_CMD_VERIFY] = {"verify", "store", 1},
                   [DC_CMD_VIEWS] = {"views", "store", 2}};
    size_t most = command[o->rest.command].most;
    if (o->rest.n == 0)
        return dc_fail(DC_EARG, "give the %s: dumpcap %s STORE", command[o->rest.command].what,
                       command[o->rest.command].name);
    if (o->rest.n > most)
        return dc_fail(DC_EARG, "'%s': one argument too many", o->rest.argument[most]);
    return DC_OK;
}

int dc_job_command(const dc_capture_options *o)
{
    bool differs = false;
    const char *store = o->rest.n ? o->rest.argument[0] : NULL,
               *glob = o->rest.n > 1 ? o->rest.argument[1] : NULL;
    dc_status st = check_arguments(o);
    if (st == DC_OK && o->rest.command == DC_CMD_LS)
        st = dc_list_store(store, glob, o);
    else if (st == DC_OK && o->rest.command == DC_CMD_SHOW)
        st = dc_show(store, glob);
    else if (st == DC_OK && o->rest.command == DC_CMD_EXPORT)
        st = export_tensors(&differs, store, glob, o);
    else if (st == DC_OK && o->rest.command == DC_CMD_VERIFY)
        st = verify_store(&differs, store, o);
    else if (st == DC_OK)
        st = make_views(store, glob);
    if (st != DC_OK)
        dc_error("%s", dc_last_error());
    return st != DC_OK ? DC_EXIT_FAILED : differs ? DC_EXIT_PART : DC_EXIT_OK;
}
