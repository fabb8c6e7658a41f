/* compare/metric_int.c - pairs of integers of which one has 64 bits: differences in 128 bits. */
#include "compare/metric_part.h"
#include "io/dtype.h"
#include "io/load.h"

#include <string.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static bool is_integer(uint32_t dtype)
{
    dc_kind kind = dc_dtype_get(dtype)->kind;
    return kind == DC_KIND_INT || kind == DC_KIND_UINT || kind == DC_KIND_BOOL;
}

bool dc_part_is_int64(const dc_pair_data *pair)
{
    return is_integer(pair->dtype[0]) && is_integer(pair->dtype[1]) &&
           (dc_dtype_get(pair->dtype[0])->bits == 64 || dc_dtype_get(pair->dtype[1])->bits == 64);
}

/* out[i] = the integer's low 64 bits. Narrower types survive the way through double. */
static void load_exact(uint64_t *out, const void *data, uint32_t dtype, uint64_t first, size_t n)
{
    double wide[DC_BLOCK];

    if (dc_dtype_get(dtype)->bits == 64) {
        memcpy(out, (const char *)data + 8 * first, 8 * n);
        return;
    }
    dc_load(wide, data, dtype, first, n, DC_ISA_REF);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint64_t)(int64_t)wide[i];
}

static int128 widened(uint64_t bits, bool is_signed)
{
    return is_signed ? (int128)(int64_t)bits : (int128)bits;
}

static void note(dc_element *e, uint64_t index, const uint64_t bits[2], const double value[2])
{
    *e = (dc_element){.at = index + 1, .value = {value[0], value[1]}, .exact = {bits[0], bits[1]}};
}

void dc_part_add_int64(dc_metric *part, const dc_pair_data *pair, uint64_t first, size_t n,
                       uint64_t index)
{
    const bool is_signed[2] = {dc_dtype_get(pair->dtype[0])->kind == DC_KIND_INT,
                               dc_dtype_get(pair->dtype[1])->kind == DC_KIND_INT};
    uint64_t bits[2][DC_BLOCK];
    dc_pair_args args = {.atol = pair->atol, .rtol = pair->rtol};
    dc_metric m = {.n = n, .finite = n};
    dc_pair_lanes lanes;
    dc_pair_sums sums;
    uint128 largest = 0;

    if (n == 0)
        return;
    for (int s = 0; s < 2; s++)
        load_exact(bits[s], pair->data[s], pair->dtype[s], first, n);
    for (int s = 0; s < 2; s++)
        args.anchor[s] = dc_part_anchor((double)widened(bits[s][0], is_signed[s]),
                                        (double)widened(bits[s][n / 2], is_signed[s]),
                                        (double)widened(bits[s][n - 1], is_signed[s]));
    dc_pair_clear(&lanes);
    for (size_t i = 0; i < n; i++) {
        const int128 x = widened(bits[0][i], is_signed[0]), y = widened(bits[1][i], is_signed[1]);
        const uint128 diff = x > y ? (uint128)(x - y) : (uint128)(y - x);
        const uint64_t raw[2] = {bits[0][i], bits[1][i]};
        const double value[2] = {(double)x, (double)y};
        dc_ref_value(&lanes, i % DC_LANE_COUNT, value, &args);
        dc_ref_error(&lanes, i % DC_LANE_COUNT, value, (double)diff, &args);
        if (diff && m.first.at == 0)
            note(&m.first, index + i, raw, value);
        if (diff > largest) {
            largest = diff;
            note(&m.worst, index + i, raw, value);
        }
    }
    m.max_int[0] = (uint64_t)largest;
    m.max_int[1] = (uint64_t)(largest >> 64);
    dc_pair_fold(&sums, &lanes);
    dc_part_extrema(&m, &sums);
    dc_part_moments(&m, &sums, &args);
    dc_metric_merge(part, &m);
}
