/* tests/test_dump_name.c - every kind of file name in a dump tree. */
#include "io/dump_name.h"
#include "tests/harness.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NONE DC_NAME_NONE

typedef struct expected {
    const char *name;
    dc_name_kind kind;
    const char *op_type, *op_name;
    uint64_t task, stream, time;
} expected;

static void check(const expected *e)
{
    dc_dump_name n;
    dc_dump_name_parse(&n, e->name);
    bool same = n.kind == e->kind && n.op_type.n == strlen(e->op_type) &&
                n.op_name.n == strlen(e->op_name) &&
                (!n.op_type.n || memcmp(n.op_type.at, e->op_type, n.op_type.n) == 0) &&
                (!n.op_name.n || memcmp(n.op_name.at, e->op_name, n.op_name.n) == 0) &&
                n.task == e->task && n.stream == e->stream && n.time == e->time;
    if (!same)
        fprintf(stderr,
                "%s: kind %d type '%.*s' name '%.*s' task %" PRId64 " stream %" PRId64
                " time %" PRIu64 "\n",
                e->name, (int)n.kind, (int)n.op_type.n, n.op_type.at, (int)n.op_name.n,
                n.op_name.at, (int64_t)n.task, (int64_t)n.stream, n.time);
    CU_ASSERT_TRUE(same);
}

static void check_all(const expected *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&e[i]);
}

static void dumps_have_five_fields_or_fewer(void)
{
    static const expected e[] = {
        {"Add.Add_2.44.6.1706596912161941", DC_NAME_DUMP, "Add", "Add_2", 44, 6, 1706596912161941},
        {"Cast.Cast_9.19.6.17065969118878", DC_NAME_DUMP, "Cast", "Cast_9", 19, 6, 17065969118878},
        {"GetNext.Default_GetNext-op0.0.11.17350110964032987", DC_NAME_DUMP, "GetNext",
         "Default_GetNext-op0", 0, 11, 17350110964032987},
        {"TransData.t_1170.327.1619347786532995", DC_NAME_DUMP, "TransData", "t_1170", 327, NONE,
         1619347786532995},
        {"Add.8.5.1682067845380164", DC_NAME_DUMP, "Add", "", 8, 5, 1682067845380164},
        {"Transpose.4.1682148295048447", DC_NAME_DUMP, "Transpose", "", 4, NONE, 1682148295048447},
        {"Add.7.8.5.1682067845380164", DC_NAME_DUMP, "Add", "7", 8, 5, 1682067845380164},
        {"Add.a:b,c.8.5.1682067845380164", DC_NAME_DUMP, "Add", "a:b,c", 8, 5, 1682067845380164},
        {"Node.x.1.2.1706596912161941.csv", DC_NAME_STATISTICS, "Node", "x", 1, 2,
         1706596912161941},
        {"Transpose.4.1682148295048447.csv", DC_NAME_STATISTICS, "Transpose", "", 4, NONE,
         1682148295048447},
    };
    check_all(e, DC_COUNT(e));
}

static void captured_names_are_read_from_the_right(void)
{
    static const expected e[] = {
        {"Add.add.3.44.6.1706596912161941", DC_NAME_DUMP, "Add", "add", 44, 6, 1706596912161941},
        {"Add.net.l1.add.3.44.6.1706596912161941", DC_NAME_DUMP, "Add", "net.l1.add", 44, 6,
         1706596912161941},
        {"Add.1.2.3.44.6.1706596912161941", DC_NAME_DUMP, "Add", "1.2", 44, 6, 1706596912161941},
        {"Add.a.b.44.6.1706596912161941", DC_NAME_DUMP, "Add", "a.b", 44, 6, 1706596912161941},
    };
    check_all(e, DC_COUNT(e));
    dc_dump_name n;
    dc_dump_name_parse(&n, "Add.net.add.3.44.6.1706596912161941.FFTSPLUS.8.2.5.csv");
    CU_ASSERT_EQUAL(n.kind, DC_NAME_STATISTICS);
    CU_ASSERT_EQUAL(n.number, 3);
    CU_ASSERT_EQUAL(n.task_type, 4);
    CU_ASSERT_EQUAL(n.context, 8);
    CU_ASSERT_EQUAL(n.thread, 2);
    CU_ASSERT_EQUAL(n.device, 5);
}

static void ffts_suffixes_are_taken_off(void)
{
    dc_dump_name n;
    static const expected e[] = {
        {"Conv2D.Conv2D_lxslice0.2.9.1670205069981234.4.330.1.7", DC_NAME_DUMP, "Conv2D",
         "Conv2D_lxslice0", 2, 9, 1670205069981234},
        {"Add.x.3.1673383728093446.4.1.0.0", DC_NAME_DUMP, "Add", "x", 3, NONE, 1673383728093446},
        {"Add.x.3.1673383728093446.4.1.0", DC_NAME_DUMP, "Add", "x", 3, NONE, 1673383728093446},
    };
    check_all(e, DC_COUNT(e));
    dc_dump_name_parse(&n, e[0].name);
    CU_ASSERT(n.task_type == 4 && n.context == 330 && n.thread == 1 && n.device == 7);
    dc_dump_name_parse(&n, e[2].name); /* the host executor leaves the device out */
    CU_ASSERT(n.task_type == 4 && n.context == 1 && n.thread == 0 && n.device == NONE);
}

static void overflow_and_exception_files_are_told_apart(void)
{
    static const expected e[] = {
        {"Opdebug.Node_OpDebug.1.25.1614717262233160", DC_NAME_OVERFLOW, "Opdebug", "Node_OpDebug",
         1, 25, 1614717262233160},
        {"Opdebug.Node_OpDebug.0.3.1673383728094391.4.1.0.0", DC_NAME_OVERFLOW, "Opdebug",
         "Node_OpDebug", 0, 3, 1673383728094391},
        {"Opdebug.Node_OpDebug.3.1673383728094391", DC_NAME_OVERFLOW, "Opdebug", "Node_OpDebug", 3,
         NONE, 1673383728094391},
        {"exception_info.42.1.1726159207469285", DC_NAME_EXCEPTION, "exception_info", "", 1, 42,
         1726159207469285},
        {"exception_info.42.1.20240912163007469", DC_NAME_EXCEPTION, "exception_info", "", 1, 42,
         20240912163007469},
        {"Add.add.5.20240912163007469", DC_NAME_EXCEPTION, "Add", "add", 5, NONE,
         20240912163007469},
        {"kernel.3.5.20240912163007469.core", DC_NAME_EXCEPTION, "", "", NONE, NONE, NONE},
        {"name.custom.20240912163007469", DC_NAME_EXCEPTION, "", "", NONE, NONE, NONE},
    };
    check_all(e, DC_COUNT(e));
}

static void everything_else_has_a_kind_too(void)
{
    static const struct {
        const char *name;
        dc_name_kind kind;
    } e[] = {
        {"mapping.csv", DC_NAME_MAPPING},
        {"4993892634952068459", DC_NAME_HASHED},
        {"0", DC_NAME_HASHED},
        {"18446744073709551615", DC_NAME_HASHED},
        {"12345678901234567890123456789012", DC_NAME_HASHED}, /* msprobe: 32 digits */
        {"12345678901234567890123456789012.csv", DC_NAME_HASHED},
        {"123456789012345678901234567890123", DC_NAME_OTHER},
        {"123.npy", DC_NAME_CONVERTED},
        {"Add_100.0.1682148256368588.npy", DC_NAME_CONVERTED},
        {"Sub.x-op0.10.10.1735011096427368.input.0.ND.BF16", DC_NAME_CONVERTED},
        {"Opdebug.Node_OpDebug.1.25.1614717262233160.output.0.json", DC_NAME_CONVERTED},
        {"kernel_host.o", DC_NAME_OTHER},
        {"kernel.json", DC_NAME_OTHER},
        {".dump-12-0.part", DC_NAME_OTHER},
        {"", DC_NAME_OTHER},
        {".", DC_NAME_OTHER},
        {"..", DC_NAME_OTHER},
        {"Add..3.4.1682148256368588", DC_NAME_OTHER},
        {"Add.add.3.4.123456789", DC_NAME_OTHER}, /* nine digits are no time */
        {"Add.add.3.4.99999999999999999999999", DC_NAME_OTHER},
        {"Add.add.x.1682148256368588", DC_NAME_OTHER},
        {"1682148256368588.4.1.0.0", DC_NAME_OTHER},
        {"Add.a.b.5.1682148256368588", DC_NAME_OTHER}, /* a dotted name before a single number */
        {"statistic.csv", DC_NAME_STATISTICS},
        {".csv", DC_NAME_OTHER},
    };
    for (size_t i = 0; i < DC_COUNT(e); i++) {
        dc_dump_name n;
        dc_dump_name_parse(&n, e[i].name);
        if (n.kind != e[i].kind)
            fprintf(stderr, "'%s' is taken for kind %d\n", e[i].name, (int)n.kind);
        CU_ASSERT_EQUAL(n.kind, e[i].kind);
        CU_ASSERT_EQUAL(n.task, NONE);
        CU_ASSERT_EQUAL(n.op_type.n, 0);
    }
}

static void only_four_characters_are_sanitised(void)
{
    char text[] = "a b.c/d\\e:f-g_h";
    dc_name_sanitise(text);
    CU_ASSERT_STRING_EQUAL(text, "a_b_c_d_e:f-g_h");
}

/* What the note beside a real name says its kind is. */
static dc_name_kind kind_of_note(const char *name, const char *note)
{
    if (strstr(name, ".npy") || strstr(note, "no suffix, bf16"))
        return DC_NAME_CONVERTED;
    return strstr(note, "overflow status") ? DC_NAME_OVERFLOW : DC_NAME_DUMP;
}

static void real_names_land_in_their_kinds(void)
{
    const char *samples = dc_test_samples();
    char path[4096], line[4096];
    size_t seen = 0;
    if (!samples) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/filenames/real_dump_file_names.txt", samples);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (*line == '#' || !tab)
            continue;
        *tab = '\0';
        dc_dump_name n;
        dc_dump_name_parse(&n, line);
        CU_ASSERT_EQUAL(n.kind, kind_of_note(line, tab + 1));
        if (n.kind == DC_NAME_DUMP)
            CU_ASSERT_EQUAL(n.op_name.n == 0, strstr(tab + 1, "no op_name") != NULL);
        if (n.kind == DC_NAME_DUMP)
            CU_ASSERT_EQUAL(n.task_type == 4, strstr(line, "lxslice") || strstr(line, "sgt_graph"));
        seen++;
    }
    fclose(file);
    CU_ASSERT(seen > 20);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(dumps_have_five_fields_or_fewer),
        DC_TEST(captured_names_are_read_from_the_right),
        DC_TEST(ffts_suffixes_are_taken_off),
        DC_TEST(overflow_and_exception_files_are_told_apart),
        DC_TEST(everything_else_has_a_kind_too),
        DC_TEST(only_four_characters_are_sanitised),
        DC_TEST(real_names_land_in_their_kinds),
    };
    return dc_test_main("dump_name", tests, DC_COUNT(tests));
}
