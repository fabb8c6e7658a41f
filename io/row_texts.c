/* io/row_texts.c - see row_texts.h */
#include "io/row_texts.h"

#include <string.h>

static void take(dc_row_texts *texts, const char *meaning, void *column)
{
    if (strncmp(meaning, "string:", 7) == 0)
        texts->id[texts->n++] = column;
}

#define COUNT(type, name, doc) +1
_Static_assert(DC_TENSOR_PLAN(COUNT) <= DC_ROW_TEXTS, "");
_Static_assert(DC_SKIPPED(COUNT) <= DC_ROW_TEXTS, "");
_Static_assert(DC_OVERFLOW_ROW(COUNT) <= DC_ROW_TEXTS, "");

dc_row_texts dc_tensor_texts(dc_tensor *t)
{
    dc_row_texts texts;
    texts.n = 0;
#define X(type, name, doc) take(&texts, doc, &t->name);
    DC_TENSOR_PLAN(X)
#undef X
    return texts;
}

dc_row_texts dc_skipped_texts(dc_skipped *s)
{
    dc_row_texts texts;
    texts.n = 0;
#define X(type, name, doc) take(&texts, doc, &s->name);
    DC_SKIPPED(X)
#undef X
    return texts;
}

dc_row_texts dc_overflow_texts(dc_overflow_row *o)
{
    dc_row_texts texts;
    texts.n = 0;
#define X(type, name, doc) take(&texts, doc, &o->name);
    DC_OVERFLOW_ROW(X)
#undef X
    return texts;
}

void dc_texts_map(dc_row_texts texts, const uint32_t *map)
{
    for (size_t k = 0; k < texts.n; k++)
        *texts.id[k] = map[*texts.id[k]];
}

bool dc_texts_below(dc_row_texts texts, uint32_t count)
{
    for (size_t k = 0; k < texts.n; k++)
        if (*texts.id[k] >= count)
            return false;
    return true;
}
