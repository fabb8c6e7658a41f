/* io/golden.c - see golden.h */
#include "io/golden.h"

#include "io/cmp.h"
#include "io/mapping_csv.h"
#include "io/path.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TIME_DIGITS 10 /* a number this long is a time stamp, not an output index */

static const struct kind {
    const char *ending;
    dc_status (*open)(dc_npy *out, const char *path);
} kinds[] = {
#define X(id, text, reader) {text, reader},
    DC_GOLDEN_KINDS(X)
#undef X
};

void dc_golden_clean(char *out, const char *name)
{
    size_t i = 0;
    for (; name[i]; i++) {
        unsigned char c = (unsigned char)name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '-';
        out[i] = plain ? name[i] : '_';
    }
    out[i] = '\0';
}

static char clean_byte(char c)
{
    char two[2] = {c, '\0'};
    dc_golden_clean(two, two);
    return two[0];
}

static char tensorflow_byte(char c)
{
    return c == '/' ? '_' : c == ':' ? '.' : c;
}

int dc_golden_likeness(const char *file_name, const char *op_name)
{
    bool same = true, tensorflow = true;
    for (;; file_name++, op_name++) {
        if (clean_byte(*file_name) != clean_byte(*op_name) || !*file_name != !*op_name)
            return 3;
        same = same && *file_name == *op_name;
        tensorflow = tensorflow && *file_name == tensorflow_byte(*op_name);
        if (!*file_name)
            return same ? 0 : tensorflow ? 1 : 2;
    }
}

/* What a name says before it has ids. */
typedef struct parsed {
    size_t n; /* bytes of the operator's name */
    uint64_t output, time;
    uint8_t kind;
} parsed;

/* Cut "{mark}{digits}" off name[0..*n) if something is left before it; a value beyond 64 bits
 * counts as the largest. */
static bool cut_number(uint64_t *value, size_t *n, const char *name, char mark)
{
    size_t at = *n;
    while (at && isdigit((unsigned char)name[at - 1]))
        at--;
    if (at == *n || at < 2 || name[at - 1] != mark)
        return false;
    *value = 0;
    for (size_t i = at; i < *n; i++) {
        uint64_t digit = (uint64_t)(name[i] - '0');
        if (!dc_mul_u64(value, *value, 10) || !dc_add_u64(value, *value, digit)) {
            *value = UINT64_MAX;
            break;
        }
    }
    *n = at - 1;
    return true;
}

/* NULL, or why the name is no golden's. */
static const char *parse_name(parsed *out, const char *name)
{
    size_t n = strlen(name);
    *out = (parsed){.kind = DC_GOLDEN_KIND_COUNT};
    if (name[0] == '.')
        return "a hidden file";
    for (size_t k = 0; k < DC_GOLDEN_KIND_COUNT; k++) {
        size_t ending = strlen(kinds[k].ending);
        if (n > ending && strcmp(name + n - ending, kinds[k].ending) == 0) {
            n -= ending;
            out->kind = (uint8_t)k;
            break;
        }
    }
    if (out->kind == DC_GOLDEN_KIND_COUNT)
        return "not a .npy file";
    size_t whole = n;
    bool one = cut_number(&out->time, &n, name, '.');
    bool two = one && cut_number(&out->output, &n, name, '.');
    if (one && !two && whole - n <= TIME_DIGITS) { /* too short for a time */
        out->output = out->time;
        out->time = 0;
    } else if (!two) {
        cut_number(&out->output, &n, name, ':');
    }
    out->n = n;
    return out->output >= UINT32_MAX ? "its output index is too large" : NULL;
}

static dc_status ignore(dc_golden_dir *d, const char *file, const char *reason)
{
    dc_status st =
        dc_grow((void **)&d->ignored, &d->ignored_cap, d->nignored, 1, sizeof *d->ignored);
    dc_golden_ignored *i = st == DC_OK ? &d->ignored[d->nignored] : NULL;
    if (st != DC_OK || (st = dc_pool_adds(&i->file, d->pool, file)) != DC_OK ||
        (st = dc_pool_adds(&i->reason, d->pool, reason)) != DC_OK)
        return st;
    d->nignored++;
    return DC_OK;
}

const char *dc_golden_file_name(char out[DC_FILE_NAME], const dc_golden_dir *d,
                                const dc_golden_file *f)
{
    return dc_file_name(out, d->pool, f->file, f->time);
}

/* `real` is the name that says what the file holds: its own, or mapping.csv's. */
static dc_status add_file(dc_golden_dir *d, const char *file, const char *real)
{
    parsed p;
    const char *reason = parse_name(&p, real);
    if (reason)
        return ignore(d, file, reason);
    dc_status st = dc_grow((void **)&d->file, &d->cap, d->n, 1, sizeof *d->file);
    if (st != DC_OK)
        return st;
    dc_golden_file *f = &d->file[d->n];
    *f = (dc_golden_file){.output = (uint32_t)p.output, .time = p.time, .kind = p.kind};
    char *clean = strndup(real, p.n);
    if (!clean)
        return dc_fail_memory();
    uint64_t number;
    st = dc_pool_adds(&f->name, d->pool, clean);
    if (st == DC_OK)
        st = dc_file_name_add(&f->file, &number, d->pool, file);
    if (st == DC_OK && number && number != f->time) /* a hash, or a part of the operator's name */
        st = dc_pool_adds(&f->file, d->pool, file);
    dc_golden_clean(clean, clean);
    if (st == DC_OK)
        st = dc_pool_adds(&f->clean, d->pool, clean);
    free(clean);
    d->n += st == DC_OK;
    return st;
}

/* A name of digits only, with or without an ending: the real one is in mapping.csv. */
static bool is_hashed(const char *name)
{
    size_t n = strspn(name, "0123456789");
    return n && (!name[n] || strcmp(name + n, kinds[DC_GOLDEN_NPY].ending) == 0);
}

/* A file with a number for a name: its real one, if mapping.csv has it. */
static dc_status take_hashed(dc_golden_dir *d, const dc_mapping *mapping, const char *name)
{
    char hash[24] = {0};
    size_t n = strspn(name, "0123456789");
    if (n < sizeof hash)
        memcpy(hash, name, n);
    const char *real = mapping ? dc_mapping_find(mapping, name) : NULL;
    if (!real && mapping)
        real = dc_mapping_find(mapping, hash);
    if (real)
        return add_file(d, name, real);
    return ignore(d, name,
                  mapping ? "its real name is not in mapping.csv"
                          : "its real name would be in mapping.csv, which is not there");
}

static dc_status take_name(dc_golden_dir *d, int fd, const struct dirent *e,
                           const dc_mapping *mapping)
{
    struct stat s;
    const char *name = e->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "mapping.csv") == 0)
        return DC_OK;
    bool regular = e->d_type == DT_REG;
    if (e->d_type == DT_LNK || e->d_type == DT_UNKNOWN) {
        if (fstatat(fd, name, &s, 0) != 0)
            return ignore(d, name, "a link to nothing");
        regular = S_ISREG(s.st_mode);
    }
    if (!regular)
        return ignore(d, name, e->d_type == DT_DIR ? "a directory" : "not a regular file");
    if (is_hashed(name))
        return take_hashed(d, mapping, name);
    return add_file(d, name, name);
}

static int compare_files(const void *left, const void *right, void *context)
{
    const dc_golden_file *a = left, *b = right;
    const dc_golden_dir *d = context;
    const dc_pool *pool = d->pool;
    char room[2][DC_FILE_NAME];
    if (a->clean != b->clean)
        return strcmp(dc_pool_text(pool, a->clean), dc_pool_text(pool, b->clean));
    if (a->output != b->output)
        return DC_CMP(a->output, b->output);
    if (a->name != b->name)
        return strcmp(dc_pool_text(pool, a->name), dc_pool_text(pool, b->name));
    if (a->time != b->time)
        return DC_CMP(a->time, b->time);
    return dc_path_compare(dc_golden_file_name(room[0], d, a), dc_golden_file_name(room[1], d, b));
}

static int compare_ignored(const void *left, const void *right, void *context)
{
    const dc_golden_ignored *a = left, *b = right;
    return strcmp(dc_pool_text(context, a->file), dc_pool_text(context, b->file));
}

/* *out stays NULL where there is no mapping.csv. */
static dc_status open_mapping(dc_mapping **out, const char *dir)
{
    char *path = dc_path_join(dir, "mapping.csv");
    if (!path)
        return DC_ENOMEM;
    dc_status st = dc_path_is_file(path) ? dc_mapping_open(out, NULL, path) : DC_OK;
    free(path);
    return st;
}

static dc_status list_names(dc_golden_dir *d)
{
    DIR *dir = opendir(d->path);
    if (!dir)
        return dc_fail_errno("%s: cannot list this directory of goldens", d->path);
    dc_mapping *mapping = NULL;
    dc_status st = open_mapping(&mapping, d->path);
    for (const struct dirent *e; st == DC_OK && (e = readdir(dir)) != NULL;)
        st = take_name(d, dirfd(dir), e, mapping);
    dc_mapping_free(mapping);
    closedir(dir);
    return st;
}

/* In order, and in no more memory than they need. */
static void settle(dc_golden_dir *d)
{
    if (!d->n)
        return;
    qsort_r(d->file, d->n, sizeof *d->file, compare_files, d);
    dc_golden_file *fitting = realloc(d->file, d->n * sizeof *d->file);
    if (fitting) {
        d->file = fitting;
        d->cap = d->n;
    }
}

dc_status dc_golden_scan(dc_golden_dir *out, const char *path, dc_pool *pool)
{
    *out = (dc_golden_dir){.path = dc_path_normal(path), .pool = pool};
    dc_status st = out->path ? DC_OK : DC_ENOMEM;
    if (st == DC_OK)
        st = list_names(out);
    if (st != DC_OK) {
        dc_golden_fini(out);
        return st;
    }
    settle(out);
    if (out->nignored)
        qsort_r(out->ignored, out->nignored, sizeof *out->ignored, compare_ignored, out->pool);
    return DC_OK;
}

void dc_golden_fini(dc_golden_dir *d)
{
    free(d->path);
    free(d->file);
    free(d->ignored);
    *d = (dc_golden_dir){0};
}

typedef struct key {
    const dc_golden_dir *d;
    const char *clean;
    uint32_t output;
} key;

static int compare_key(const void *context, size_t i)
{
    const key *k = context;
    const dc_golden_file *f = &k->d->file[i];
    int order = strcmp(dc_pool_text(k->d->pool, f->clean), k->clean);
    if (order)
        return order;
    return DC_CMP(f->output, k->output);
}

size_t dc_golden_find(size_t *first, const dc_golden_dir *d, const char *clean, uint32_t output)
{
    const key k = {d, clean, output};
    return dc_equal_range(first, d->n, compare_key, &k);
}

dc_status dc_golden_describe(dc_npy *out, dc_golden_kind kind, const char *path)
{
    return kinds[kind].open(out, path);
}
