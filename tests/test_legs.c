/* tests/test_legs.c - large blocked tensors are read once: legs, streams, and what they read. */
#include "compare/legs.h"
#include "compare/metric.h"
#include "compare/plan.h"
#include "io/dtype.h"
#include "io/format.h"
#include "io/relayout_stream.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRATCH ((size_t)16 << 20)

typedef struct kind {
    uint32_t format, golden, dtype;
    const char *device, *logical;
    uint64_t input, hidden;
} kind;

/* An array of no memory: what is asked for is counted, and made up if it is looked at. */
typedef struct array {
    uint64_t bytes, calls;
    bool made_up;
    uint64_t fail_at; /* call that fails, 0 = none */
} array;

static uint16_t value_at(uint64_t offset)
{
    return (uint16_t)(offset * 2654435761u >> 13);
}

static dc_status read_array(void *context, void *to, uint64_t offset, size_t bytes)
{
    array *a = context;
    if (++a->calls == a->fail_at)
        return dc_fail(DC_EIO, "the disk is gone");
    a->bytes += bytes;
    for (size_t i = 0; a->made_up && i < bytes / 2; i++)
        ((uint16_t *)to)[i] = value_at(offset / 2 + i);
    return DC_OK;
}

static dc_relayout map_of(const kind *k)
{
    dc_relayout m;
    dc_relayout_ask ask = {.dtype = k->dtype, .format = k->format, .golden_format = k->golden};
    DC_ASSERT_OK(dc_shape_parse(&ask.logical, k->logical));
    ask.input_size = k->input;
    ask.hidden_size = k->hidden;
    if (*k->device) {
        DC_ASSERT_OK(dc_shape_parse(&ask.device, k->device));
        DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    } else {
        DC_ASSERT_OK(dc_relayout_fortran(&m, k->dtype, &ask.logical));
    }
    return m;
}

typedef struct watch { /* what came out of a stream */
    const dc_relayout *m;
    uint64_t elements, chunks, next, wrong;
    int sides;
} watch;

static dc_status look(void *context, void *const part[2], uint64_t at, uint64_t n)
{
    watch *w = context;
    w->elements += n;
    w->chunks++;
    for (uint64_t i = 0; w->m && i < n; i++)
        for (int s = 0; s < w->sides; s++)
            w->wrong +=
                ((const uint16_t *)part[s])[i] != value_at(dc_relayout_offset(w->m, at + i));
    memset(part[0], 0x55, (size_t)n); /* it is ours to change */
    return DC_OK;
}

/* How many times the array is read over when it is compared with a golden in order. */
static double read_over(const kind *k, uint64_t *calls)
{
    dc_relayout m = map_of(k), plain = {.item = m.item};
    const dc_legs legs = dc_legs_choose(&(dc_legs_ask){.map = {&m, &plain},
                                                       .dtype = {k->dtype, DC_FLOAT32},
                                                       .block = DC_PLAN_BLOCK,
                                                       .room = DC_PLAN_WHOLE});
    CU_ASSERT(legs.n > 0 && legs.n % DC_METRIC_CHUNK == 0);
    array a = {0};
    watch w = {0};
    dc_relayout_source source = {read_array, &a, calloc(1, SCRATCH), SCRATCH};
    void *out = legs.streamed ? NULL : malloc(legs.n * m.item);
    for (uint64_t at = 0; at < m.count; at += legs.n) {
        uint64_t n = m.count - at < legs.n ? m.count - at : legs.n;
        const dc_relayout_stream_ask ask = {&m, at, n, DC_METRIC_CHUNK, {&source, NULL}, look, &w};
        DC_ASSERT_OK(legs.streamed ? dc_relayout_stream(&ask)
                                   : dc_relayout_fetch(out, &m, &source, at, n));
    }
    CU_ASSERT(!legs.streamed || w.elements == m.count);
    free(out);
    free(source.scratch);
    *calls = a.calls;
    return (double)a.bytes / (double)(m.device_count * m.item);
}

static const kind large[] = {
    /* 256 MiB each */
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NHWC, DC_FLOAT16, "8x16x128x128x16", "8x128x128x256", 0, 0},
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_FLOAT16, "11x4x222x222x16", "11x64x222x222", 0, 0},
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_FLOAT16, "1x2x1024x1024x16", "1x32x1024x1024", 0, 0},
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_FLOAT16, "1x2x1023x1025x16", "1x18x1023x1025", 0, 0},
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_INT8, "1x2x1000x1000x32", "1x64x1000x1000", 0, 0},
    {DC_FORMAT_NC1HWC0_C04, DC_FORMAT_NCHW, DC_FLOAT16, "4x1x1024x1023x4", "4x3x1024x1023", 0, 0},
    {DC_FORMAT_NDC1HWC0, DC_FORMAT_NCDHW, DC_FLOAT16, "1x32x2x180x180x16", "1x32x32x180x180", 0, 0},
    {DC_FORMAT_NDC1HWC0, DC_FORMAT_NDHWC, DC_FLOAT16, "1x16x4x180x180x16", "1x16x180x180x64", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_NCHW, DC_FLOAT16, "576x228x16x16", "3648x1024x3x3", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_NCHW, DC_FLOAT16, "8192x16x16x16", "256x8192x4x4", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_NHWC, DC_FLOAT16, "576x228x16x16", "3648x3x3x1024", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_HWCN, DC_FLOAT16, "576x228x16x16", "3x3x1024x3648", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_ND, DC_FLOAT16, "28x9504x16x16", "445x152064", 0, 0},
    {DC_FORMAT_FRACTAL_Z_C04, DC_FORMAT_NCHW, DC_FLOAT16, "4x40000x16x16", "640000x3x4x4", 0, 0},
    {DC_FORMAT_FRACTAL_Z_C04, DC_FORMAT_HWCN, DC_FLOAT16, "4x40000x16x16", "4x4x3x640000", 0, 0},
    {DC_FORMAT_FRACTAL_Z_3D, DC_FORMAT_NCDHW, DC_FLOAT16, "864x150x16x16", "2400x512x3x3x3", 0, 0},
    {DC_FORMAT_FRACTAL_Z_3D, DC_FORMAT_DHWCN, DC_FLOAT16, "864x150x16x16", "3x3x3x512x2400", 0, 0},
    {DC_FORMAT_FRACTAL_Z_3D_TRANSPOSE, DC_FORMAT_DHWNC, DC_FLOAT16, "4050x32x16x16",
     "3x3x3x2400x512", 0, 0},
    {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, DC_FLOAT16, "1024x128x16x16", "2048x16384", 0, 0},
    {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, DC_FLOAT16, "9504x15x16x16", "240x152064", 0, 0},
    {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, DC_FLOAT16, "32768x1x16x16", "16x524288", 0, 0},
    {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, DC_INT8, "4752x30x16x32", "480x152064", 0, 0},
    {DC_FORMAT_FRACTAL_ZZ, DC_FORMAT_ND, DC_FLOAT16, "15x9504x16x16", "240x152064", 0, 0},
    {DC_FORMAT_C1HWNCoC0, DC_FORMAT_HWCN, DC_FLOAT16, "128x32x32x1x16x16", "32x32x2048x1", 0, 0},
    {DC_FORMAT_FRACTAL_ZN_RNN, DC_FORMAT_ND, DC_FLOAT16, "512x1024x16x16", "8192x16384", 4096,
     4096},
    {DC_FORMAT_ND_RNN_BIAS, DC_FORMAT_ND, DC_FLOAT16, "33554432", "33554400", 0, 8388600},
    {DC_FORMAT_NHWC, DC_FORMAT_NCHW, DC_FLOAT16, "1x1024x512x64", "1x64x1024x512", 0, 0},
    {DC_FORMAT_NCHW, DC_FORMAT_NHWC, DC_FLOAT16, "1x64x1024x512", "1x1024x512x64", 0, 0},
    {DC_FORMAT_ND, DC_FORMAT_ND, DC_FLOAT32, "", "4096x4096", 0, 0}, /* Fortran order */
};

static void each_byte_is_read_once(void)
{
    for (size_t i = 0; i < DC_COUNT(large); i++) {
        uint64_t calls;
        double over = read_over(&large[i], &calls);
        if (over > 1.1 || getenv("DC_SHOW"))
            printf("%-22s %-20s %-18s read %.3f times, %llu reads\n",
                   dc_format_name(large[i].format), large[i].device, large[i].logical, over,
                   (unsigned long long)calls);
        CU_ASSERT(over <= 1.1);
    }
}

/* What it was before: legs of so many elements, whatever the layout. */
static void blocks_alone_would_read_over(void)
{
    const kind planes = {
        DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_FLOAT16, "1x1x1024x1024x16", "1x16x1024x1024", 0, 0};
    dc_relayout m = map_of(&planes);
    array a = {0};
    dc_relayout_source source = {read_array, &a, calloc(1, SCRATCH), SCRATCH};
    void *out = malloc(DC_PLAN_BLOCK * m.item);
    for (uint64_t at = 0; at < m.count; at += DC_PLAN_BLOCK)
        DC_ASSERT_OK(dc_relayout_fetch(out, &m, &source, at, DC_PLAN_BLOCK));
    CU_ASSERT(a.bytes > 5 * m.device_count * m.item); /* the counter counts */
    free(out);
    free(source.scratch);
}

static const kind small[] = {
    {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, DC_FLOAT16, "3x4x9x11x16", "3x50x9x11", 0, 0},
    {DC_FORMAT_NDC1HWC0, DC_FORMAT_NCDHW, DC_FLOAT16, "2x3x2x7x5x16", "2x23x3x7x5", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_ND, DC_FLOAT16, "3x21x16x16", "40x333", 0, 0},
    {DC_FORMAT_FRACTAL_Z, DC_FORMAT_HWCN, DC_FLOAT16, "12x3x16x16", "2x3x20x47", 0, 0},
    {DC_FORMAT_FRACTAL_Z_C04, DC_FORMAT_HWCN, DC_FLOAT16, "4x21x16x16", "3x5x3x333", 0, 0},
    {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, DC_FLOAT16, "3x5x21x1x8x16", "3x5x7x333", 0, 0},
    {DC_FORMAT_FRACTAL_ZN_RNN, DC_FORMAT_ND, DC_FLOAT16, "4x12x16x16", "41x120", 21, 20},
    {DC_FORMAT_NHWC, DC_FORMAT_NCHW, DC_FLOAT16, "3x9x11x20", "3x20x9x11", 0, 0},
    {DC_FORMAT_ND, DC_FORMAT_ND, DC_FLOAT16, "", "5x70x30", 0, 0},
};

static void stream_part(const kind *k, const dc_relayout *m, uint64_t first, uint64_t n)
{
    uint64_t chunk = (uint64_t)32 << (first % 3);
    array a = {.made_up = true}, b = {.made_up = true};
    size_t room = (size_t)512 << (n % 6);
    dc_relayout_source source[2] = {{read_array, &a, malloc(room), room},
                                    {read_array, &b, malloc(room), room}};
    watch w = {.m = m, .sides = 2};
    const dc_relayout_stream_ask ask = {m, first, n, chunk, {&source[0], &source[1]}, look, &w};
    DC_ASSERT_OK(dc_relayout_stream(&ask));
    CU_ASSERT(w.wrong == 0 && w.elements == n && w.chunks == (n + chunk - 1) / chunk);
    if (w.wrong)
        printf("%s %s from %llu\n", dc_format_name(k->format), k->logical,
               (unsigned long long)first);
    CU_ASSERT(a.calls == b.calls && a.bytes == b.bytes);
    a.fail_at = a.calls + 1;
    CU_ASSERT_EQUAL(dc_relayout_stream(&ask), DC_EIO);
    free(source[0].scratch);
    free(source[1].scratch);
}

static void streams_hand_on_each_chunk_once(void)
{
    for (size_t i = 0; i < DC_COUNT(small); i++) {
        dc_relayout m = map_of(&small[i]);
        const dc_relayout_unit u = dc_relayout_unit_of(&m);
        CU_ASSERT_FATAL(u.rows > 1);
        stream_part(&small[i], &m, 0, m.count);
        for (uint64_t t = 1; t < 40; t++) {
            uint64_t first = t * 2654435761u % m.count;
            stream_part(&small[i], &m, first, 1 + t * t * 40503u % (m.count - first));
        }
    }
}

static dc_status no_more(void *context, void *const part[2], uint64_t at, uint64_t n)
{
    (void)context;
    (void)part;
    (void)at;
    (void)n;
    return dc_fail(DC_ENOMEM, "no more");
}

static void whoever_takes_may_end_it(void)
{
    dc_relayout m = map_of(&small[0]);
    array a = {.made_up = true};
    char room[4096];
    dc_relayout_source source = {read_array, &a, room, sizeof room};
    const dc_relayout_stream_ask ask = {&m, 0, m.count, 64, {&source, NULL}, no_more, NULL};
    CU_ASSERT_EQUAL(dc_relayout_stream(&ask), DC_ENOMEM);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(each_byte_is_read_once),
        DC_TEST(blocks_alone_would_read_over),
        DC_TEST(streams_hand_on_each_chunk_once),
        DC_TEST(whoever_takes_may_end_it),
    };
    return dc_test_main("legs", tests, DC_COUNT(tests));
}
