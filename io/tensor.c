/* io/tensor.c - see tensor.h */
#include "io/tensor.h"

#include "io/cmp.h"

#include <stdlib.h>

static int compare_occurrence(const dc_tensor *a, const dc_tensor *b)
{
    return DC_CMP_BY(a, b, dump_time, stream, task, dir, file, file_number);
}

int dc_tensor_compare_identity(const dc_tensor *a, const dc_tensor *b)
{
    return DC_CMP_BY(a, b, rank, run, model, step, op, direction, slot, slice);
}

int dc_tensor_compare(const dc_tensor *a, const dc_tensor *b)
{
    int c = dc_tensor_compare_identity(a, b);
    return c ? c : compare_occurrence(a, b);
}

int dc_tensor_compare_execution(const dc_tensor *a, const dc_tensor *b)
{
    return DC_CMP_BY(a, b, step, dump_time, stream, task, op, direction, slot, rank);
}

static int compare_skipped(const void *left, const void *right)
{
    const dc_skipped *a = left, *b = right;
    return DC_CMP_BY(a, b, dir, file, file_number);
}

void dc_skipped_sort(dc_skipped *row, size_t n)
{
    if (n)
        qsort(row, n, sizeof *row, compare_skipped);
}
