/* compare/dumpcmp_main.c - dumpcmp: compare dumped tensors with a reference, name the first bad
 * operator. */
#include "compare/session.h"
#include "io/log.h"
#include "mpi/versions.h"

#include <stdio.h>

static dc_log_level level_of(const dc_settings *s)
{
    return s->quiet ? DC_LOG_WARN : s->verbose ? DC_LOG_DEBUG : DC_LOG_INFO;
}

/* One message, whoever else has the same fault. */
static int fail(const dc_par *par)
{
    if (par->process == 0)
        dc_error("%s", dc_last_error());
    return 2;
}

static int refuse(dc_par *par)
{
    char why[2048];
    snprintf(why, sizeof why, "%s", dc_last_error());
    if (dc_par_begin(par) == DC_OK) /* only to know who is to speak */
        (void)dc_set_error(DC_EARG, why);
    return fail(par);
}

int main(int argc, char **argv)
{
    dc_settings s;
    dc_par par;
    int code = 0;
    dc_par_single(&par);
    dc_log_setup("dumpcmp", 0, 1, DC_LOG_INFO);
    if (dc_settings_parse(&s, argc, argv) != DC_OK) {
        code = refuse(&par);
    } else if (s.help || s.version) {
        dc_status st = s.help ? dc_settings_help() : dc_versions_print("dumpcmp");
        code = st == DC_OK ? 0 : fail(&par);
    } else if (dc_par_begin(&par) != DC_OK) {
        code = fail(&par);
    } else {
        dc_log_setup("dumpcmp", par.process, par.processes, level_of(&s));
        code = dc_session_run(&s, &par);
    }
    dc_settings_fini(&s);
    return dc_par_end(&par, code);
}
