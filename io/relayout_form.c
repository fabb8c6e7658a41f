/* io/relayout_form.c - see relayout_form.h */
#include "io/relayout_form.h"

#include "io/dtype.h"
#include "io/format.h"
#include "io/mem.h"

#include <string.h>

static const dc_relayout_form layouts[] = {
    {DC_FORMAT_NC1HWC0, "N C1 H W C0", "C NC NCHW NHWC"},
    {DC_FORMAT_NC1HWC0_C04, "N C1 H W C0", "C NC NCHW NHWC"},
    {DC_FORMAT_NDC1HWC0, "N D C1 H W C0", "NCDHW NDHWC"},
    {DC_FORMAT_FRACTAL_Z, "C1HW N1 N0 C0", "CN NCHW NHWC HWCN"},
    {DC_FORMAT_FRACTAL_Z_C04, "", "CN NCHW NHWC HWCN"},
    {DC_FORMAT_FRACTAL_Z_3D, "DC1HW N1 N0 C0", "NCDHW NDHWC DHWCN"},
    {DC_FORMAT_FRACTAL_Z_3D_TRANSPOSE, "DN1HW C1 C0 N0", "DHWNC"},
    {DC_FORMAT_C1HWNCoC0, "C1 H W N C0 C0", "HWCN NCHW NHWC"},
    {DC_FORMAT_FRACTAL_NZ, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_NZ_C0_2, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_NZ_C0_4, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_NZ_C0_8, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_NZ_C0_16, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_NZ_C0_32, "C1 N1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_ZZ, "N1 C1 N0 C0", "*"},
    {DC_FORMAT_FRACTAL_ZN_RNN, "", "*"},
    {DC_FORMAT_ND_RNN_BIAS, "", "*"},
};

const dc_relayout_form *dc_relayout_form_find(uint32_t format)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].format == format)
            return &layouts[i];
    return NULL;
}

/* A layout's words, applied to one logical shape. */
typedef struct form {
    uint32_t coords, tokens, dims;
    struct {
        char letter;
        int axis;              /* logical axis, -1 when the logical shape lacks it: length 1 */
        uint64_t len, block;   /* block: of a coordinate that is split, else 0 */
        uint64_t outer, inner; /* strides of quotient and remainder; outer also of a whole one */
    } coord[DC_MAX_RANK + 8];
    struct {
        uint32_t coord, dim;
        char part; /* '1', '0', or 'w' for whole */
    } token[DC_MAX_RANK + 8];
} form;

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static void add_whole(form *f, char letter, int axis, uint64_t len)
{
    f->coord[f->coords].letter = letter;
    f->coord[f->coords].axis = axis;
    f->coord[f->coords].len = len;
    f->coords++;
}

static void add_token(form *f, uint32_t coord, uint32_t dim, char part)
{
    f->token[f->tokens].coord = coord;
    f->token[f->tokens].dim = dim;
    f->token[f->tokens].part = part;
    f->tokens++;
}

/* Leading dims 0..batch-1 stand for themselves; `words` for the rest, whose logical axes are
 * `letters`. */
static void read_form(form *f, const char *words, const char *letters, uint32_t batch,
                      const dc_shape *logical)
{
    memset(f, 0, sizeof *f);
    for (; f->dims < batch; f->dims++) {
        add_whole(f, '\0', (int)f->dims, logical->dim[f->dims]);
        add_token(f, f->dims, f->dims, 'w');
    }
    for (const char *at = words; *at; at++) {
        if (*at == ' ')
            continue;
        uint32_t c = batch;
        while (c < f->coords && f->coord[c].letter != *at)
            c++;
        if (c == f->coords) {
            const char *found = strchr(letters, *at);
            int axis = found ? (int)(found - letters) + (int)batch : -1;
            add_whole(f, *at, axis, found ? logical->dim[axis] : 1);
        }
        char part = at[1] == '0' || at[1] == '1' ? *++at : 'w';
        add_token(f, c, f->dims, part);
        f->dims += at[1] == ' ' || at[1] == '\0';
    }
}

/* Whether the device dims are those of the form; fills in the block sizes. */
static bool form_fits(form *f, const dc_shape *device, uint32_t logical_rank)
{
    uint64_t dim[DC_MAX_RANK + 8];
    uint32_t axes = 0;
    for (uint32_t c = 0; c < f->coords; c++)
        axes += f->coord[c].axis >= 0;
    if (axes != logical_rank || f->dims != device->rank)
        return false;
    for (uint32_t t = 0; t < f->tokens; t++)
        if (f->token[t].part == '0')
            f->coord[f->token[t].coord].block = device->dim[f->token[t].dim];
    for (uint32_t d = 0; d < f->dims; d++)
        dim[d] = 1;
    for (uint32_t t = 0; t < f->tokens; t++) {
        uint32_t c = f->token[t].coord, d = f->token[t].dim;
        uint64_t len = f->coord[c].len, block = f->coord[c].block;
        if (f->token[t].part != 'w' && block == 0)
            return false;
        uint64_t size = f->token[t].part == 'w'   ? len
                        : f->token[t].part == '1' ? ceil_div(len, block)
                                                  : block;
        if (!dc_mul_u64(&dim[d], dim[d], size))
            return false;
    }
    return memcmp(dim, device->dim, f->dims * sizeof *dim) == 0;
}

static void form_strides(form *f)
{
    uint64_t stride = 1;
    for (uint32_t t = f->tokens; t-- > 0;) {
        uint32_t c = f->token[t].coord;
        if (f->token[t].part == '0') {
            f->coord[c].inner += stride; /* += : C1HWNCoC0 has C0 twice, which is its diagonal */
            stride *= f->coord[c].block;
        } else {
            bool whole = f->token[t].part == 'w';
            f->coord[c].outer = stride;
            stride *= whole ? f->coord[c].len : ceil_div(f->coord[c].len, f->coord[c].block);
        }
    }
}

void dc_relayout_add_axis(dc_relayout *m, uint64_t len, uint64_t stride, uint64_t into0,
                          uint64_t into1)
{
    m->axis[m->axes].len = len;
    m->axis[m->axes].stride = stride;
    m->axis[m->axes].into[0] = into0;
    m->axis[m->axes].into[1] = into1;
    m->axes++;
}

static void set_digit(dc_relayout *m, int d, uint64_t block, uint64_t outer, uint64_t inner)
{
    m->digit[d].block = block;
    m->digit[d].outer = outer;
    m->digit[d].inner = inner;
    m->digit[d].cut = UINT64_MAX;
    m->digit[d].skip = m->digit[d].feeds = 0;
}

static bool map_form(dc_relayout *m, form *f, const dc_relayout_ask *ask)
{
    int digits = 0;
    if (!form_fits(f, &ask->device, ask->logical.rank))
        return false;
    form_strides(f);
    for (int a = 0; a < (int)ask->logical.rank; a++)
        for (uint32_t c = 0; c < f->coords; c++) {
            if (f->coord[c].axis != a)
                continue;
            if (f->coord[c].block == 0) {
                dc_relayout_add_axis(m, f->coord[c].len, f->coord[c].outer, 0, 0);
                continue;
            }
            set_digit(m, digits, f->coord[c].block, f->coord[c].outer, f->coord[c].inner);
            dc_relayout_add_axis(m, f->coord[c].len, 0, digits == 0, digits == 1);
            digits++;
        }
    return true;
}

static uint64_t length_of(char letter, const char *letters, const dc_shape *logical)
{
    const char *found = strchr(letters, letter);
    return found ? logical->dim[found - letters] : 1;
}

static bool map_c04(dc_relayout *m, const dc_relayout_ask *ask, const char *letters)
{
    const uint64_t *dim = ask->device.dim;
    uint64_t h = length_of('H', letters, &ask->logical), w = length_of('W', letters, &ask->logical);
    uint64_t c = length_of('C', letters, &ask->logical), n = length_of('N', letters, &ask->logical);
    uint64_t k, row = dim[1] * dim[2] * dim[3];
    if (ask->device.rank != 4 || c > 4 || !dim[2] || !dim[3] || !dc_mul_u64(&k, h, w) ||
        !dc_mul_u64(&k, k, 4) || dim[0] != ceil_div(k, dim[3]) || dim[1] != ceil_div(n, dim[2]))
        return false;
    set_digit(m, 0, dim[3], row, 1);
    for (; *letters; letters++)
        if (*letters == 'N')
            dc_relayout_add_axis(m, n, dim[3], 0, 0);
        else if (*letters == 'C')
            dc_relayout_add_axis(m, c, 0, 1, 0);
        else if (*letters == 'H')
            dc_relayout_add_axis(m, h, 0, 4 * w, 0);
        else
            dc_relayout_add_axis(m, w, 0, 4, 0);
    return true;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Groups that share a layer of a grouped FRACTAL_Z: E of relayout.h. */
static uint64_t groups_together(uint64_t groups, uint64_t cg, uint64_t c0, uint64_t ng, uint64_t n0)
{
    uint64_t a = c0 / gcd(cg, c0), b = n0 / gcd(ng, n0), both;
    if (!dc_mul_u64(&both, a / gcd(a, b), b) || both > groups)
        return groups;
    return both;
}

static bool map_groups(dc_relayout *m, const dc_relayout_ask *ask, const char *letters)
{
    const uint64_t *dim = ask->device.dim;
    uint64_t h = length_of('H', letters, &ask->logical), w = length_of('W', letters, &ask->logical);
    uint64_t c = length_of('C', letters, &ask->logical), n = length_of('N', letters, &ask->logical);
    uint64_t groups = ask->sub_format, rows, channels, outputs;
    if (ask->device.rank != 4 || !dim[2] || !dim[3] || n % groups != 0)
        return false;
    uint64_t ng = n / groups, e = groups_together(groups, c, dim[3], ng, dim[2]);
    if (!dc_mul_u64(&channels, e, c) || !dc_mul_u64(&outputs, e, ng) ||
        dim[1] != ceil_div(outputs, dim[2]))
        return false;
    uint64_t c1 = ceil_div(channels, dim[3]), row = dim[1] * dim[2] * dim[3];
    if (!dc_mul_u64(&rows, ceil_div(groups, e), c1) || !dc_mul_u64(&rows, rows, h) ||
        !dc_mul_u64(&rows, rows, w) || rows != dim[0])
        return false;
    set_digit(m, 0, dim[3], h * w * row, 1);
    set_digit(m, 1, e, c1 * h * w * row, ng * dim[3]);
    m->digit[1].feeds = c;
    for (; *letters; letters++)
        if (*letters == 'N') {
            dc_relayout_add_axis(m, groups, 0, 0, 1);
            dc_relayout_add_axis(m, ng, dim[3], 0, 0);
        } else if (*letters == 'C')
            dc_relayout_add_axis(m, c, 0, 1, 0);
        else
            dc_relayout_add_axis(m, *letters == 'H' ? h : w, *letters == 'H' ? w * row : row, 0, 0);
    return true;
}

static bool map_rnn(dc_relayout *m, const dc_relayout_ask *ask)
{
    const uint64_t *dim = ask->device.dim;
    uint64_t input = ask->input_size, hidden = ask->hidden_size, both;
    if (ask->logical.rank != 2 || ask->device.rank != 4 || !dim[2] || !dim[3])
        return false;
    uint64_t k = ask->logical.dim[0], n = ask->logical.dim[1];
    bool two_parts = dc_add_u64(&both, input, hidden) && k == both;
    uint64_t blocks =
        two_parts ? ceil_div(input, dim[3]) + ceil_div(hidden, dim[3]) : ceil_div(k, dim[3]);
    uint64_t gates = n / hidden, gate_blocks = ceil_div(hidden, dim[2]);
    if ((!two_parts && k != input && k != hidden) || n % hidden != 0 || dim[0] != blocks ||
        dim[1] != gates * gate_blocks)
        return false;
    set_digit(m, 0, dim[3], dim[1] * dim[2] * dim[3], 1);
    if (two_parts && input % dim[3] != 0) {
        m->digit[0].cut = input;
        m->digit[0].skip = ceil_div(input, dim[3]) * dim[3] - input;
    }
    dc_relayout_add_axis(m, k, 0, 1, 0);
    dc_relayout_add_axis(m, gates, gate_blocks * dim[2] * dim[3], 0, 0);
    dc_relayout_add_axis(m, hidden, dim[3], 0, 0);
    return true;
}

static bool map_rnn_bias(dc_relayout *m, const dc_relayout_ask *ask)
{
    uint64_t n = ask->logical.dim[0], hidden = ask->hidden_size, padded = ask->device.dim[0];
    if (ask->logical.rank != 1 || ask->device.rank != 1 || n % hidden != 0 || n == 0 ||
        padded % (n / hidden) != 0)
        return false;
    uint64_t gates = n / hidden, each = padded / gates;
    bool whole_blocks = each % 8 == 0 && each >= hidden && each - hidden < 32;
    if (!whole_blocks)
        return false;
    dc_relayout_add_axis(m, gates, each, 0, 0);
    dc_relayout_add_axis(m, hidden, 1, 0, 0);
    return true;
}

/* Replace a digit that never wraps, or whose wrapping makes no difference, by plain strides. */
static void fold_digit(dc_relayout *m, int d)
{
    uint64_t most = 0, block = m->digit[d].block, outer = m->digit[d].outer;
    uint64_t inner = block == 1 ? outer : m->digit[d].inner; /* a block of 1 leaves no remainder */
    uint64_t feeds = block == 1 ? 0 : m->digit[d].feeds;
    for (uint32_t a = 0; a < m->axes; a++)
        most += m->axis[a].into[d] * (m->axis[a].len - 1);
    bool plain = block == 1 || most < block || (!feeds && outer == block * inner);
    if (!plain || m->digit[d].cut <= most || (d == 0 && m->digit[1].feeds))
        return;
    for (uint32_t a = 0; a < m->axes; a++) {
        m->axis[a].stride += m->axis[a].into[d] * inner;
        m->axis[a].into[0] += m->axis[a].into[d] * feeds;
        m->axis[a].into[d] = 0;
    }
    set_digit(m, d, 1, 0, 0);
}

/* The only digit is digit 0. */
static void lower_digit(dc_relayout *m)
{
    if (m->digit[0].block > 1 || m->digit[1].block == 1 || m->digit[1].feeds)
        return;
    m->digit[0] = m->digit[1];
    set_digit(m, 1, 1, 0, 0);
    for (uint32_t a = 0; a < m->axes; a++) {
        m->axis[a].into[0] = m->axis[a].into[1];
        m->axis[a].into[1] = 0;
    }
}

void dc_relayout_simplify(dc_relayout *m)
{
    dc_relayout from = *m;
    if (m->count > 0) {
        fold_digit(&from, 1);
        fold_digit(&from, 0);
        lower_digit(&from);
    } else
        from.axes = 0;
    memcpy(m->digit, from.digit, sizeof m->digit);
    memset(m->axis, 0, sizeof m->axis);
    m->axes = 0;
    for (uint32_t a = 0; a < from.axes; a++) {
        uint64_t len = from.axis[a].len, *last = m->axes ? m->axis[m->axes - 1].into : NULL;
        if (len == 1)
            continue;
        bool joins = last && m->axis[m->axes - 1].stride == len * from.axis[a].stride &&
                     last[0] == len * from.axis[a].into[0] && last[1] == len * from.axis[a].into[1];
        if (joins) {
            m->axes--;
            len *= m->axis[m->axes].len;
        }
        dc_relayout_add_axis(m, len, from.axis[a].stride, from.axis[a].into[0],
                             from.axis[a].into[1]);
    }
}

void dc_relayout_start(dc_relayout *m, uint32_t dtype)
{
    uint32_t bits = dc_dtype_get(dtype)->bits;
    memset(m, 0, sizeof *m);
    m->outcome = DC_RELAYOUT_UNSUPPORTED;
    m->item = bits % 8 ? 0 : bits / 8;
    set_digit(m, 0, 1, 0, 0);
    set_digit(m, 1, 1, 0, 0);
}

bool dc_relayout_try(dc_relayout *m, const dc_relayout_ask *ask, const dc_relayout_form *l,
                     const char *letters, uint32_t leading)
{
    form f;
    bool fits;
    uint64_t bytes;
    dc_relayout_start(m, ask->dtype);
    if (!dc_shape_count(&m->count, &ask->logical) ||
        !dc_shape_count(&m->device_count, &ask->device) ||
        !dc_dtype_bytes(&bytes, ask->dtype, m->device_count))
        return false;
    bool grouped = l->format == DC_FORMAT_FRACTAL_Z && ask->sub_format > 1;
    bool weights = strspn(letters, "NCHW") == strlen(letters);
    if (l->format == DC_FORMAT_FRACTAL_Z_C04)
        fits = weights && map_c04(m, ask, letters);
    else if (l->format == DC_FORMAT_FRACTAL_ZN_RNN)
        fits = map_rnn(m, ask);
    else if (l->format == DC_FORMAT_ND_RNN_BIAS)
        fits = map_rnn_bias(m, ask);
    else if (grouped)
        fits = weights && map_groups(m, ask, letters);
    else {
        read_form(&f, l->dims, letters, leading, &ask->logical);
        fits = map_form(m, &f, ask);
    }
    if (fits)
        dc_relayout_simplify(m);
    return fits;
}
