/* io/dump_layout.c - see dump_layout.h */
#include "io/dump_layout.h"

#include "io/dtype.h"
#include "io/mem.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *dc_direction_name(dc_direction direction)
{
    static const char *const name[DC_DIRECTIONS] = {"input", "output", "buffer", "space"};
    return name[direction];
}

dc_status dc_dump_reserve(dc_dump *d, uint64_t n, const char *path)
{
    if (n > DC_DUMP_MAX_TENSORS)
        return dc_fail(DC_EUNSUP, "%s: %" PRIu64 " tensors in one dump file, more than %d", path, n,
                       DC_DUMP_MAX_TENSORS);
    d->tensor = calloc((size_t)n + 1, sizeof *d->tensor);
    if (!d->tensor)
        return dc_fail_memory();
    d->n = (size_t)n;
    for (size_t i = 0; i < d->n; i++) {
        dc_dump_tensor *t = &d->tensor[i];
        t->origin_name = "";
        t->origin_slot = t->arg_index = DC_UNSET;
        t->origin_dtype = t->origin_format = -1;
    }
    return DC_OK;
}

static void set_dims(dc_shape *s, const uint64_t *dim, size_t n)
{
    s->rank = (uint32_t)n;
    if (n)
        memcpy(s->dim, dim, n * sizeof *dim);
}

/* Bytes that dims of dtype take; false when that does not fit. */
static bool dims_bytes(uint64_t *bytes, uint32_t dtype, const uint64_t *dim, size_t n)
{
    dc_shape s;
    uint64_t count;
    set_dims(&s, dim, n);
    return dc_shape_count(&count, &s) && dc_dtype_bytes(bytes, dtype, count);
}

static bool has_period(const uint64_t *dim, size_t n, size_t period)
{
    return period && n % period == 0 && memcmp(dim, dim + period, (n - period) * sizeof *dim) == 0;
}

/* A loaded operator's input dims are appended again at each execution: how often they stand there
 * (1 = they do not repeat), judged by the size, which is right. */
static size_t repetitions(const dc_dump_raw *raw, uint64_t size)
{
    uint64_t bytes;
    if (raw->ndim <= DC_MAX_RANK && dims_bytes(&bytes, raw->dtype, raw->dim, raw->ndim) &&
        bytes == size)
        return 1;
    for (size_t p = 1; p <= DC_MAX_RANK && p < raw->ndim; p++)
        if (has_period(raw->dim, raw->ndim, p) && dims_bytes(&bytes, raw->dtype, raw->dim, p) &&
            bytes == size)
            return raw->ndim / p;
    return 1;
}

/* GE's -1 or -2 for a dim that is known only when the operator runs. */
static bool has_unknown(const uint64_t *dim, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (dim[i] > INT64_MAX)
            return true;
    return false;
}

/* No shape: a scalar if the size is one element's, else one dim. */
static void guess_shape(dc_dump_tensor *t, uint64_t size)
{
    uint64_t one, bits = dc_dtype_get(t->dtype)->bits;
    if (dc_dtype_bytes(&one, t->dtype, 1) && one == size)
        return;
    t->shape = (dc_shape){1, {size / bits * 8 + size % bits * 8 / bits}};
    t->flags |= DC_DUMP_SHAPE_GUESSED;
}

static dc_status bad_shape(const dc_dump_tensor *t, const char *what, const char *path)
{
    return dc_fail(DC_EFORMAT, "%s: the shape of %s %" PRIu32 " %s", path,
                   dc_direction_name(t->direction), t->slot, what);
}

static dc_status set_shapes(dc_dump_tensor *t, const dc_dump_raw *raw, const char *path)
{
    uint64_t bytes, size = raw->size ? raw->size : t->bytes;
    size_t times = t->direction == DC_INPUT && size ? repetitions(raw, size) : 1;
    size_t rank = raw->ndim / times, original = raw->noriginal;
    if (rank > DC_MAX_RANK)
        return bad_shape(t, "has more than 32 dimensions", path);
    if (has_unknown(raw->dim, rank))
        rank = 0;
    set_dims(&t->shape, raw->dim, rank);
    if (times > 1) {
        t->flags |= DC_DUMP_SHAPE_REPEATED;
        if (original && original % times == 0 &&
            has_period(raw->original_dim, original, original / times))
            original /= times;
    }
    if (original <= DC_MAX_RANK)
        set_dims(&t->original_shape, raw->original_dim, original);
    if (rank == 0)
        guess_shape(t, size);
    else if (!dims_bytes(&bytes, raw->dtype, raw->dim, rank))
        return bad_shape(t, "multiplies to more than 2^64 bytes", path);
    return DC_OK;
}

dc_status dc_dump_describe(dc_dump_tensor *t, const dc_dump_raw *raw, const char *path)
{
    t->dtype = raw->dtype;
    t->format = raw->format & 0xff;
    t->sub_format = (uint32_t)raw->sub_format;
    if (raw->sub_format == 0)
        t->sub_format = raw->format >> 8 & 0xffff; /* GE's whole word, from the exception writer */
    t->size = raw->size;
    t->address = raw->address;
    return set_shapes(t, raw, path);
}

void dc_dump_set_origin(dc_dump_tensor *t, const char *name, const uint32_t slot_dtype_format[3])
{
    t->origin_name = name;
    t->origin_slot = slot_dtype_format[0];
    t->origin_dtype = dc_dtype_by_ge(slot_dtype_format[1]);
    t->origin_format = (int32_t)(slot_dtype_format[2] & 0xff);
}

enum { SKIP_NULL = 1, SKIP_UNADDRESSED = 2, SKIP_EMBEDDED = 4, SKIP_ALL = 8 };

static bool is_null(const dc_dump_tensor *t)
{
    return t->address == 0 && t->size > 0 && t->direction <= DC_OUTPUT;
}

static bool skipped(const dc_dump_tensor *t, unsigned rule)
{
    return t->size == 0 || rule & SKIP_ALL || (rule & SKIP_NULL && is_null(t)) ||
           (rule & SKIP_UNADDRESSED && t->direction > DC_OUTPUT) ||
           (rule & SKIP_EMBEDDED && t->bytes > 0);
}

static bool payload_bytes(uint64_t *sum, const dc_dump *d, unsigned rule)
{
    *sum = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!skipped(&d->tensor[i], rule) && !dc_add_u64(sum, *sum, d->tensor[i].size))
            return false;
    return true;
}

/* The rule by which the entries add up to `rest` bytes. */
static dc_status choose_rule(unsigned *rule, dc_dump *d, uint64_t rest, const char *path)
{
    bool addresses = false, nulls = false;
    uint64_t sum, all;
    for (size_t i = 0; i < d->n; i++) {
        addresses = addresses || d->tensor[i].address;
        nulls = nulls || is_null(&d->tensor[i]);
    }
    if (!payload_bytes(&all, d, 0))
        return dc_fail(DC_EFORMAT, "%s: the tensor sizes add up to more than 2^64 bytes", path);
    unsigned rules = d->kind == DC_DUMP_NANO ? 1 : SKIP_ALL;
    for (*rule = 0; *rule < rules; ++*rule)
        if ((addresses || !(*rule & SKIP_NULL)) && payload_bytes(&sum, d, *rule) && sum == rest)
            return DC_OK;
    *rule = rest == 0 && !addresses && d->kind == DC_DUMP_V2 ? SKIP_ALL : 0;
    if (*rule == SKIP_ALL)
        return DC_OK;
    if (all < rest && !(addresses && nulls) && d->kind == DC_DUMP_V2) {
        d->trailing = rest - all;
        return DC_OK;
    }
    return dc_fail(DC_EFORMAT,
                   "%s: the header says %" PRIu64 " %s of tensors, the file has %" PRIu64, path,
                   all, dc_word(all, "byte", "bytes"), rest);
}

/* Sized by its shape: not so texts, and numbers we do not know. */
static bool is_sized(uint32_t dtype)
{
    return dc_dtype_known(dtype) && dtype != DC_UNDEFINED && dtype != DC_STRING &&
           dtype != DC_STRING_REF;
}

static void mark_short(dc_dump_tensor *t)
{
    uint64_t need;
    if (!is_sized(t->dtype) || t->flags & DC_DUMP_NULL_ADDRESS)
        return;
    if (t->shape.rank == 0 && t->size == 0)
        return; /* nothing said, nothing there */
    if (!dims_bytes(&need, t->dtype, t->shape.dim, t->shape.rank) || need > t->bytes)
        t->flags |= DC_DUMP_SHORT;
}

dc_status dc_dump_place(dc_dump *d, uint64_t payload, uint64_t file_bytes, const char *path)
{
    unsigned rule = SKIP_ALL;
    uint64_t at = payload;
    if (d->kind != DC_DUMP_V1) {
        dc_status st = choose_rule(&rule, d, file_bytes - payload, path);
        if (st != DC_OK)
            return st;
    }
    for (size_t i = 0; i < d->n; i++) {
        dc_dump_tensor *t = &d->tensor[i];
        if (!skipped(t, rule)) {
            t->offset = at;
            t->bytes = t->size;
            at += t->size;
        } else if (t->bytes == 0) {
            t->offset = at;
            t->flags |= t->size ? DC_DUMP_NULL_ADDRESS : 0;
        }
        mark_short(t);
    }
    return DC_OK;
}
