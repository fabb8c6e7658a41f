/* io/dump_header.c - the protobuf header of versions 1 and 2: tensor bytes that stand in it are
 * noted and left out, what remains is decoded by protobuf-c. */
#include "io/dtype.h"
#include "io/dump_data.pb-c.h"
#include "io/dump_layout.h"
#include "io/format.h"
#include "io/mem.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bytes that stand in the `data` field of an entry. */
typedef struct embedded {
    dc_direction direction;
    uint64_t slot, offset, bytes;
} embedded;

typedef struct stripped {
    dc_buf header;
    embedded *found;
    size_t n, cap;
    uint64_t entries[DC_DIRECTIONS];
} stripped;

/* Entries of DumpData: its field, and the field of the entry that holds tensor bytes. */
static const struct {
    uint32_t field, data;
} entry_fields[DC_DIRECTIONS] = {
    [DC_INPUT] = {4, 4}, [DC_OUTPUT] = {3, 5}, [DC_BUFFER] = {5, 2}, [DC_SPACE] = {8, 2}};

static int direction_of(const dc_pbfield *f)
{
    for (int i = 0; f->type == DC_PB_LENGTH && i < DC_DIRECTIONS; i++)
        if (entry_fields[i].field == f->number)
            return i;
    return -1;
}

static dc_status too_large(const dc_pbwire *w)
{
    return dc_fail(DC_EUNSUP, "%s: a header of more than %zu MiB", w->path,
                   DC_DUMP_MAX_HEADER >> 20);
}

static dc_status append(dc_buf *to, dc_pbwire *w, uint64_t start, uint64_t end)
{
    if (end - start > DC_DUMP_MAX_HEADER - to->n)
        return too_large(w);
    size_t n = (size_t)(end - start);
    dc_status st = dc_grow((void **)&to->data, &to->cap, to->n, n, 1);
    if (st == DC_OK)
        st = dc_pbwire_read(to->data + to->n, w, start, n);
    if (st == DC_OK)
        to->n += n;
    return st;
}

static dc_status append_varint(dc_buf *to, uint64_t v)
{
    uint8_t byte[10];
    size_t n = 0;
    for (; v > 0x7f; v >>= 7)
        byte[n++] = (uint8_t)(v | 0x80);
    byte[n++] = (uint8_t)v;
    return dc_buf_add(to, byte, n);
}

/* Append the entry in field f to s->header without its tensor bytes; `work` is scratch. */
static dc_status strip_entry(stripped *s, dc_buf *work, dc_pbwire *w, const dc_pbfield *f, int dir)
{
    embedded e = {(dc_direction)dir, s->entries[dir]++, 0, 0};
    dc_status st = DC_OK;
    dc_pbfield inner;
    work->n = 0;
    for (uint64_t pos = f->offset; st == DC_OK && pos < f->offset + f->length;) {
        st = dc_pbwire_next(&inner, w, &pos, f->offset + f->length);
        if (st == DC_OK && inner.type == DC_PB_LENGTH && inner.number == entry_fields[dir].data) {
            e.offset = inner.offset;
            e.bytes = inner.length;
        } else if (st == DC_OK) {
            st = append(work, w, inner.start, pos);
        }
    }
    if (st == DC_OK && e.bytes) {
        st = dc_grow((void **)&s->found, &s->cap, s->n, 1, sizeof *s->found);
        if (st == DC_OK)
            s->found[s->n++] = e;
    }
    if (st == DC_OK)
        st = append_varint(&s->header, (uint64_t)f->number << 3 | DC_PB_LENGTH);
    if (st == DC_OK)
        st = append_varint(&s->header, work->n);
    return st == DC_OK ? dc_buf_add(&s->header, work->data, work->n) : st;
}

static dc_status strip(stripped *s, dc_pbwire *w, uint64_t start, uint64_t end)
{
    dc_buf work = {0};
    dc_status st = DC_OK;
    dc_pbfield f;
    for (uint64_t pos = start; st == DC_OK && pos < end;) {
        st = dc_pbwire_next(&f, w, &pos, end);
        int dir = st == DC_OK ? direction_of(&f) : -1;
        if (st == DC_OK && dir >= 0)
            st = strip_entry(s, &work, w, &f, dir);
        else if (st == DC_OK)
            st = append(&s->header, w, f.start, pos);
        if (st == DC_OK && s->header.n > DC_DUMP_MAX_HEADER)
            st = too_large(w);
    }
    dc_buf_free(&work);
    return st;
}

/* protobuf-c's memory, bounded: two bytes of header can ask for a hundred of memory. */
typedef struct budget {
    size_t left;
    bool spent;
} budget;

static void *budget_alloc(void *context, size_t n)
{
    budget *b = context;
    if (n > b->left) {
        b->spent = true;
        return NULL;
    }
    b->left -= n;
    return malloc(n ? n : 1);
}

static void budget_free(void *context, void *p)
{
    (void)context;
    free(p);
}

static void set_dims(dc_dump_raw *raw, const Dumpcap__Shape *shape, const Dumpcap__Shape *original)
{
    raw->dim = shape ? shape->dim : NULL;
    raw->ndim = shape ? shape->n_dim : 0;
    raw->original_dim = original ? original->dim : NULL;
    raw->noriginal = original ? original->n_dim : 0;
}

static dc_status take_input(dc_dump_tensor *t, const Dumpcap__OpInput *in, const char *path)
{
    dc_dump_raw raw = {.dtype = in->data_type,
                       .format = in->format,
                       .sub_format = in->sub_format,
                       .size = in->size,
                       .address = in->address};
    set_dims(&raw, in->shape, in->original_shape);
    t->arg_index = in->arg_index;
    return dc_dump_describe(t, &raw, path);
}

static dc_status take_text(const char **out, dc_dump *d, const char *text)
{
    uint32_t id;
    dc_status st = dc_pool_adds(&id, d->memory, text);
    if (st == DC_OK)
        *out = dc_pool_text(d->memory, id);
    return st;
}

static dc_status take_output(dc_dump *d, dc_dump_tensor *t, const Dumpcap__OpOutput *in,
                             const char *path)
{
    dc_dump_raw raw = {.dtype = in->data_type,
                       .format = in->format,
                       .sub_format = in->sub_format,
                       .size = in->size,
                       .address = in->address};
    set_dims(&raw, in->shape, in->original_shape);
    t->arg_index = in->arg_index;
    const Dumpcap__OriginalOp *op = in->original_op;
    const char *name;
    if (op && *op->name) {
        dc_status st = take_text(&name, d, op->name);
        if (st != DC_OK)
            return st;
        dc_dump_set_origin(t, name, (uint32_t[]){op->output_index, op->data_type, op->format});
    }
    return dc_dump_describe(t, &raw, path);
}

/* Buffers and spaces: bytes of no type. */
static dc_status take_bytes(dc_dump_tensor *t, uint64_t size, uint32_t arg_index, const char *path)
{
    dc_dump_raw raw = {.dtype = DC_UINT8, .format = DC_FORMAT_ND, .size = size};
    t->arg_index = arg_index;
    return dc_dump_describe(t, &raw, path);
}

static dc_status take_tensor(dc_dump *d, dc_dump_tensor *t, const Dumpcap__DumpData *m,
                             const char *path)
{
    switch (t->direction) {
    case DC_INPUT:
        return take_input(t, m->input[t->slot], path);
    case DC_OUTPUT:
        return take_output(d, t, m->output[t->slot], path);
    case DC_BUFFER:
        return take_bytes(t, m->buffer[t->slot]->size, 0, path);
    default:
        return take_bytes(t, m->space[t->slot]->size, m->space[t->slot]->arg_index, path);
    }
}

/* 0 is not written, so it means "argument 0" only in a header that numbers its arguments. */
static void settle_arg_index(dc_dump *d)
{
    bool numbered = false;
    for (size_t i = 0; i < d->n; i++)
        numbered = numbered || d->tensor[i].arg_index;
    for (size_t i = 0; !numbered && i < d->n; i++)
        d->tensor[i].arg_index = DC_UNSET;
}

static dc_status take_tensors(dc_dump *d, const Dumpcap__DumpData *m, const stripped *s,
                              const char *path)
{
    uint64_t first[DC_DIRECTIONS + 1] = {0};
    const uint64_t count[DC_DIRECTIONS] = {m->n_input, m->n_output, m->n_buffer, m->n_space};
    for (int i = 0; i < DC_DIRECTIONS; i++)
        first[i + 1] = first[i] + count[i];
    dc_status st = dc_dump_reserve(d, first[DC_DIRECTIONS], path);
    if (st != DC_OK)
        return st;
    for (size_t i = 0; i < s->n; i++) {
        dc_dump_tensor *t = &d->tensor[first[s->found[i].direction] + s->found[i].slot];
        t->offset = s->found[i].offset;
        t->bytes = s->found[i].bytes;
    }
    int dir = 0;
    for (size_t i = 0; st == DC_OK && i < d->n; i++) {
        while (i >= first[dir + 1])
            dir++;
        d->tensor[i].direction = (dc_direction)dir;
        d->tensor[i].slot = (uint32_t)(i - first[dir]);
        st = take_tensor(d, &d->tensor[i], m, path);
    }
    if (st == DC_OK)
        settle_arg_index(d);
    return st;
}

static dc_status take_attrs(dc_dump *d, const Dumpcap__DumpData *m)
{
    d->attr = calloc(m->n_attr + 1, sizeof *d->attr);
    if (!d->attr)
        return dc_fail_memory();
    d->nattr = m->n_attr;
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < d->nattr; i++) {
        st = take_text(&d->attr[i].name, d, m->attr[i]->name);
        if (st == DC_OK)
            st = take_text(&d->attr[i].value, d, m->attr[i]->value);
    }
    return st;
}

static dc_status take_message(dc_dump *d, const Dumpcap__DumpData *m, const stripped *s,
                              const char *path)
{
    d->dump_time = m->dump_time;
    dc_status st = take_tensors(d, m, s, path);
    if (st == DC_OK)
        st = take_attrs(d, m);
    if (st == DC_OK)
        st = take_text(&d->op_name, d, m->op_name);
    if (st == DC_OK)
        st = take_text(&d->dfx_message, d, m->dfx_message);
    return st;
}

dc_status dc_dump_header_decode(dc_dump *d, dc_pbwire *w, uint64_t start, uint64_t end)
{
    stripped s = {0};
    Dumpcap__DumpData *m = NULL;
    budget b = {.left = 4 * DC_DUMP_MAX_HEADER};
    ProtobufCAllocator bounded = {budget_alloc, budget_free, &b};
    dc_status st = strip(&s, w, start, end);
    if (st != DC_OK)
        goto done;
    m = dumpcap__dump_data__unpack(&bounded, s.header.n, (const uint8_t *)s.header.data);
    if (m)
        st = take_message(d, m, &s, w->path);
    else if (b.spent)
        st = dc_fail(DC_EUNSUP, "%s: the header needs more than %zu MiB of memory", w->path,
                     (4 * DC_DUMP_MAX_HEADER) >> 20);
    else
        st = dc_fail(DC_EFORMAT, "%s: the header of %" PRIu64 " %s is no DumpData message", w->path,
                     end - start, dc_word(end - start, "byte", "bytes"));
done:
    if (m)
        dumpcap__dump_data__free_unpacked(m, &bounded);
    free(s.found);
    dc_buf_free(&s.header);
    return st;
}
