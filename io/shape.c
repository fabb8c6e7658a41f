/* io/shape.c - see shape.h */
#include "io/shape.h"

#include "io/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool dc_shape_count(uint64_t *n, const dc_shape *s)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < s->rank; i++)
        if (s->dim[i] == 0) {
            *n = 0;
            return true;
        }
    for (uint32_t i = 0; i < s->rank; i++)
        if (!dc_mul_u64(&product, product, s->dim[i]))
            return false;
    *n = product;
    return true;
}

bool dc_shape_equal(const dc_shape *a, const dc_shape *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, a->rank * sizeof a->dim[0]) == 0;
}

static char *print_dims(char *at, const dc_shape *s, char separator)
{
    for (uint32_t i = 0; i < s->rank; i++) {
        if (i)
            *at++ = separator;
        at += sprintf(at, "%" PRIu64, s->dim[i]);
    }
    *at = '\0';
    return at;
}

void dc_shape_print(char *text, const dc_shape *s)
{
    print_dims(text, s, 'x');
}

void dc_shape_print_list(char *text, const dc_shape *s)
{
    *text = '[';
    char *end = print_dims(text + 1, s, ',');
    memcpy(end, "]", 2);
}

dc_status dc_shape_parse(dc_shape *s, const char *text)
{
    const char *at = text;
    s->rank = 0;
    while (*at) {
        char *end;
        if (s->rank == DC_MAX_RANK || *at < '0' || *at > '9')
            return dc_fail(DC_EFORMAT, "'%s' is not a shape", text);
        s->dim[s->rank++] = strtoull(at, &end, 10);
        if (*end && (*end != 'x' || !end[1]))
            return dc_fail(DC_EFORMAT, "'%s' is not a shape", text);
        at = *end ? end + 1 : end;
    }
    return DC_OK;
}
