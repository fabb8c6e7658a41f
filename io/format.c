/* io/format.c - see format.h */
#include "io/format.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t number;
} table[] = {
#define X(id, number) {#id, number},
    DC_FORMATS(X)
#undef X
};
enum { COUNT = sizeof table / sizeof *table };

const char *dc_format_name(uint32_t format)
{
    for (size_t i = 0; i < COUNT; i++)
        if (table[i].number == format)
            return table[i].name;
    return "unknown";
}

int dc_format_by_name(const char *name)
{
    if (strncmp(name, "FORMAT_", 7) == 0)
        name += 7;
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return (int)table[i].number;
    return -1;
}
