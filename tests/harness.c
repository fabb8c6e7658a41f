/* tests/harness.c - see harness.h */
#include "tests/harness.h"

#include "io/path.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

static char scratch[1024];

static void remove_scratch(void)
{
    char command[2 * sizeof scratch + 64];
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", scratch, scratch);
    if (*scratch && system(command) != 0) /* NOLINT: our own directory */
        fprintf(stderr, "cannot remove %s\n", scratch);
}

const char *dc_test_dir(void)
{
    static char dir[sizeof scratch + 16];
    static int count;
    if (!*scratch) {
        const char *base = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/dumpcap-test-XXXXXX", base && *base ? base : "/tmp");
        if (!mkdtemp(scratch)) {
            perror(scratch);
            exit(2);
        }
        atexit(remove_scratch);
    }
    snprintf(dir, sizeof dir, "%s/%d", scratch, count++);
    if (dc_mkdirs(dir) != DC_OK) {
        fprintf(stderr, "%s\n", dc_last_error());
        exit(2);
    }
    return dir;
}

const char *dc_test_samples(void)
{
    const char *dir = getenv("DUMPCAP_SAMPLES");
    return dir && *dir && dc_path_is_dir(dir) ? dir : NULL;
}

void dc_test_skip(const char *why)
{
    printf("    skipped: %s\n", why);
}

int dc_test_main(const char *suite, const dc_test *tests, size_t n)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite s = CU_add_suite(suite, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        if (!s || !CU_add_test(s, tests[i].name, tests[i].run))
            return 2;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures();
    unsigned run = CU_get_number_of_asserts();
    CU_cleanup_registry();
    return failed || !run ? 1 : 0; /* a suite that asserts nothing has not passed */
}
