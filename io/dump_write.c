/* io/dump_write.c - see dump_write.h */
#include "io/dump_write.h"

#include "io/dtype.h"
#include "io/dump_data.pb-c.h"
#include "io/dump_name.h"
#include "io/mapping_csv.h"
#include "io/mem.h"
#include "io/path.h"
#include "io/std_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A message of one entry, whatever its direction, with what it points to. */
typedef struct entry {
    union {
        Dumpcap__OpInput input;
        Dumpcap__OpOutput output;
        Dumpcap__OpBuffer buffer;
        Dumpcap__Workspace space;
    } as;
    Dumpcap__Shape shape, original_shape;
    Dumpcap__OriginalOp original_op;
} entry;

/* A DumpData message and the memory of its parts. */
typedef struct message {
    Dumpcap__DumpData data;
    entry *entries; /* [n] */
    void **list;    /* [n] to the entries, then [nattr] to the attrs */
    Dumpcap__OpAttr *attrs;
} message;

static void message_free(message *m)
{
    free(m->entries);
    free(m->list);
    free(m->attrs);
}

static char *text_of(const char *text)
{
    return (char *)(uintptr_t)(text ? text : "");
}

static Dumpcap__Shape *shape_of(Dumpcap__Shape *to, const dc_shape *s)
{
    dumpcap__shape__init(to);
    to->n_dim = s->rank;
    to->dim = (uint64_t *)(uintptr_t)s->dim;
    return to;
}

static uint64_t size_of(const dc_dump_tensor *t)
{
    return t->flags & DC_DUMP_NULL_ADDRESS && t->size ? t->size : t->bytes;
}

static uint64_t address_of(const dc_dump_tensor *t, int addresses)
{
    if (!addresses || t->flags & DC_DUMP_NULL_ADDRESS)
        return 0;
    return t->address ? t->address : 0x12c041000000u + (uint64_t)t->slot * 0x200;
}

static uint32_t arg_index_of(const dc_dump_tensor *t)
{
    return t->arg_index == DC_UNSET ? 0 : t->arg_index;
}

static void fill_input(entry *e, const dc_dump_tensor *t, int addresses)
{
    Dumpcap__OpInput *in = &e->as.input;
    dumpcap__op_input__init(in);
    in->data_type = t->dtype;
    in->format = t->format;
    in->sub_format = (int32_t)t->sub_format;
    in->size = size_of(t);
    in->address = address_of(t, addresses);
    in->arg_index = arg_index_of(t);
    in->shape = shape_of(&e->shape, &t->shape);
    in->original_shape = shape_of(&e->original_shape, &t->original_shape);
}

static void fill_output(entry *e, const dc_dump_tensor *t, int addresses)
{
    Dumpcap__OpOutput *out = &e->as.output;
    dumpcap__op_output__init(out);
    out->data_type = t->dtype;
    out->format = t->format;
    out->sub_format = (int32_t)t->sub_format;
    out->size = size_of(t);
    out->address = address_of(t, addresses);
    out->arg_index = arg_index_of(t);
    out->shape = shape_of(&e->shape, &t->shape);
    out->original_shape = shape_of(&e->original_shape, &t->original_shape);
    if (!t->origin_name || !*t->origin_name)
        return;
    out->original_op = &e->original_op;
    dumpcap__original_op__init(&e->original_op);
    e->original_op.name = text_of(t->origin_name);
    e->original_op.output_index = t->origin_slot;
    e->original_op.data_type = t->origin_dtype < 0
                                   ? (uint32_t)dc_dtype_get(DC_UNDEFINED)->ge
                                   : (uint32_t)dc_dtype_get((uint32_t)t->origin_dtype)->ge;
    e->original_op.format = t->origin_format < 0 ? 0 : (uint32_t)t->origin_format;
}

static void fill(entry *e, const dc_dump_tensor *t, int addresses)
{
    switch (t->direction) {
    case DC_INPUT:
        fill_input(e, t, addresses);
        break;
    case DC_OUTPUT:
        fill_output(e, t, addresses);
        break;
    case DC_BUFFER:
        dumpcap__op_buffer__init(&e->as.buffer);
        e->as.buffer.size = size_of(t);
        break;
    default:
        dumpcap__workspace__init(&e->as.space);
        e->as.space.size = size_of(t);
        e->as.space.arg_index = arg_index_of(t);
    }
}

static dc_status message_make(message *m, const dc_dump_out *out, const char *path)
{
    const dc_dump *d = out->dump;
    size_t count[DC_DIRECTIONS] = {0};
    m->entries = calloc(d->n + 1, sizeof *m->entries);
    m->list = calloc(d->n + d->nattr + 1, sizeof *m->list);
    m->attrs = calloc(d->nattr + 1, sizeof *m->attrs);
    if (!m->entries || !m->list || !m->attrs)
        return dc_fail_memory();
    for (size_t i = 0; i < d->n; i++) {
        if (i && d->tensor[i].direction < d->tensor[i - 1].direction)
            return dc_fail(DC_EARG, "%s: tensors not in the order of a dump file", path);
        count[d->tensor[i].direction]++;
        fill(&m->entries[i], &d->tensor[i], out->addresses);
        m->list[i] = &m->entries[i];
    }
    for (size_t i = 0; i < d->nattr; i++) {
        dumpcap__op_attr__init(&m->attrs[i]);
        m->attrs[i].name = text_of(d->attr[i].name);
        m->attrs[i].value = text_of(d->attr[i].value);
        m->list[d->n + i] = &m->attrs[i];
    }
    void **at = m->list;
    Dumpcap__DumpData *data = &m->data;
    dumpcap__dump_data__init(data);
    data->version = text_of("2.0");
    data->dump_time = d->dump_time;
    data->op_name = text_of(d->op_name);
    data->dfx_message = text_of(d->dfx_message);
    data->n_input = count[DC_INPUT];
    data->input = (Dumpcap__OpInput **)at;
    data->n_output = count[DC_OUTPUT];
    data->output = (Dumpcap__OpOutput **)(at += count[DC_INPUT]);
    data->n_buffer = count[DC_BUFFER];
    data->buffer = (Dumpcap__OpBuffer **)(at += count[DC_OUTPUT]);
    data->n_space = count[DC_SPACE];
    data->space = (Dumpcap__Workspace **)(at += count[DC_BUFFER]);
    data->n_attr = d->nattr;
    data->attr = (Dumpcap__OpAttr **)(at + count[DC_SPACE]);
    return DC_OK;
}

/* Length and header. */
static dc_status pack(dc_buf *to, const message *m)
{
    size_t n = dumpcap__dump_data__get_packed_size(&m->data);
    dc_status st = dc_grow((void **)&to->data, &to->cap, 0, n + 8, 1);
    if (st != DC_OK)
        return st;
    for (int i = 0; i < 8; i++)
        to->data[i] = (char)((uint64_t)n >> (8 * i));
    dumpcap__dump_data__pack(&m->data, (uint8_t *)to->data + 8);
    to->n = n + 8;
    return DC_OK;
}

static dc_status write_all(int fd, const dc_buf *header, const dc_dump_out *out, const char *path)
{
    const dc_dump *d = out->dump;
    uint64_t at = header->n;
    dc_status st = dc_pwrite(fd, header->data, header->n, 0, path);
    for (size_t i = 0; st == DC_OK && i < d->n; i++) {
        const dc_dump_tensor *t = &d->tensor[i];
        if (t->flags & DC_DUMP_NULL_ADDRESS || !t->bytes)
            continue;
        st = dc_pwrite(fd, out->data[i], t->bytes, at, path);
        at += t->bytes;
    }
    return st;
}

/* A new file beside path; *name is malloc'd for the caller, even where that fails. */
static dc_status open_temporary(int *fd, char **name, const char *path)
{
    const char *base = dc_path_base(path);
    size_t n = strlen(path) + 64;
    *name = malloc(n);
    if (!*name)
        return dc_fail_memory();
    for (unsigned attempt = 0;; attempt++) {
        snprintf(*name, n, "%.*s.dump-%ld-%u.part", (int)(base - path), path, (long)getpid(),
                 attempt);
        *fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*fd >= 0)
            return DC_OK;
        if (errno != EEXIST)
            return dc_fail_errno("%s: cannot create", path);
    }
}

static dc_status write_file(const char *path, const dc_buf *header, const dc_dump_out *out)
{
    char *temporary = NULL;
    int fd = -1;
    dc_status st = open_temporary(&fd, &temporary, path);
    if (st == DC_OK) {
        st = write_all(fd, header, out, path);
        if (close(fd) != 0 && st == DC_OK)
            st = dc_fail_errno("%s: cannot write", path);
        if (st == DC_OK && rename(temporary, path) != 0)
            st = dc_fail_errno("%s: cannot rename to it", path);
        if (st != DC_OK)
            unlink(temporary);
    }
    free(temporary);
    return st;
}

dc_status dc_dump_write(const char *path, const dc_dump_out *out)
{
    message m = {0};
    dc_buf header = {0};
    dc_status st = message_make(&m, out, path);
    if (st == DC_OK)
        st = pack(&header, &m);
    if (st == DC_OK)
        st = write_file(path, &header, out);
    dc_buf_free(&header);
    message_free(&m);
    return st;
}

/* The hash of full as a name in dir, noted in mapping.csv. */
static dc_status make_hashed(char **path, const char *dir, const char *full, const char *name)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%" PRIu64, dc_std_hash(full, strlen(full)));
    dc_status st = dc_mapping_append(dir, hash, name);
    if (st != DC_OK)
        return st;
    *path = dc_path_join(dir, hash);
    return *path ? DC_OK : DC_ENOMEM;
}

dc_status dc_dump_make_path(char **path, const char *dir, const char *op_type, const char *op_name,
                            const uint64_t task_stream_time[3])
{
    dc_buf full = {0};
    const char *part[2] = {op_type, op_name};
    dc_status st = dc_buf_printf(&full, "%s/", dir);
    size_t base = full.n;
    for (int i = 0; st == DC_OK && i < 2; i++) {
        size_t start = full.n;
        st = dc_buf_printf(&full, "%s", part[i]);
        if (st == DC_OK)
            dc_name_sanitise(full.data + start);
        if (st == DC_OK)
            st = dc_buf_puts(&full, ".");
    }
    if (st == DC_OK)
        st = dc_buf_printf(&full, "%" PRIu64 ".%" PRIu64 ".%" PRIu64, task_stream_time[0],
                           task_stream_time[1], task_stream_time[2]);
    if (st == DC_OK && full.n - base > NAME_MAX) {
        st = make_hashed(path, dir, full.data, full.data + base);
    } else if (st == DC_OK) {
        *path = dc_path_normal(full.data);
        st = *path ? DC_OK : DC_ENOMEM;
    }
    dc_buf_free(&full);
    return st;
}
