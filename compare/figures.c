/* compare/figures.c - see figures.h */
#include "compare/figures.h"

#include "io/dtype.h"
#include "io/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* |left - right| of an integer element, exact: 64-bit integers do not fit a double. False: 2^64 or
 * more. */
static bool exact_difference(uint64_t *out, const uint64_t v[2], const uint32_t dtype[2])
{
    bool negative[2];
    for (int i = 0; i < 2; i++)
        negative[i] = dc_dtype_get(dtype[i])->kind == DC_KIND_INT && v[i] >> 63;
    if (negative[0] != negative[1])
        return dc_add_u64(out, v[negative[0]], 0 - v[negative[1]]);
    *out = v[0] < v[1] ? v[1] - v[0] : v[0] - v[1];
    return true;
}

dc_figures dc_figures_of(const dc_metrics *m, const uint32_t dtype[2])
{
    dc_figures f = {.n = m->n, .mismatch = m->mismatch, .differ = m->differ, .over = m->over};
    if (m->differ)
        f.worst = m->first_mismatch.at ? m->first_mismatch : m->worst;
    memcpy(f.value, m->value, sizeof f.value);
    memcpy(f.valid, m->valid, sizeof f.valid);
    for (int i = 0; i < 2; i++) {
        f.mean[i] = m->mean[i];
        f.std[i] = m->std[i];
        f.nan[i] = m->nan[i];
        f.inf[i] = m->inf[i];
    }
    f.integral = m->integral;
    f.exact_fits = m->integral && m->worst.at && exact_difference(&f.exact, m->worst.exact, dtype);
    return f;
}

/* A number as msaccucmp prints it, unless its fixed digits would hide it or run away. */
static void print_value(char *text, size_t size, double v, int digits)
{
    double a = fabs(v);
    bool plain = a == 0 || !isfinite(v) || (a >= 5e-7 && a < 1e9);

    (void)snprintf(text, size, plain ? "%.*f" : "%.*e", digits, v + 0.0);
}

void dc_figures_print(char *text, const dc_figures *f, dc_metric_id id)
{
    char part[4][20];

    text[0] = '\0';
    if (!f->valid[id])
        return;
    if (id != DC_METRIC_STD) {
        print_value(text, DC_FIGURES_TEXT, f->value[id], 6);
        return;
    }
    for (int i = 0; i < 4; i++)
        print_value(part[i], sizeof *part, i % 2 ? f->std[i / 2] : f->mean[i / 2], 3);
    (void)snprintf(text, DC_FIGURES_TEXT, "(%s;%s),(%s;%s)", part[0], part[1], part[2], part[3]);
}
