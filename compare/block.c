/* compare/block.c - a block of a pair as doubles, and what is left of it without NaN and Inf. */
#include "compare/block.h"

#include "io/dtype.h"
#include "io/load.h"

static bool is_complex(uint32_t dtype)
{
    return dc_dtype_get(dtype)->kind == DC_KIND_COMPLEX;
}

unsigned dc_block_parts(const dc_pair_data *pair)
{
    return is_complex(pair->dtype[0]) || is_complex(pair->dtype[1]) ? 2 : 1;
}

size_t dc_block_elements(const dc_pair_data *pair)
{
    return DC_BLOCK / dc_block_parts(pair);
}

void dc_block_load(dc_block *b, const dc_pair_data *pair, uint64_t first, size_t n, dc_isa isa)
{
    unsigned parts = dc_block_parts(pair);

    b->n = n * parts;
    for (int side = 0; side < 2; side++) {
        double *out = b->v[side];
        if (parts == 1 || is_complex(pair->dtype[side])) {
            dc_load(out, pair->data[side], pair->dtype[side], first, n, isa);
            continue;
        }
        dc_load(out + n, pair->data[side], pair->dtype[side], first, n, isa);
        for (size_t i = 0; i < n; i++) { /* the write position never overtakes the read position */
            out[2 * i] = out[n + i];
            out[2 * i + 1] = 0;
        }
    }
}

dc_ahead dc_block_ahead(const dc_pair_data *pair, uint64_t first, uint64_t n)
{
    dc_ahead ahead = {{0}, {0}};

    for (int s = 0; s < 2 && first + dc_block_elements(pair) <= n; s++) {
        size_t bits = dc_dtype_get(pair->dtype[s])->bits;
        ahead.at[s] = (const char *)pair->data[s] + first * bits / 8;
        ahead.step[s] = bits * DC_LANE_COUNT / 8 / dc_block_parts(pair);
    }
    return ahead;
}

void dc_block_finite(dc_finite *f, const dc_block *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) { /* no branch on the data: a mask of -Inf is random */
        const double x = b->v[0][i], y = b->v[1][i];
        f->v[0][n] = x;
        f->v[1][n] = y;
        n += (size_t)((x - x == 0) & (y - y == 0));
    }
    f->n = n;
}
