/* io/relayout.h - device layouts of Ascend tensors as index maps onto the logical (golden) order,
 * and copying through them.
 *
 * Device layouts, outermost dim first; X1, X0 are the quotient and remainder of x by the size of
 * the dim X0, padding is zero. N0 and C0 come from the device shape alone: they differ by chip and
 * dtype.
 *
 *   NC1HWC0, NC1HWC0_C04        N, C1, H, W, C0
 *   NDC1HWC0                    N, D, C1, H, W, C0
 *   FRACTAL_Z                   C1*H*W, N1, N0, C0    (2-D: k is C, n is N)
 *   FRACTAL_Z of G groups (sub_format), Cg channels and Ng = N/G outputs in each:
 *       ceil(G/E)*C1*H*W, ceil(E*Ng/N0), N0, C0, E = min(lcm(C0/gcd(Cg,C0), N0/gcd(Ng,N0)), G);
 *       group g puts (n', c) at n = g%E*Ng + n', c = g%E*Cg + c of its layer g/E of
 *       C1 = ceil(E*Cg/C0)
 *   FRACTAL_Z_C04               ceil(4*H*W/C0), N1, N0, C0    of k = (h*W+w)*4 + c, c < 4
 *   FRACTAL_Z_3D                D*C1*H*W, N1, N0, C0
 *   FRACTAL_Z_3D_TRANSPOSE      D*N1*H*W, C1, C0, N0
 *   FRACTAL_NZ, FRACTAL_NZ_C0_* ..., C1, N1, N0, C0    of (..., n, c)
 *   FRACTAL_ZZ                  ..., N1, C1, N0, C0    of (..., n, c)
 *   C1HWNCoC0                   C1, H, W, N, C0, C0    on the diagonal of the last two
 *   FRACTAL_ZN_RNN              K1, N1, N0, K0    of (k, n): k is the input part padded to K0, then
 *                               the hidden part; each gate's n padded to N0
 *   ND_RNN_BIAS                 each gate's hidden values padded
 *   NCHW NHWC HWCN CHWN NCDHW NDHWC DHWCN DHWNC NC CN NCL
 *   ND                          as named, ND equal to the logical order
 *
 * Sources: GE format_transfer_*.cc, TBE trans_data.cc, FE transfer_shape_utils.cc. C1HWC0,
 * FRACTAL_ZN_LSTM, groups in FRACTAL_Z_3D and every other format have no verified order: refused.
 */
#ifndef DC_RELAYOUT_H
#define DC_RELAYOUT_H
#include "io/shape.h"
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DC_RELAYOUT_AXES = DC_MAX_RANK + 1 };

typedef enum dc_relayout_outcome {
    DC_RELAYOUT_FITS,
    DC_RELAYOUT_MISFIT,     /* the device shape is not that of the logical shape: a shape failure */
    DC_RELAYOUT_AMBIGUOUS,  /* several readings fit, and they differ: not to be judged */
    DC_RELAYOUT_UNSUPPORTED /* no verified order of the format, or a packed dtype out of order */
} dc_relayout_outcome;

typedef struct dc_relayout_ask {
    uint32_t dtype;                   /* of the device tensor; dump-header number */
    uint32_t format, sub_format;      /* of the device tensor; sub_format: groups, 0 or 1 = none */
    dc_shape device;                  /* dims of the device tensor, as dumped */
    uint32_t golden_format;           /* what the logical dims mean; DC_FORMAT_ND: not known */
    dc_shape logical;                 /* the golden's shape */
    uint64_t input_size, hidden_size; /* attributes of RNN weights; 0 = not known */
} dc_relayout_ask;

/* Device offset of a logical index (i0, i1, ...), in elements: sum(i_a * stride_a) plus, for each
 * digit d, whose value is k_d = sum(i_a * into_a[d]): k_d / block * outer + k_d % block * inner.
 * Digit 1's remainder times `feeds` adds to k_0; a k_0 of `cut` or more has `skip` added. Every
 * digit grows with its indices, so the first and last element of a box bound it. */
typedef struct dc_relayout {
    dc_relayout_outcome outcome;
    uint64_t count;        /* elements in logical order */
    uint64_t device_count; /* elements the device array holds, padding included */
    size_t item;           /* bytes of an element; 0 for packed types, which are then in order */
    uint32_t axes;         /* 0 with count 1; neighbours that go together are one axis */
    struct {
        uint64_t len, stride, into[2];
    } axis[DC_RELAYOUT_AXES]; /* in logical order, each of 2 or more */
    struct {
        uint64_t block, outer, inner, cut, skip, feeds;
    } digit[2]; /* block is never 0 */
} dc_relayout;

/* Make the map for ask. A golden_format with as many letters as the logical shape has dims says
 * what they mean; otherwise the usual orders of that rank are tried ([C] and [N,C] for NC1HWC0;
 * [k,n] for FRACTAL_Z), and must agree. Nothing is broadcast and no dim of 1 is added or dropped
 * but so. Errors: DC_EFORMAT (MISFIT, the message has both shapes), DC_EUNSUP (AMBIGUOUS,
 * UNSUPPORTED, with the reason); m->outcome tells them apart and is set in every case. Not
 * collective. */
dc_status dc_relayout_init(dc_relayout *m, const dc_relayout_ask *ask) DC_MUST_CHECK;
/* The map of an array in Fortran order (first index fastest) of this shape. Errors: DC_EUNSUP
 * (packed dtype). */
dc_status dc_relayout_fortran(dc_relayout *m, uint32_t dtype, const dc_shape *shape) DC_MUST_CHECK;
/* The map of a box of a larger array of shape `whole`, in C or Fortran order: `shape` elements from
 * the box's first one on, which the caller finds. Errors: DC_EUNSUP (packed dtype), DC_EFORMAT (the
 * box is larger than the array; sizes beyond 64 bits). */
dc_status dc_relayout_box(dc_relayout *m, uint32_t dtype, const dc_shape *whole,
                          const dc_shape *shape, bool fortran) DC_MUST_CHECK;
/* Elements from one index along `axis` to the next in an array of that shape. */
uint64_t dc_relayout_stride(const dc_shape *whole, uint32_t axis, bool fortran);
/* Two maps put each element at one and the same place. */
bool dc_relayout_same(const dc_relayout *a, const dc_relayout *b);
/* The device bytes are the logical ones (followed by padding, if any). */
bool dc_relayout_is_identity(const dc_relayout *m);
/* Device offset of logical element i < m->count, in elements. Slow; for single elements. */
uint64_t dc_relayout_offset(const dc_relayout *m, uint64_t i);

/* out[0..n) = logical elements first..first+n-1 of `device`, which holds m->device_count elements.
 * Neither needs alignment. m->item is not 0. Not collective; cannot fail. */
void dc_relayout_gather(void *out, const dc_relayout *m, const void *device, uint64_t first,
                        size_t n);
/* The way back: device[0..device_count) = the m->count elements of `logical`, padding zero. */
void dc_relayout_scatter(void *device, const dc_relayout *m, const void *logical);

/* A device array too large for memory: read(context, to, offset, bytes) brings `bytes` bytes from
 * `offset` on (in bytes from the array's first), scratch is room for what is read at once. */
typedef struct dc_relayout_source {
    dc_status (*read)(void *context, void *to, uint64_t offset, size_t bytes);
    void *context;
    void *scratch;
    size_t scratch_bytes; /* 16 at least; 1 MiB and more is sensible */
} dc_relayout_source;

/* As dc_relayout_gather, reading what is needed piece by piece, each byte once: pieces are as long
 * as scratch allows, but as short as an element where the layout scatters the range. Errors: those
 * of read, handed on at once. Not collective. */
dc_status dc_relayout_fetch(void *out, const dc_relayout *m, const dc_relayout_source *source,
                            uint64_t first, size_t n) DC_MUST_CHECK;
/* How many elements, `most` at most, to fetch at a time, from the first on, so that little is read
 * twice: whole units (io/relayout_stream.h) if one is that small. At least 1. Not collective. */
uint64_t dc_relayout_chunk(const dc_relayout *m, uint64_t most);
#endif
