/* io/tensor.c - see tensor.h */
#include "io/tensor.h"

#include <stdlib.h>

#define RETURN_IF_DIFFERENT(field)                                                                 \
    if (a->field != b->field)                                                                      \
    return a->field < b->field ? -1 : 1

static int compare_occurrence(const dc_tensor *a, const dc_tensor *b)
{
    RETURN_IF_DIFFERENT(dump_time);
    RETURN_IF_DIFFERENT(stream);
    RETURN_IF_DIFFERENT(task);
    RETURN_IF_DIFFERENT(dir);
    RETURN_IF_DIFFERENT(file);
    RETURN_IF_DIFFERENT(file_number);
    return 0;
}

int dc_tensor_compare_identity(const dc_tensor *a, const dc_tensor *b)
{
    RETURN_IF_DIFFERENT(rank);
    RETURN_IF_DIFFERENT(run);
    RETURN_IF_DIFFERENT(model);
    RETURN_IF_DIFFERENT(step);
    RETURN_IF_DIFFERENT(op);
    RETURN_IF_DIFFERENT(direction);
    RETURN_IF_DIFFERENT(slot);
    RETURN_IF_DIFFERENT(slice);
    return 0;
}

int dc_tensor_compare(const dc_tensor *a, const dc_tensor *b)
{
    int c = dc_tensor_compare_identity(a, b);
    return c ? c : compare_occurrence(a, b);
}

int dc_tensor_compare_execution(const dc_tensor *a, const dc_tensor *b)
{
    RETURN_IF_DIFFERENT(step);
    RETURN_IF_DIFFERENT(dump_time);
    RETURN_IF_DIFFERENT(stream);
    RETURN_IF_DIFFERENT(task);
    RETURN_IF_DIFFERENT(op);
    RETURN_IF_DIFFERENT(direction);
    RETURN_IF_DIFFERENT(slot);
    RETURN_IF_DIFFERENT(rank);
    return 0;
}

static int compare_skipped(const void *left, const void *right)
{
    const dc_skipped *a = left, *b = right;
    RETURN_IF_DIFFERENT(dir);
    RETURN_IF_DIFFERENT(file);
    RETURN_IF_DIFFERENT(file_number);
    return 0;
}

void dc_skipped_sort(dc_skipped *row, size_t n)
{
    if (n)
        qsort(row, n, sizeof *row, compare_skipped);
}
