/* tests/mpi_harness.c - see mpi_harness.h */
#include "tests/mpi_harness.h"

#include <CUnit/Basic.h>
#include <stdio.h>

static dc_par job;

const dc_par *dc_test_par(void)
{
    return &job;
}

const char *dc_test_shared_dir(void)
{
    static char dir[4096];
    if (job.process == 0)
        snprintf(dir, sizeof dir, "%s", dc_test_dir());
    dc_par_bcast(dir, sizeof dir, 0, &job);
    return dir;
}

void dc_test_arm(const char *site, int process, int passage)
{
    char spec[64];
    snprintf(spec, sizeof spec, "%s@%d:%d", site, process, passage);
    dc_fault_arm(spec);
}

static void print_failures(void)
{
    for (CU_pFailureRecord f = CU_get_failure_list(); f; f = f->pNext)
        printf("[p%d] %s: %s:%u: %s\n", job.process, f->pTest ? f->pTest->pName : "?",
               f->strFileName, f->uiLineNumber, f->strCondition);
}

int dc_test_main_mpi(const char *suite, const dc_test *tests, size_t n)
{
    if (dc_par_begin(&job) != DC_OK || CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite s = CU_add_suite(suite, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        if (!s || !CU_add_test(s, tests[i].name, tests[i].run))
            return 2;
    CU_basic_set_mode(CU_BRM_SILENT);
    CU_basic_run_tests();
    uint64_t failed = CU_get_number_of_failures(), asserts = CU_get_number_of_asserts();
    print_failures();
    dc_par_sum_u64(&failed, 1, &job);
    dc_par_sum_u64(&asserts, 1, &job);
    if (job.process == 0)
        printf("%s: %zu cases on %d processes, %llu asserts, %llu failed\n", suite, n,
               job.processes, (unsigned long long)asserts, (unsigned long long)failed);
    CU_cleanup_registry();
    return dc_par_end(&job, failed || !asserts ? 1 : 0);
}
