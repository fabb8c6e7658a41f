/* io/npy.c - see npy.h */
#include "io/npy.h"

#include "io/dtype.h"
#include "io/mem.h"
#include "io/path.h"
#include "io/word.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A cursor over the header's Python literal. */
typedef struct literal {
    const char *at, *end;
    const char *path;
    int major; /* of the file's version */
} literal;

enum { TEXT_MAX = 64 }; /* longest key or descr, with its NUL */

static dc_status damaged(const literal *l, const char *what)
{
    return dc_fail(DC_EFORMAT, "%s: npy header: %s", l->path, what);
}

static void skip_space(literal *l)
{
    while (l->at < l->end && *l->at && strchr(" \t\n\r\f", *l->at))
        l->at++;
}

/* Skip space; whether the next character is c, which is then taken. */
static bool take(literal *l, char c)
{
    skip_space(l);
    if (l->at == l->end || *l->at != c)
        return false;
    l->at++;
    return true;
}

static bool take_word(literal *l, const char *word)
{
    size_t n = strlen(word);
    skip_space(l);
    if ((size_t)(l->end - l->at) < n || memcmp(l->at, word, n) != 0)
        return false;
    l->at += n;
    return true;
}

static dc_status parse_text(char text[TEXT_MAX], literal *l)
{
    char quote = '\'';
    size_t n = 0;
    if (!take(l, quote) && !take(l, quote = '"'))
        return damaged(l, "a quoted text is missing");
    for (; l->at < l->end && *l->at != quote; l->at++) {
        if (n == TEXT_MAX - 1 || *l->at == '\\' || *l->at < ' ')
            return damaged(l, "a quoted text is too long or has odd characters");
        text[n++] = *l->at;
    }
    text[n] = '\0';
    return take(l, quote) ? DC_OK : damaged(l, "a quoted text has no end");
}

static dc_status parse_dim(uint64_t *dim, literal *l)
{
    uint64_t v = 0;
    skip_space(l);
    const char *begin = l->at;
    if (l->at < l->end && *l->at == '-')
        return damaged(l, "the shape has a negative dimension");
    for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++)
        if (!dc_mul_u64(&v, v, 10) || !dc_add_u64(&v, v, (uint64_t)(*l->at - '0')))
            return damaged(l, "a dimension does not fit 64 bits");
    if (l->at == begin || (*begin == '0' && l->at - begin > 1))
        return damaged(l, "the shape is not a tuple of integers");
    if (l->major < 3 && l->at < l->end && *l->at == 'L')
        l->at++;
    *dim = v;
    return DC_OK;
}

static dc_status parse_shape(dc_shape *s, literal *l)
{
    bool comma = true;
    s->rank = 0;
    if (!take(l, '('))
        return damaged(l, "the shape is not a tuple");
    while (!take(l, ')')) {
        if (!comma)
            return damaged(l, "the shape is not a tuple of integers");
        if (s->rank == DC_MAX_RANK)
            return dc_fail(DC_EUNSUP, "%s: more than %d dimensions", l->path, DC_MAX_RANK);
        dc_status st = parse_dim(&s->dim[s->rank], l);
        if (st != DC_OK)
            return st;
        s->rank++;
        comma = take(l, ',');
    }
    if (s->rank == 1 && !comma) /* Python's (3) is a number */
        return damaged(l, "the shape is not a tuple");
    return DC_OK;
}

/* NumPy's one-letter codes, of which hand-made headers are fond. */
static const char *spelled_out(const char *descr)
{
    static const char *const codes[][2] = {{"?", "b1"}, {"b", "i1"}, {"B", "u1"}, {"h", "i2"},
                                           {"H", "u2"}, {"i", "i4"}, {"I", "u4"}, {"l", "i8"},
                                           {"L", "u8"}, {"q", "i8"}, {"Q", "u8"}, {"e", "f2"},
                                           {"f", "f4"}, {"d", "f8"}, {"F", "c8"}, {"D", "c16"}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(descr, codes[i][0]) == 0)
            return codes[i][1];
    return descr;
}

static bool find_dtype(dc_npy *out, const char *type)
{
    out->void_type = strcmp(type, "V2") == 0 || strcmp(type, "V1") == 0 || strcmp(type, "f1") == 0;
    if (out->void_type) {
        out->dtype = type[1] == '2' ? DC_BFLOAT16 : DC_FLOAT8_E4M3FN;
        return true;
    }
    for (uint32_t i = 0; i < DC_DTYPE_COUNT; i++) {
        const dc_dtype_info *t = dc_dtype_get(i);
        bool by_name = strcmp(type, t->name) == 0 && t->kind != DC_KIND_OTHER && t->bits % 8 == 0;
        out->dtype = i;
        if (by_name || (t->npy && strcmp(type, t->npy + 1) == 0))
            return true;
    }
    return false;
}

static dc_status parse_descr(dc_npy *out, literal *l)
{
    char text[TEXT_MAX] = "";
    skip_space(l);
    if (l->at < l->end && (*l->at == '[' || *l->at == '('))
        return dc_fail(DC_EUNSUP, "%s: structured arrays are not supported", l->path);
    dc_status st = parse_text(text, l);
    if (st != DC_OK)
        return st;
    char order = *text && strchr("<>|=", *text) ? *text : '|';
    const char *type = spelled_out(text + (order == *text));
    if (!find_dtype(out, type) || (order == '>' && out->void_type))
        return dc_fail(DC_EUNSUP, "%s: NumPy type '%s' is not supported", l->path, text);
    out->big_endian = order == '>' && dc_dtype_get(out->dtype)->bits > 8;
    return DC_OK;
}

static dc_status parse_order(dc_npy *out, literal *l)
{
    out->fortran_order = take_word(l, "True");
    if (!out->fortran_order && !take_word(l, "False"))
        return damaged(l, "fortran_order is neither True nor False");
    return DC_OK;
}

static dc_status parse_entry(dc_npy *out, unsigned *seen, literal *l)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    char key[TEXT_MAX];
    dc_status st = parse_text(key, l);
    if (st != DC_OK)
        return st;
    unsigned k = 0;
    while (k < 3 && strcmp(key, keys[k]) != 0)
        k++;
    if (k == 3 || *seen >> k & 1)
        return damaged(l, k == 3 ? "unknown key" : "a key stands there twice");
    *seen |= 1u << k;
    if (!take(l, ':'))
        return damaged(l, "no colon after a key");
    return k == 0   ? parse_descr(out, l)
           : k == 1 ? parse_order(out, l)
                    : parse_shape(&out->shape, l);
}

static dc_status parse_dict(dc_npy *out, literal *l)
{
    unsigned seen = 0;
    bool comma = true;
    if (!take(l, '{'))
        return damaged(l, "not a dictionary");
    while (!take(l, '}')) {
        if (!comma)
            return damaged(l, "no comma between entries");
        dc_status st = parse_entry(out, &seen, l);
        if (st != DC_OK)
            return st;
        comma = take(l, ',');
    }
    skip_space(l);
    if (l->at != l->end)
        return damaged(l, "text after the dictionary");
    return seen == 7 ? DC_OK : damaged(l, "descr, fortran_order or shape is missing");
}

/* Where the dictionary begins and the data begin, from the file's first n >= 12 bytes (or all). */
static dc_status find_header(uint64_t *begin, uint64_t *end, const unsigned char *data, size_t n,
                             const char *path)
{
    if (n < 10 || memcmp(data, "\x93NUMPY", 6) != 0)
        return dc_fail(DC_EFORMAT, "%s: not an npy file", path);
    if (data[6] < 1 || data[6] > 3 || data[7] != 0)
        return dc_fail(DC_EUNSUP, "%s: npy version %d.%d is not supported", path, data[6], data[7]);
    *begin = data[6] == 1 ? 10 : 12;
    if (n < *begin)
        return dc_fail(DC_EFORMAT, "%s: npy header: cut short", path);
    uint64_t size = data[8] | (uint64_t)data[9] << 8;
    if (data[6] > 1)
        size |= (uint64_t)data[10] << 16 | (uint64_t)data[11] << 24;
    if (size > DC_NPY_HEADER_MAX - 12)
        return dc_fail(DC_EFORMAT, "%s: npy header: %" PRIu64 " %s long", path, size,
                       dc_word(size, "byte", "bytes"));
    *end = *begin + size;
    return DC_OK;
}

static dc_status check_data(dc_npy *out, uint64_t file_bytes, const char *path)
{
    uint64_t count, there = file_bytes - out->offset;
    if (!dc_shape_count(&count, &out->shape) || !dc_dtype_bytes(&out->bytes, out->dtype, count))
        return dc_fail(DC_EFORMAT, "%s: npy header: the shape's size does not fit 64 bits", path);
    if (there != out->bytes)
        return dc_fail(DC_EFORMAT,
                       "%s: %s: the shape needs %" PRIu64 " %s of data, there are %" PRIu64, path,
                       there < out->bytes ? "cut short" : "trailing bytes", out->bytes,
                       dc_word(out->bytes, "byte", "bytes"), there);
    return DC_OK;
}

dc_status dc_npy_parse(dc_npy *out, const void *data, size_t n, uint64_t file_bytes,
                       const char *path)
{
    dc_npy npy = {0};
    uint64_t begin = 0;
    dc_status st = find_header(&begin, &npy.offset, data, n, path);
    if (st != DC_OK)
        return st;
    if (npy.offset > n || npy.offset > file_bytes)
        return dc_fail(DC_EFORMAT, "%s: npy header: cut short", path);
    literal l = {(const char *)data + begin, (const char *)data + npy.offset, path,
                 ((const unsigned char *)data)[6]};
    st = parse_dict(&npy, &l);
    if (st == DC_OK)
        st = check_data(&npy, file_bytes, path);
    if (st == DC_OK)
        *out = npy;
    return st;
}

static dc_status read_npy(dc_npy *out, int fd, const char *path)
{
    struct stat info;
    uint64_t begin = 0, end = 0;
    unsigned char prefix[12];
    if (fstat(fd, &info) != 0)
        return dc_fail_errno("%s", path);
    if (!S_ISREG(info.st_mode))
        return dc_fail(DC_EFORMAT, "%s: not a regular file", path);
    uint64_t size = (uint64_t)info.st_size;
    size_t n = size < sizeof prefix ? (size_t)size : sizeof prefix;
    dc_status st = dc_pread(fd, prefix, n, 0, path);
    if (st == DC_OK)
        st = find_header(&begin, &end, prefix, n, path);
    if (st != DC_OK)
        return st;
    n = (size_t)(end < size ? end : size);
    void *header = malloc(n + 1);
    if (!header)
        return dc_fail_memory();
    st = dc_pread(fd, header, n, 0, path);
    if (st == DC_OK)
        st = dc_npy_parse(out, header, n, size, path);
    free(header);
    return st;
}

dc_status dc_npy_open(dc_npy *out, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hold us up */
    if (fd < 0)
        return dc_fail_errno("%s", path);
    dc_status st = read_npy(out, fd, path);
    close(fd);
    return st;
}

dc_status dc_npy_header(dc_buf *b, uint32_t dtype, const dc_shape *shape)
{
    size_t start = b->n;
    const char *descr = dtype == DC_BFLOAT16 ? "|V2" : dc_dtype_get(dtype)->npy;
    if (!descr)
        return dc_fail(DC_EUNSUP, "NumPy has no type for %s", dc_dtype_get(dtype)->name);
    dc_status st = dc_buf_add(b, "\x93NUMPY\x01\x00\x00\x00", 10);
    if (st == DC_OK)
        st = dc_buf_printf(b, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (uint32_t i = 0; i < shape->rank && st == DC_OK; i++)
        st = dc_buf_printf(b, i ? ", %" PRIu64 : "%" PRIu64, shape->dim[i]);
    if (st == DC_OK)
        st = dc_buf_puts(b, shape->rank == 1 ? ",), }" : "), }");
    size_t total = (size_t)dc_round_up(b->n - start + 1, 64);
    if (st == DC_OK)
        st = dc_buf_printf(b, "%*s", (int)(total - (b->n - start)), "\n");
    if (st != DC_OK)
        return st;
    b->data[start + 8] = (char)((total - 10) & 0xff);
    b->data[start + 9] = (char)((total - 10) >> 8);
    return DC_OK;
}

static dc_status write_file(const char *path, const dc_buf *header, const void *data, size_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return dc_fail_errno("%s", path);
    dc_status st = dc_pwrite(fd, header->data, header->n, 0, path);
    if (st == DC_OK)
        st = dc_pwrite(fd, data, bytes, header->n, path);
    if (close(fd) != 0 && st == DC_OK)
        st = dc_fail_errno("%s", path);
    return st;
}

dc_status dc_npy_write(const char *path, uint32_t dtype, const dc_shape *shape, const void *data)
{
    dc_buf header = {0}, part = {0};
    uint64_t count, bytes;
    if (dtype != DC_BFLOAT16 && !dc_dtype_get(dtype)->npy)
        return dc_fail(DC_EUNSUP, "%s: NumPy has no type for %s", path, dc_dtype_get(dtype)->name);
    if (!dc_shape_count(&count, shape) || !dc_dtype_bytes(&bytes, dtype, count) ||
        bytes > PTRDIFF_MAX)
        return dc_fail(DC_EARG, "%s: the shape's size does not fit 64 bits", path);
    dc_status st = dc_npy_header(&header, dtype, shape);
    if (st == DC_OK)
        st = dc_buf_printf(&part, "%s.part%ld", path, (long)getpid());
    if (st == DC_OK)
        st = write_file(part.data, &header, data, (size_t)bytes);
    if (st == DC_OK && rename(part.data, path) != 0)
        st = dc_fail_errno("%s", path);
    if (st != DC_OK && part.data)
        unlink(part.data);
    dc_buf_free(&header);
    dc_buf_free(&part);
    return st;
}
