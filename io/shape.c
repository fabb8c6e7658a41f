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

/* Numbers with `between` between them, up to `last`. */
static dc_status parse(dc_shape *s, const char *at, char between, char last)
{
    s->rank = 0;
    while (*at != last) {
        char *end;
        if (s->rank == DC_MAX_RANK || *at < '0' || *at > '9')
            return DC_EFORMAT;
        s->dim[s->rank++] = strtoull(at, &end, 10);
        if (*end != last && (*end != between || end[1] == last))
            return DC_EFORMAT;
        at = *end == last ? end : end + 1;
    }
    return last && at[1] ? DC_EFORMAT : DC_OK;
}

dc_status dc_shape_parse(dc_shape *s, const char *text)
{
    dc_status st = parse(s, text, 'x', '\0');
    return st == DC_OK ? st : dc_fail(st, "'%s' is not a shape", text);
}

dc_status dc_shape_parse_list(dc_shape *s, const char *text)
{
    dc_status st = *text == '[' ? parse(s, text + 1, ',', ']') : DC_EFORMAT;
    return st == DC_OK ? st : dc_fail(st, "'%s' is not a shape", text);
}
