/* capture/config.h - dumpcap --check-config and --print-config: what a configuration means,
 * without a dump. */
#ifndef DC_CAPTURE_CONFIG_H
#define DC_CAPTURE_CONFIG_H
#include "capture/options.h"

/* Print the verdict of CANN's two readers on options->check_config, to stdout. Returns the exit
 * code: 0 accepted, 2 refused. Not collective. */
int dc_config_check(const dc_capture_options *o);
/* Print the configuration with the options' selection put into it as canonical acl.json on stdout,
 * and say on stderr what acl.json cannot express. Returns the exit code. Not collective. */
int dc_config_print(const dc_capture_options *o);
#endif
