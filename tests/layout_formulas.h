/* tests/layout_formulas.h - the index formula of every layout, written out plainly. */
#ifndef DC_LAYOUT_FORMULAS_H
#define DC_LAYOUT_FORMULAS_H
#include <stdint.h>

typedef struct sizes { /* named lengths and block sizes of one random case */
    uint64_t n, c, d, h, w, n0, c0, groups, input, hidden, batch[2];
} sizes;
typedef struct index {
    uint64_t n, c, d, h, w, batch[2];
} index_of;

static uint64_t up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Offset in an array of these dims; digits given outermost first. */
static uint64_t at(int rank, const uint64_t (*dim_index)[2])
{
    uint64_t offset = 0;
    for (int i = 0; i < rank; i++)
        offset = offset * dim_index[i][0] + dim_index[i][1];
    return offset;
}
#define AT(...)                                                                                    \
    at((int)(sizeof((const uint64_t[][2]){__VA_ARGS__}) / sizeof(uint64_t[2])),                    \
       (const uint64_t[][2]){__VA_ARGS__})

static uint64_t nc1hwc0(const sizes *s, const index_of *i)
{
    return AT({s->n, i->n}, {up(s->c, s->c0), i->c / s->c0}, {s->h, i->h}, {s->w, i->w},
              {s->c0, i->c % s->c0});
}
static uint64_t ndc1hwc0(const sizes *s, const index_of *i)
{
    return AT({s->n, i->n}, {s->d, i->d}, {up(s->c, s->c0), i->c / s->c0}, {s->h, i->h},
              {s->w, i->w}, {s->c0, i->c % s->c0});
}
/* the inner dims of the FRACTAL_Z family */
static uint64_t in_row(const sizes *s, uint64_t row, uint64_t n, uint64_t c)
{
    return AT({0, row}, {up(s->n, s->n0), n / s->n0}, {s->n0, n % s->n0}, {s->c0, c % s->c0});
}
static uint64_t fractal_z(const sizes *s, const index_of *i)
{
    return in_row(s, (i->c / s->c0 * s->h + i->h) * s->w + i->w, i->n, i->c);
}
static uint64_t least_multiple(uint64_t a, uint64_t b)
{
    uint64_t m = a;
    while (m % b)
        m += a;
    return m;
}
static uint64_t groups_together(const sizes *s)
{
    uint64_t ng = s->n / s->groups;
    uint64_t e = least_multiple(least_multiple(s->c, s->c0) / s->c, least_multiple(ng, s->n0) / ng);
    return e < s->groups ? e : s->groups;
}
static uint64_t grouped_z(const sizes *s, const index_of *i)
{
    uint64_t ng = s->n / s->groups, e = groups_together(s), c1 = up(e * s->c, s->c0);
    uint64_t g = i->n / ng, dc = g % e * s->c + i->c, dn = g % e * ng + i->n % ng;
    uint64_t row = ((g / e * c1 + dc / s->c0) * s->h + i->h) * s->w + i->w;
    return AT({0, row}, {up(e * ng, s->n0), dn / s->n0}, {s->n0, dn % s->n0}, {s->c0, dc % s->c0});
}
static uint64_t fractal_z_c04(const sizes *s, const index_of *i)
{
    uint64_t k = (i->h * s->w + i->w) * 4 + i->c;
    return in_row(s, k / s->c0, i->n, k);
}
static uint64_t fractal_z_3d(const sizes *s, const index_of *i)
{
    uint64_t row = ((i->d * up(s->c, s->c0) + i->c / s->c0) * s->h + i->h) * s->w + i->w;
    return in_row(s, row, i->n, i->c);
}
static uint64_t z_3d_transpose(const sizes *s, const index_of *i)
{
    uint64_t row = ((i->d * up(s->n, s->n0) + i->n / s->n0) * s->h + i->h) * s->w + i->w;
    return AT({0, row}, {up(s->c, s->c0), i->c / s->c0}, {s->c0, i->c % s->c0},
              {s->n0, i->n % s->n0});
}
static uint64_t fractal_nz(const sizes *s, const index_of *i)
{
    return AT({s->batch[0], i->batch[0]}, {s->batch[1], i->batch[1]},
              {up(s->c, s->c0), i->c / s->c0}, {up(s->n, s->n0), i->n / s->n0},
              {s->n0, i->n % s->n0}, {s->c0, i->c % s->c0});
}
static uint64_t fractal_zz(const sizes *s, const index_of *i)
{
    return AT({s->batch[0], i->batch[0]}, {s->batch[1], i->batch[1]},
              {up(s->n, s->n0), i->n / s->n0}, {up(s->c, s->c0), i->c / s->c0},
              {s->n0, i->n % s->n0}, {s->c0, i->c % s->c0});
}
static uint64_t c1hwncoc0(const sizes *s, const index_of *i)
{
    return AT({0, i->c / s->c0}, {s->h, i->h}, {s->w, i->w}, {s->n, i->n}, {s->c0, i->c % s->c0},
              {s->c0, i->c % s->c0});
}
static uint64_t zn_rnn(const sizes *s, const index_of *i)
{
    uint64_t gate = i->n / s->hidden, gates = s->n / s->hidden;
    uint64_t k = i->c < s->input ? i->c : up(s->input, s->c0) * s->c0 + i->c - s->input;
    uint64_t n = gate * up(s->hidden, s->n0) * s->n0 + i->n % s->hidden;
    return AT({0, k / s->c0}, {gates * up(s->hidden, s->n0), n / s->n0}, {s->n0, n % s->n0},
              {s->c0, k % s->c0});
}
static uint64_t rnn_bias(const sizes *s, const index_of *i)
{
    return i->n / s->hidden * up(s->hidden, s->c0) * s->c0 + i->n % s->hidden;
}
static uint64_t nhwc(const sizes *s, const index_of *i)
{
    return AT({s->n, i->n}, {s->h, i->h}, {s->w, i->w}, {s->c, i->c});
}
static uint64_t dhwcn(const sizes *s, const index_of *i)
{
    return AT({s->d, i->d}, {s->h, i->h}, {s->w, i->w}, {s->c, i->c}, {s->n, i->n});
}
#endif
