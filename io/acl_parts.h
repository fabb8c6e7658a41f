/* io/acl_parts.h - what acl_config.c and the acl_*.c files that judge, build and print a
 * configuration share. */
#ifndef DC_ACL_PARTS_H
#define DC_ACL_PARTS_H
#include "io/acl_config.h"

/* "a|b|c" from an X(id, text) set of acl_config.h, without its leading '|'. */
#define DC_DUMP_TEXT_OF(id, text)   "|" text
#define DC_DUMP_ALLOWED(SET)        (&(SET(DC_DUMP_TEXT_OF))[1])
#define DC_DUMP_STATS_ALLOWED       "Max|Min|Avg|Nan|Negative Inf|Positive Inf|L2norm"
#define DC_DUMP_KERNEL_DATA_ALLOWED "all|printf|tensor|assert|timestamp"

/* Index of text[0..n) among "a|b|c", or -1. */
int dc_acl_choice(const char *allowed, const char *text, size_t n);

/* n zeroed items that live as long as the configuration; NULL (message set) without memory. */
void *dc_acl_alloc(dc_dump_config *c, size_t n, size_t size);
char *dc_acl_strndup(dc_dump_config *c, const char *text, size_t n);

/* DC_EARG "FILE: PATH: text [CODE]", and c->code = code (constant text; "" for none of CANN's). */
dc_status dc_acl_refuse(dc_dump_config *c, const char *code, const dc_json_at *at,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A line "FILE: PATH: text" in c->warnings or c->ge; those beyond so many bytes are left out. */
#define DC_ACL_NOTES_BYTES 65536
dc_status dc_acl_note(dc_buf *lines, const dc_json_at *at, const char *format, ...) DC_MUST_CHECK
    __attribute__((format(printf, 3, 4)));

/* Parts of dump_path: where the path begins behind "ip:", or NULL when there is no ip. */
const char *dc_acl_path_after_ip(const char *path);
/* The first character that CANN's character set lacks, or NULL. */
const char *dc_acl_path_bad_char(const char *path);

/* adump's verdict on a "dump" object, types, values and constraints in its order. */
dc_status dc_acl_check(dc_dump_config *c, const dc_json_at *dump, bool strict) DC_MUST_CHECK;
/* Fill *c from an object that dc_acl_check has passed. */
dc_status dc_acl_build(dc_dump_config *c, const dc_json_at *dump, bool strict) DC_MUST_CHECK;
/* GE's verdict: c->model_dump, c->ge. */
dc_status dc_acl_judge_ge(dc_dump_config *c, const dc_json_at *dump) DC_MUST_CHECK;
/* Whether the object is written in the TensorFlow adapter's options. */
bool dc_acl_is_tf(const dc_json_at *dump);
/* The adapter's options: those of the file (dump NULL: none) and of --set, judged and put in *c. */
dc_status dc_acl_apply_tf(dc_dump_config *c, const dc_json_at *dump,
                          const dc_acl_options *options) DC_MUST_CHECK;
/* Warn of members of `at` that are not among the names "a|b|c", and of known ones that repeat. */
dc_status dc_acl_warn_keys(dc_dump_config *c, const dc_json_at *at,
                           const char *known) DC_MUST_CHECK;
#endif
