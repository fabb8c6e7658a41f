/* tests/harness.h - CUnit with a one-line main, alone or over MPI; scratch directories. */
#ifndef DC_HARNESS_H
#define DC_HARNESS_H
#include "io/status.h"

#include <CUnit/CUnit.h>
#include <stddef.h>

typedef struct dc_test {
    const char *name; /* a fact: "empty_ranks_change_nothing" */
    void (*run)(void);
} dc_test;
#define DC_TEST(f)                                                                                 \
    {                                                                                              \
#f, f                                                                                      \
    }
#define DC_COUNT(a) (sizeof(a) / sizeof *(a))

/* Run all cases, print each failed assertion, return main's exit code. */
int dc_test_main(const char *suite, const dc_test *tests, size_t n);
/* Assert DC_OK, printing the message otherwise. */
#define DC_ASSERT_OK(expr)                                                                         \
    do {                                                                                           \
        dc_status dc_st_ = (expr);                                                                 \
        if (dc_st_ != DC_OK)                                                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #expr, dc_last_error());        \
        CU_ASSERT_EQUAL_FATAL(dc_st_, DC_OK);                                                      \
    } while (0)
/* A fresh empty directory below the build tree's scratch folder, removed at exit; path valid until
 * exit. */
const char *dc_test_dir(void);
/* DUMPCAP_SAMPLES, or NULL (the test then calls dc_test_skip and returns). */
const char *dc_test_samples(void);
/* Say that a case was skipped and why. */
void dc_test_skip(const char *why);
#endif
