/* tests/select_setup.h - a selection of a configuration's text and options, for the test_select*.c
 * suites. */
#ifndef DC_SELECT_SETUP_H
#define DC_SELECT_SETUP_H
#include "io/select.h"
#include "tests/harness.h"

#include <string.h>

static const dc_acl_options lenient;
static const dc_select_extra nothing;

typedef struct setup {
    dc_dump_config c;
    dc_select *s;
} setup;

static inline void start(setup *t, const char *json, const dc_select_extra *extra)
{
    DC_ASSERT_OK(dc_acl_config_parse(&t->c, json, strlen(json), "acl.json", &lenient));
    DC_ASSERT_OK(dc_select_new(&t->s, &t->c, extra));
}

static inline void finish(setup *t)
{
    dc_select_free(t->s);
    dc_acl_config_fini(&t->c);
}

static const dc_select_model m1 = {.dir = "m1", .graph = "m1"};

static inline bool takes(setup *t, const dc_select_model *m, const char *name, const char *type)
{
    dc_select_op op = {.model = m, .name = name, .type = type, .feeds_selected = -1};
    return dc_select_ops(t->s, &op);
}

static inline const char *unmatched(dc_buf *b, setup *t, const dc_select_present *present)
{
    b->n = 0;
    DC_ASSERT_OK(dc_select_unmatched(b, t->s, present));
    DC_ASSERT_OK(dc_buf_add(b, "", 1));
    return b->data;
}

#define LIST(entries)                                                                              \
    "{\"dump\":{\"dump_path\":\"/"                                                                 \
    "x\",\"dump_level\":\"op\",\"dump_mode\":\"all\",\"dump_list\":[" entries "]}}"
#endif
