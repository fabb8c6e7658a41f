/* tests/fuzz/fuzz_stats_csv.c - any bytes as a statistics file: never a crash, every row ends. */
#include "io/stats_csv.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dc_stats_csv *c;
    dc_stats_row row;
    bool more = true;
    if (dc_stats_parse(&c, (const char *)data, n, "fuzz") != DC_OK)
        return 0;
    for (uint64_t at = 0, before = 0; more; before = at) {
        (void)dc_stats_next(&row, &more, c, &at);
        if (more && at <= before)
            abort();
    }
    dc_stats_free(c);
    return 0;
}
