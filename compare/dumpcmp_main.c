/* compare/dumpcmp_main.c - dumpcmp: compare dumped tensors with a reference, name the first bad
 * operator. */
#include "compare/session.h"
#include "io/log.h"
#include "mpi/versions.h"

static dc_log_level level_of(const dc_settings *s)
{
    return s->quiet ? DC_LOG_WARN : s->verbose ? DC_LOG_DEBUG : DC_LOG_INFO;
}

static int fail(void)
{
    dc_error("%s", dc_last_error());
    return 2;
}

int main(int argc, char **argv)
{
    dc_settings s;
    dc_par par;
    int code = 0;
    dc_par_single(&par);
    dc_log_setup("dumpcmp", 0, 1, DC_LOG_INFO);
    dc_status st = dc_settings_parse(&s, argc, argv);
    if (st == DC_OK && s.help)
        st = dc_settings_help();
    else if (st == DC_OK && s.version)
        st = dc_versions_print("dumpcmp");
    else if (st == DC_OK)
        st = dc_par_begin(&par);
    if (st != DC_OK) {
        code = fail();
    } else if (!s.help && !s.version) {
        dc_log_setup("dumpcmp", par.process, par.processes, level_of(&s));
        code = dc_session_run(&s, &par);
    }
    dc_settings_fini(&s);
    return dc_par_end(&par, code);
}
