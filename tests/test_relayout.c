/* tests/test_relayout.c - every layout against its index formula, written out plainly; ranges,
 * round trips, pieces; what does not fit and what is ambiguous. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/relayout.h"
#include "tests/harness.h"
#include "tests/layout_formulas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the formulas ------------------------------------------------------------------------------
 */

/* dims of the device array: one letter each; upper case is the logical length, digits the blocks:
 * 'a' C1, 'b' C0, 'x' N1, 'y' N0, 'p' and 'q' the batch dims, others special */
static uint64_t dim_of(char letter, const sizes *s)
{
    uint64_t c1 = up(s->c, s->c0), n1 = up(s->n, s->n0), e = s->groups ? groups_together(s) : 1;
    uint64_t gate = s->hidden ? s->n / s->hidden : 0;
    switch (letter) {
    case 'N':
        return s->n;
    case 'C':
        return s->c;
    case 'D':
        return s->d;
    case 'H':
        return s->h;
    case 'W':
        return s->w;
    case 'a':
        return c1;
    case 'b':
        return s->c0;
    case 'x':
        return n1;
    case 'y':
        return s->n0;
    case 'p':
        return s->batch[0];
    case 'q':
        return s->batch[1];
    case 'z':
        return c1 * s->h * s->w;
    case 'Z':
        return s->d * c1 * s->h * s->w;
    case 'T':
        return s->d * n1 * s->h * s->w;
    case '4':
        return up(4 * s->h * s->w, s->c0);
    case 'g':
        return up(s->groups, e) * up(e * s->c, s->c0) * s->h * s->w;
    case 'G':
        return up(e * s->n / s->groups, s->n0); /* NOLINT: these kinds have groups */
    case 'k':
        return s->input + s->hidden == s->c ? up(s->input, s->c0) + up(s->hidden, s->c0) : c1;
    case 'm':
        return gate * up(s->hidden, s->n0);
    default: /* 'r' */
        return gate * up(s->hidden, s->c0) * s->c0;
    }
}

static const struct kind {
    uint32_t format;
    const char *dims;
    uint64_t (*offset)(const sizes *s, const index_of *i);
    const char *goldens; /* logical orders; letters as in dims */
} kinds[] = {
    {DC_FORMAT_NC1HWC0, "NaHWb", nc1hwc0, "NCHW NHWC HWCN CHWN"},
    {DC_FORMAT_NC1HWC0, "NaHWb", nc1hwc0, "NC"},
    {DC_FORMAT_NC1HWC0_C04, "NaHWb", nc1hwc0, "NHWC NCHW"},
    {DC_FORMAT_NDC1HWC0, "NDaHWb", ndc1hwc0, "NCDHW NDHWC DHWCN"},
    {DC_FORMAT_FRACTAL_Z, "zxyb", fractal_z, "NCHW NHWC HWCN"},
    {DC_FORMAT_FRACTAL_Z, "axyb", fractal_z, "CN"}, /* (k, n) */
    {DC_FORMAT_FRACTAL_Z_C04, "4xyb", fractal_z_c04, "NCHW NHWC HWCN"},
    {DC_FORMAT_FRACTAL_Z_3D, "Zxyb", fractal_z_3d, "NCDHW NDHWC DHWCN"},
    {DC_FORMAT_FRACTAL_Z_3D_TRANSPOSE, "Taby", z_3d_transpose, "DHWNC DHWCN"},
    {DC_FORMAT_C1HWNCoC0, "aHWNbb", c1hwncoc0, "HWCN NCHW NHWC"},
    {DC_FORMAT_FRACTAL_NZ, "pqaxyb", fractal_nz, "pqNC"},
    {DC_FORMAT_FRACTAL_NZ, "axyb", fractal_nz, "NC"},
    {DC_FORMAT_FRACTAL_NZ_C0_2, "axyb", fractal_nz, "NC"},
    {DC_FORMAT_FRACTAL_NZ_C0_4, "axyb", fractal_nz, "NC"},
    {DC_FORMAT_FRACTAL_NZ_C0_8, "qaxyb", fractal_nz, "qNC"},
    {DC_FORMAT_FRACTAL_NZ_C0_16, "axyb", fractal_nz, "NC"},
    {DC_FORMAT_FRACTAL_NZ_C0_32, "axyb", fractal_nz, "NC"},
    {DC_FORMAT_FRACTAL_ZZ, "pqxayb", fractal_zz, "pqNC"},
    {DC_FORMAT_FRACTAL_ZZ, "xayb", fractal_zz, "NC"},
    {DC_FORMAT_NHWC, "NHWC", nhwc, "NCHW HWCN NHWC CHWN"},
    {DC_FORMAT_DHWCN, "DHWCN", dhwcn, "NCDHW NDHWC DHWNC"},
    {DC_FORMAT_FRACTAL_Z, "gGyb", grouped_z, "NCHW NHWC HWCN"},
    {DC_FORMAT_FRACTAL_ZN_RNN, "kmyb", zn_rnn, "CN"},
    {DC_FORMAT_ND_RNN_BIAS, "r", rnn_bias, "N"},
};

/* --- random cases ------------------------------------------------------------------------------
 */

static uint64_t seed = 88172645463325252u;
static uint64_t random_below(uint64_t n) /* xorshift64 */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

static sizes random_sizes(const struct kind *kind)
{
    static const uint64_t blocks[] = {16, 16, 8, 4, 32, 1, 2, 64};
    sizes s = {.n = 1 + random_below(40),
               .c = 1 + random_below(kind->format == DC_FORMAT_FRACTAL_Z_C04 ? 4 : 50),
               .d = 1 + random_below(3),
               .h = 1 + random_below(6),
               .w = 1 + random_below(7),
               .n0 = blocks[random_below(DC_COUNT(blocks))],
               .c0 = blocks[random_below(DC_COUNT(blocks))],
               .batch = {1, 1}};
    if (strlen(kind->goldens) == 2)
        s.h = s.w = 1; /* what those orders leave out */
    if (kind->offset == rnn_bias)
        s.c0 = 8u << random_below(3);
    if (*kind->dims == 'p')
        s.batch[0] = 1 + random_below(3);
    if (*kind->goldens == 'p' || *kind->goldens == 'q')
        s.batch[1] = 1 + random_below(3);
    if (kind->offset == grouped_z) {
        s.groups = 2 + random_below(9);
        s.c = 1 + random_below(20);
        s.n = s.groups * (1 + random_below(12));
    }
    if (kind->offset == zn_rnn || kind->offset == rnn_bias) {
        s.hidden = 1 + random_below(40);
        s.input = 1 + random_below(40);
        uint64_t either = random_below(3);
        s.c = either == 0 ? s.input : either == 1 ? s.hidden : s.input + s.hidden;
        if (either == 0)
            s.hidden = s.hidden % s.input + s.input; /* not both parts' length by accident */
        s.n = s.hidden * (1 + random_below(4));
    }
    if (kind->offset == zn_rnn && s.c != s.input + s.hidden)
        s.input = s.c > s.input ? s.c : s.input; /* one part: nothing is cut */
    return s;
}

typedef struct pair { /* one case, with the map and arrays of element numbers */
    dc_relayout m;
    uint32_t *device, *logical;
} pair;

static const uint32_t dtype_of[17] = {
    [1] = DC_INT8, [2] = DC_FLOAT16, [4] = DC_FLOAT32, [8] = DC_INT64, [16] = DC_COMPLEX128};

static dc_relayout_ask make_ask(const struct kind *kind, const sizes *s, const char *golden)
{
    dc_relayout_ask ask = {.dtype = DC_FLOAT32,
                           .format = kind->format,
                           .sub_format = (uint32_t)s->groups,
                           .input_size = s->input,
                           .hidden_size = s->hidden};
    ask.device.rank = (uint32_t)strlen(kind->dims);
    ask.logical.rank = (uint32_t)strlen(golden);
    for (uint32_t i = 0; i < ask.device.rank; i++)
        ask.device.dim[i] = dim_of(kind->dims[i], s);
    for (uint32_t i = 0; i < ask.logical.rank; i++)
        ask.logical.dim[i] = dim_of(golden[i], s);
    int format = dc_format_by_name(golden);
    ask.golden_format = format < 0 ? DC_FORMAT_ND : (uint32_t)format;
    return ask;
}

/* Number the elements in logical order and put them where the formula says. */
static void fill(pair *p, const struct kind *kind, const sizes *s, const char *golden)
{
    p->logical = malloc(p->m.count * sizeof *p->logical);
    p->device = calloc(p->m.device_count, sizeof *p->device);
    for (uint32_t e = 0; e < p->m.count; e++) {
        index_of i = {0};
        uint64_t rest = e;
        for (size_t a = strlen(golden); a-- > 0;) {
            uint64_t len = dim_of(golden[a], s), x = rest % len;
            rest /= len;
            *(golden[a] == 'N'   ? &i.n
              : golden[a] == 'C' ? &i.c
              : golden[a] == 'D' ? &i.d
              : golden[a] == 'H' ? &i.h
              : golden[a] == 'W' ? &i.w
              : golden[a] == 'p' ? &i.batch[0]
                                 : &i.batch[1]) = x;
        }
        uint64_t to = kind->offset(s, &i);
        if (to >= p->m.device_count || dc_relayout_offset(&p->m, e) != to)
            CU_FAIL_FATAL("another offset than the formula's");
        p->logical[e] = p->device[to] = e + 1;
    }
}

typedef struct reader {
    const unsigned char *data;
    size_t bytes, scratch, calls;
} reader;
static dc_status read_piece(void *context, void *to, uint64_t offset, size_t bytes)
{
    reader *r = context;
    if (offset + bytes > r->bytes)
        return dc_fail(DC_EIO, "read beyond the end");
    memcpy(to, r->data + offset, bytes);
    r->calls++;
    return DC_OK;
}

static void check_ranges(const pair *p)
{
    uint32_t *out = malloc(p->m.count * sizeof *out);
    for (int t = 0; t < 6; t++) {
        uint64_t first = t ? random_below(p->m.count) : 0;
        uint64_t n = t ? 1 + random_below(p->m.count - first) : p->m.count;
        memset(out, 0xee, n * sizeof *out);
        dc_relayout_gather(out, &p->m, p->device, first, n);
        CU_ASSERT_EQUAL_FATAL(memcmp(out, p->logical + first, n * sizeof *out), 0);
        reader r = {(const unsigned char *)p->device, p->m.device_count * 4,
                    (size_t)16 << random_below(8), 0};
        void *scratch = malloc(r.scratch);
        dc_relayout_source source = {read_piece, &r, scratch, r.scratch};
        memset(out, 0xee, n * sizeof *out);
        DC_ASSERT_OK(dc_relayout_fetch(out, &p->m, &source, first, n));
        CU_ASSERT_EQUAL_FATAL(memcmp(out, p->logical + first, n * sizeof *out), 0);
        free(scratch);
    }
    free(out);
}

/* The same map with elements of another size: repeat or cut each element's bytes. */
static void check_width(const pair *p, size_t item)
{
    dc_relayout m = p->m;
    m.item = item;
    unsigned char *device = calloc(m.device_count, item), *again = malloc(m.device_count * item);
    unsigned char *logical = malloc(m.count * item), *out = malloc(m.count * item);
    for (uint64_t e = 0; e < m.count; e++)
        for (size_t b = 0; b < item; b++)
            logical[e * item + b] = (unsigned char)(e * 31 + b + 1);
    for (uint64_t e = 0; e < m.count; e++)
        memcpy(device + dc_relayout_offset(&m, e) * item, logical + e * item, item);
    dc_relayout_gather(out, &m, device, 0, m.count);
    CU_ASSERT_EQUAL_FATAL(memcmp(out, logical, m.count * item), 0);
    memset(again, 0xee, m.device_count * item);
    dc_relayout_scatter(again, &m, logical);
    CU_ASSERT_EQUAL_FATAL(memcmp(again, device, m.device_count * item), 0);
    free(device);
    free(again);
    free(logical);
    free(out);
}

static void check_case(const struct kind *kind, const sizes *s, const char *golden)
{
    dc_relayout_ask ask = make_ask(kind, s, golden);
    pair p;
    DC_ASSERT_OK(dc_relayout_init(&p.m, &ask));
    CU_ASSERT_EQUAL(p.m.outcome, DC_RELAYOUT_FITS);
    fill(&p, kind, s, golden);
    uint32_t *again = malloc(p.m.device_count * sizeof *again);
    memset(again, 0xee, p.m.device_count * sizeof *again);
    dc_relayout_scatter(again, &p.m, p.logical);
    CU_ASSERT_EQUAL_FATAL(memcmp(again, p.device, p.m.device_count * sizeof *again), 0);
    check_ranges(&p);
    for (size_t item = 1; item <= 16; item *= 2) {
        ask.dtype = dtype_of[item];
        DC_ASSERT_OK(dc_relayout_init(&p.m, &ask));
        CU_ASSERT_EQUAL(p.m.item, item);
        check_width(&p, item);
    }
    bool moved = memcmp(p.device, p.logical, p.m.count * sizeof *p.device) != 0;
    CU_ASSERT_EQUAL(dc_relayout_is_identity(&p.m), !moved);
    free(again);
    free(p.device);
    free(p.logical);
}

static void every_layout_follows_its_formula(void)
{
    for (size_t k = 0; k < DC_COUNT(kinds); k++)
        for (int t = 0; t < 8; t++) {
            sizes s = random_sizes(&kinds[k]);
            char goldens[64], *save = NULL;
            if (kinds[k].offset == fractal_zz)
                s.n0 = t % 2 ? s.c0 : s.n0;
            strcpy(goldens, kinds[k].goldens); /* NOLINT: our own texts */
            for (char *g = strtok_r(goldens, " ", &save); g; g = strtok_r(NULL, " ", &save))
                check_case(&kinds[k], &s, g);
        }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_layout_follows_its_formula),
    };
    return dc_test_main("relayout", tests, DC_COUNT(tests));
}
