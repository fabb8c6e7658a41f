/* io/golden.h - one directory of golden tensors: which files it holds and what their names say.
 *
 * Names are read from the right, since TensorFlow's operator names may hold dots:
 *   {name}.{output index}.{time stamp}.npy    as TensorFlow's, ONNX's and Caffe's dumpers write it
 *   {name}.{output index}.npy, {name}.npy     tolerated: time stamp 0, output 0
 *   {name}:{output index}[.{time stamp}].npy  tolerated
 *   {digits} or {digits}.npy                  a name too long for a file name, in mapping.csv
 * A number of ten digits or more before ".npy" is a time stamp even without an index. Sources:
 * msaccucmp's patterns; what the vendor's guides tell users to convert to. Nothing here is
 * collective. */
#ifndef DC_GOLDEN_H
#define DC_GOLDEN_H
#include "io/file_name.h"
#include "io/npy.h"

/* X(id, ending of the file name, reader of the header): a further format is a row here. Readers
 * describe the data and leave it in the file. */
#define DC_GOLDEN_KINDS(X) X(NPY, ".npy", dc_npy_open)

typedef enum dc_golden_kind {
#define X(id, ending, open) DC_GOLDEN_##id,
    DC_GOLDEN_KINDS(X)
#undef X
        DC_GOLDEN_KIND_COUNT
} dc_golden_kind;

/* Strings are ids of the directory's pool. */
typedef struct dc_golden_file {
    uint64_t time;   /* time stamp, 0 if the name has none */
    uint32_t name;   /* string: the operator's name as the (mapped) file name has it */
    uint32_t clean;  /* string: its canonical form */
    uint32_t output; /* output index, 0 if the name has none */
    uint32_t file;   /* string: name in the directory, / for the time stamp: io/file_name.h */
    uint8_t kind;    /* dc_golden_kind */
} dc_golden_file;
_Static_assert(sizeof(dc_golden_file) == 32, "there may be one for every tensor");

typedef struct dc_golden_ignored {
    uint32_t file, reason; /* strings */
} dc_golden_ignored;

/* All owned but the pool. Files are in the order (canonical name, output, name, time, file name).
 */
typedef struct dc_golden_dir {
    char *path;
    dc_pool *pool;
    dc_golden_file *file;
    size_t n, cap;
    dc_golden_ignored *ignored; /* sorted by file name */
    size_t nignored, ignored_cap;
} dc_golden_dir;

/* The canonical form of an operator's name: every byte outside [A-Za-z0-9_-] becomes '_'. Both
 * sides' names are compared in it. out must hold strlen(name) + 1 bytes and may be name. */
void dc_golden_clean(char *out, const char *name);
/* How a file's name follows from an operator's: 0 the same; 1 as TensorFlow's dumpers change it
 * ('/' to '_', ':' to '.'); 2 the same canonical form; 3 not at all. Smaller is better. */
int dc_golden_likeness(const char *file_name, const char *op_name);

/* Read the names in a directory; no file is opened but mapping.csv. Texts go to pool, which several
 * directories of the same names may share and which must outlive them. Errors: DC_ENOENT, DC_EIO
 * (cannot be read), DC_ENOMEM. On error *out is empty. */
dc_status dc_golden_scan(dc_golden_dir *out, const char *path, dc_pool *pool) DC_MUST_CHECK;
void dc_golden_fini(dc_golden_dir *d);
/* The name in the directory of one of its files, in out, which is returned. */
const char *dc_golden_file_name(char out[DC_FILE_NAME], const dc_golden_dir *d,
                                const dc_golden_file *f);
/* The files of output `output` of the operator with canonical name `clean`: file[*first ..
 * *first+n-1]; returns n. */
size_t dc_golden_find(size_t *first, const dc_golden_dir *d, const char *clean, uint32_t output);
/* Read the header of a file of kind `kind`. Errors: the reader's (dc_npy_open's). */
dc_status dc_golden_describe(dc_npy *out, dc_golden_kind kind, const char *path) DC_MUST_CHECK;
#endif
