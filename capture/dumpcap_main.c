/* capture/dumpcap_main.c - dumpcap: gather dumped tensors of all ranks into one store. */
#include "capture/config.h"
#include "capture/job.h"
#include "io/log.h"
#include "mpi/versions.h"

static dc_log_level level_of(const dc_capture_options *o)
{
    return o->quiet ? DC_LOG_WARN : o->verbose ? DC_LOG_DEBUG : DC_LOG_INFO;
}

static int fail(void)
{
    dc_error("%s", dc_last_error());
    return DC_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    dc_capture_options o;
    dc_par par;
    int code = DC_EXIT_OK;
    dc_par_single(&par);
    dc_log_setup("dumpcap", 0, 1, DC_LOG_INFO);
    dc_status parsed = dc_capture_options_parse(&o, argc, argv);
    if (parsed == DC_OK && (o.help || o.version)) {
        if ((o.help ? dc_capture_options_help() : dc_versions_print("dumpcap")) != DC_OK)
            code = fail();
    } else if (parsed == DC_OK && o.rest.command != DC_CMD_CAPTURE &&
               o.rest.command != DC_CMD_MERGE) {
        dc_log_setup("dumpcap", 0, 1, level_of(&o));
        code = dc_job_command(&o);
    } else if (parsed == DC_OK && (o.check_config || o.print_config)) {
        dc_log_setup("dumpcap", 0, 1, level_of(&o));
        code = o.check_config ? dc_config_check(&o) : dc_config_print(&o);
    } else if (dc_par_begin(&par) != DC_OK) {
        code = fail();
    } else {
        dc_log_setup("dumpcap", par.process, par.processes, level_of(&o));
        if (dc_par_agree(parsed, &par) == DC_OK)
            code = dc_job_capture(&o, &par);
        else
            code = par.process == 0 ? fail() : DC_EXIT_FAILED; /* one line from all */
    }
    dc_capture_options_fini(&o);
    return dc_par_end(&par, code);
}
