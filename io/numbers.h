/* io/numbers.h - a set of numbers, such as the steps that a dump has. */
#ifndef DC_NUMBERS_H
#define DC_NUMBERS_H
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

/* All-zero is empty. */
typedef struct dc_numbers {
    uint64_t *item; /* [n] sorted, each once; owned */
    size_t n, cap;
} dc_numbers;

/* Add v; a negative one stands for none and is passed over. Meant for few different numbers.
 * Errors: DC_ENOMEM. Not collective. */
dc_status dc_numbers_add(dc_numbers *set, int64_t v) DC_MUST_CHECK;
void dc_numbers_fini(dc_numbers *set);
#endif
