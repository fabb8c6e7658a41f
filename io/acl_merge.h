/* io/acl_merge.h - put the selection options of a command line into a configuration, so that it can
 * be printed as the acl.json that would have dumped just that. */
#ifndef DC_ACL_MERGE_H
#define DC_ACL_MERGE_H
#include "io/select.h"

/* Change c as `extra` says (see io/select.h: what replaces, what adds); path, if not NULL, becomes
 * dump_path. Options of the TensorFlow adapter become their acl.json equivalents. What acl.json
 * cannot express gets a line in *left: patterns, types, exclusions, ranks. Errors: DC_EARG (bad
 * steps), DC_ENOMEM. Not collective. */
dc_status dc_acl_config_merge(dc_dump_config *c, dc_buf *left, const dc_select_extra *extra,
                              const char *path) DC_MUST_CHECK;
#endif
