/* io/near.c - see near.h */
#include "io/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 255 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned dc_near_distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1], *before = rows[0], *above = rows[1], *row = rows[2];
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return DC_NEAR_MAX + 1;
    for (size_t j = 0; j <= nb; j++)
        above[j] = (unsigned)j;
    memcpy(before, above, sizeof rows[0]);
    for (size_t i = 1; i <= na; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned best = least(above[j], row[j - 1]) + 1;
            best = least(best, above[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                best = least(best, before[j - 2] + 1);
            row[j] = best;
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return least(above[nb], DC_NEAR_MAX + 1);
}

static bool plausible(const char *want, const char *candidate, unsigned distance)
{
    size_t n = strlen(want);
    if (distance > DC_NEAR_MAX || n == 0)
        return false;
    if (n >= 3 && strcasestr(candidate, want))
        return true;
    if (strlen(candidate) >= 3 && strcasestr(want, candidate))
        return true;
    return distance <= (n < 3 ? 1 : n / 3);
}

void dc_near_offer(dc_near *best, const char *want, const char *candidate)
{
    unsigned distance = dc_near_distance(want, candidate);
    if (!plausible(want, candidate, distance))
        return;
    size_t at = best->n;
    while (at > 0 && best->distance[at - 1] > distance)
        at--;
    if (at == DC_NEAR_KEEP)
        return;
    size_t last = best->n < DC_NEAR_KEEP ? best->n++ : DC_NEAR_KEEP - 1;
    for (size_t i = last; i > at; i--) {
        best->name[i] = best->name[i - 1];
        best->distance[i] = best->distance[i - 1];
    }
    best->name[at] = candidate;
    best->distance[at] = distance;
}

void dc_near_print(char *text, const dc_near *best)
{
    static const char *const before[DC_NEAR_KEEP][DC_NEAR_KEEP] = {
        {"; did you mean "},
        {"; did you mean ", " or "},
        {"; did you mean ", ", ", " or "},
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < best->n; i++)
        used += (size_t)snprintf(text + used, DC_NEAR_TEXT - used, "%s%.140s",
                                 before[best->n - 1][i], best->name[i]);
    if (best->n)
        snprintf(text + used, DC_NEAR_TEXT - used, "?");
}
