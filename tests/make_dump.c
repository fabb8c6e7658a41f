/* tests/make_dump.c - make one dump file for the command-line tests.
 *
 *   make-dump DIR TYPE OP TASK STREAM TIME TENSOR...     TIME in microseconds
 *   TENSOR = DIRECTION,DTYPE,FORMAT,SHAPE[,ORIGIN_FORMAT,ORIGINAL_SHAPE[,ORIGIN]]
 *   ATTR=JSON in the environment: an attribute of the operator; SUFFIX: behind the file's name;
 *   FILL="WORD:VALUE ...": these 64-bit words of the first tensor, and zeros
 *
 * Logical elements are 0, 1, 2, ... in the original order (plus BASE of the environment), laid out
 * as FORMAT has them; float16, bfloat16, float32, int32, int64 and uint8 only. */
#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/path.h"
#include "io/relayout.h"
#include "tests/half.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

static void put(void *to, uint32_t dtype, uint64_t i, double v)
{
    union {
        uint16_t half;
        float real;
        int32_t word;
        int64_t dword;
        uint8_t byte;
    } u;
    size_t n = dc_dtype_get(dtype)->bits / 8;
    if (dtype == DC_FLOAT16)
        u.half = to_float16(v);
    else if (dtype == DC_BFLOAT16)
        u.half = to_bfloat16(v);
    else if (dtype == DC_FLOAT32)
        u.real = (float)v;
    else if (dtype == DC_INT32)
        u.word = (int32_t)v;
    else if (dtype == DC_INT64)
        u.dword = (int64_t)v;
    else
        u.byte = (uint8_t)v;
    memcpy((char *)to + i * n, &u, n);
}

static dc_status fill(void **data, const dc_dump_tensor *t)
{
    dc_relayout map = {0};
    bool moved = t->original_shape.rank != 0;
    const dc_relayout_ask ask = {.dtype = t->dtype,
                                 .format = t->format,
                                 .device = t->shape,
                                 .golden_format = t->origin_format < 0 ? DC_FORMAT_ND
                                                                       : (uint32_t)t->origin_format,
                                 .logical = t->original_shape};
    uint64_t n = t->bytes * 8 / dc_dtype_get(t->dtype)->bits;
    const char *base = getenv("BASE");
    dc_status st = moved ? dc_relayout_init(&map, &ask) : DC_OK;
    void *logical = calloc(t->bytes + 8, 1);
    *data = calloc(t->bytes + 8, 1);
    if (st == DC_OK && (!logical || !*data))
        st = dc_fail_memory();
    n = moved ? map.count : n;
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        put(moved ? logical : *data, t->dtype, i, (double)i + (base ? atof(base) : 0));
    if (st == DC_OK && moved)
        dc_relayout_scatter(*data, &map, logical);
    free(logical);
    return st;
}

static dc_status parse(dc_dump_tensor *t, char *text)
{
    char *part[7] = {0}, *rest = text;
    for (int i = 0; i < 7 && rest; i++)
        part[i] = strsep(&rest, ",");
    uint64_t n;
    if (!part[3])
        return dc_fail(DC_EARG, "%s: DIRECTION,DTYPE,FORMAT,SHAPE", text);
    *t = (dc_dump_tensor){.direction = strcmp(part[0], "input") == 0 ? DC_INPUT : DC_OUTPUT,
                          .dtype = (uint32_t)dc_dtype_by_name(part[1]),
                          .format = (uint32_t)dc_format_by_name(part[2]),
                          .origin_name = part[6] ? part[6] : "",
                          .origin_slot = part[6] ? 0 : DC_UNSET,
                          .origin_dtype = -1,
                          .origin_format = part[6] ? dc_format_by_name(part[4]) : -1,
                          .arg_index = DC_UNSET};
    dc_status st = dc_shape_parse(&t->shape, part[3]);
    if (st == DC_OK && part[5])
        st = dc_shape_parse(&t->original_shape, part[5]);
    if (st == DC_OK && (!dc_shape_count(&n, &t->shape) || !dc_dtype_bytes(&t->bytes, t->dtype, n)))
        st = dc_fail(DC_EARG, "%s: too large", part[3]);
    t->size = t->bytes;
    return st;
}

static dc_status name(char **path, char **argv)
{
    const char *suffix = getenv("SUFFIX");
    const uint64_t ids[3] = {strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10),
                             strtoull(argv[6], NULL, 10)};
    dc_status st = dc_mkdirs(argv[1]);
    if (st == DC_OK)
        st = dc_dump_make_path(path, argv[1], argv[2], argv[3], ids);
    if (st != DC_OK || !suffix)
        return st;
    size_t n = strlen(*path) + strlen(suffix) + 1;
    char *longer = malloc(n);
    if (!longer)
        return dc_fail_memory();
    snprintf(longer, n, "%s%s", *path, suffix);
    free(*path);
    *path = longer;
    return DC_OK;
}

static void fill_words(void *data, uint64_t bytes, char *text)
{
    memset(data, 0, bytes);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *end;
        uint64_t at = strtoull(word, &end, 10), value = strtoull(end + 1, NULL, 0);
        if (at < bytes / 8)
            memcpy((char *)data + 8 * at, &value, 8);
    }
}

static dc_status make(char **argv, int tensors)
{
    dc_dump_tensor t[MOST] = {{0}};
    void *data[MOST] = {0};
    char *path = NULL;
    dc_dump_attr attr = {"_sgt_json_info", getenv("ATTR")};
    dc_dump d = {.op_name = argv[3],
                 .dump_time = strtoull(argv[6], NULL, 10),
                 .n = (size_t)tensors,
                 .tensor = t,
                 .attr = &attr,
                 .nattr = attr.value ? 1 : 0,
                 .dfx_message = ""};
    dc_status st = name(&path, argv);
    for (int i = 0; st == DC_OK && i < tensors; i++) {
        st = parse(&t[i], argv[7 + i]);
        if (st == DC_OK)
            st = fill(&data[i], &t[i]);
    }
    if (st == DC_OK && getenv("FILL"))
        fill_words(data[0], t[0].bytes, getenv("FILL"));
    if (st == DC_OK)
        st = dc_dump_write(
            path,
            &(const dc_dump_out){.dump = &d, .data = (const void *const *)data, .addresses = 1});
    for (int i = 0; i < tensors; i++)
        free(data[i]);
    free(path);
    return st;
}

int main(int argc, char **argv)
{
    dc_status st = argc < 8 || argc > 7 + MOST
                       ? dc_fail(DC_EARG, "DIR TYPE OP TASK STREAM TIME TENSOR...")
                       : make(argv, argc - 7);
    if (st != DC_OK)
        fprintf(stderr, "make-dump: %s\n", dc_last_error());
    return st == DC_OK ? 0 : 2;
}
