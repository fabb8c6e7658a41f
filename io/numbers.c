/* io/numbers.c - see numbers.h */
#include "io/numbers.h"

#include "io/mem.h"

#include <stdlib.h>
#include <string.h>

dc_status dc_numbers_add(dc_numbers *set, int64_t v)
{
    size_t low = 0, high = set->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->item[middle] < (uint64_t)v)
            low = middle + 1;
        else
            high = middle;
    }
    if (v < 0 || (low < set->n && set->item[low] == (uint64_t)v))
        return DC_OK;
    dc_status st = dc_grow((void **)&set->item, &set->cap, set->n, 1, sizeof *set->item);
    if (st != DC_OK)
        return st;
    memmove(set->item + low + 1, set->item + low, (set->n - low) * sizeof *set->item);
    set->item[low] = (uint64_t)v;
    set->n++;
    return DC_OK;
}

void dc_numbers_fini(dc_numbers *set)
{
    free(set->item);
    *set = (dc_numbers){0};
}
