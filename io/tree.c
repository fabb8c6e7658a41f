/* io/tree.c - see tree.h */
#include "io/tree.h"

#include "io/path.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define TIME_DIGITS 14

typedef struct part {
    const char *text;
    size_t n;
} part;

static part next_part(const char **at)
{
    while (**at == '/')
        (*at)++;
    part p = {*at, strcspn(*at, "/")};
    *at += p.n;
    return p;
}

/* The value of digits text[0..n), or -1 if it is not a number that fits. */
static int64_t number(const char *text, size_t n)
{
    int64_t value = 0;
    if (n == 0 || n > 18)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!isdigit((unsigned char)text[i]))
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* The number behind a word: "rank_7", "rank7"; -1 if the part is anything else. */
static int64_t numbered(part p, const char *word)
{
    size_t n = strlen(word);
    if (p.n <= n || strncmp(p.text, word, n) != 0)
        return -1;
    if (p.text[n] == '_')
        n++;
    return number(p.text + n, p.n - n);
}

static bool is_time(part p)
{
    return p.n == TIME_DIGITS && number(p.text, p.n) >= 0;
}

/* Whether the path below {device} is the beginning of a captured file's name: a dot in the first
 * part, and not a number in the last. */
static bool is_captured(const char *at)
{
    part first = next_part(&at), last = first;
    for (part p = next_part(&at); p.n; p = next_part(&at))
        last = p;
    return first.n && memchr(first.text, '.', first.n) && number(last.text, last.n) < 0;
}

/* A level that begins like "rank_7" and has no number. */
static bool unnumbered(part p, const char *word)
{
    return p.n > strlen(word) && strncmp(p.text, word, strlen(word)) == 0 && numbered(p, word) < 0;
}

static void set_model(dc_tree_place *out, part p)
{
    out->model = p.text;
    out->model_length = p.n;
}

/* Below {device}: model, its id, and the step are what is left when pid levels are out. The model
 * is the name before the first number, else the first one. */
static void parse_model(dc_tree_place *out, const char *at)
{
    int numbers = 0;
    part name = {"", 0};
    if (is_captured(at)) {
        out->captured = at + strspn(at, "/");
        return;
    }
    for (part p = next_part(&at); p.n; p = next_part(&at)) {
        int64_t value = number(p.text, p.n);
        if (numbered(p, "pid") >= 0) {
            continue;
        } else if (!out->model_length) {
            set_model(out, p);
        } else if (value < 0) {
            name = p;
        } else if (numbers++ == 0) {
            out->model_id = value;
            if (name.n)
                set_model(out, name);
        } else {
            out->step = value; /* the last number counts: a worker id may stand between */
        }
    }
}

static void set_unnumbered(dc_tree_place *out, part p)
{
    out->unnumbered = p.text;
    out->unnumbered_length = p.n;
}

/* The first number is the device; other levels before it are passed over. */
static void parse_below_time(dc_tree_place *out, const char *at)
{
    part stepless = {0};
    for (part p = next_part(&at); p.n; p = next_part(&at)) {
        int64_t device = number(p.text, p.n);
        if (device >= 0 && device <= INT32_MAX) {
            out->device = (int32_t)device;
            parse_model(out, at);
            return;
        }
        if (unnumbered(p, "step"))
            stepless = p;
    }
    set_unnumbered(out, stepless);
}

/* Below rank_{r}: {net}/{graph}/{iteration}, and nothing else. */
static void parse_mindspore(dc_tree_place *out, const char *at)
{
    const char *start = at;
    part net = next_part(&at), graph = next_part(&at), iteration = next_part(&at),
         end = next_part(&at);
    if (net.n && number(graph.text, graph.n) >= 0 && number(iteration.text, iteration.n) >= 0 &&
        end.n == 0)
        parse_model(out, start);
}

static bool is_word(part p, const char *word)
{
    return p.n == strlen(word) && strncmp(p.text, word, p.n) == 0;
}

void dc_tree_place_parse(dc_tree_place *out, const char *dir)
{
    const char *at = dir, *below = NULL, *in_rank = NULL;
    part rankless = {0}, stepless = {0};
    *out = (dc_tree_place){.device = -1, .rank = -1, .model_id = -1, .step = -1, .model = ""};
    for (part p = next_part(&at); p.n; p = next_part(&at)) {
        int64_t rank = numbered(p, "rank"), step = numbered(p, "step");
        if (is_time(p)) {
            memcpy(out->time, p.text, TIME_DIGITS);
            below = at;
        } else if (is_word(p, "data-dump")) {
            below = at;
        } else if (rank >= 0 && rank <= INT32_MAX) {
            out->rank = (int32_t)rank;
            in_rank = at;
        } else if (step >= 0) {
            out->step = step;
        } else if (!below && unnumbered(p, "rank")) {
            rankless = p;
        } else if (!below && unnumbered(p, "step")) {
            stepless = p;
        }
    }
    if (below)
        parse_below_time(out, below);
    else if (in_rank)
        parse_mindspore(out, in_rank);
    part p = rankless.n && out->rank < 0 ? rankless : out->step < 0 ? stepless : (part){0};
    if (p.n)
        set_unnumbered(out, p);
}

/* Does a real path say what level its last part is, or of which rank or step it is part, where
 * another does not? */
static bool tells_more(const char *real, const char *path)
{
    dc_tree_place a, b;
    dc_tree_place_parse(&a, real);
    dc_tree_place_parse(&b, path);
    size_t n = strlen(real), digits = strlen(a.time);
    bool at_time = digits && n >= digits && strcmp(real + n - digits, a.time) == 0;
    return (at_time && !*b.time) || (a.device >= 0 && b.device < 0) ||
           (a.rank >= 0 && b.rank < 0) || (a.step >= 0 && b.step < 0);
}

char *dc_tree_root(const char *path)
{
    char *normal = dc_path_normal(path), *real = normal ? realpath(path, NULL) : NULL;
    if (!real || !tells_more(real, normal)) {
        free(real);
        return normal;
    }
    free(normal);
    return real;
}

int64_t dc_tree_seconds(const char *time)
{
    if (!*time)
        return 0;
    struct tm tm = {0};
    if (sscanf(time, "%4d%2d%2d%2d%2d%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec) != 6)
        return 0;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (int64_t)timegm(&tm);
}

void dc_tree_model_name(char *text, size_t size, const char *model, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < size;) {
        size_t digits = 0;
        while (i + digits < length && isdigit((unsigned char)model[i + digits]))
            digits++;
        if (digits == TIME_DIGITS) { /* and one of the two underscores around it */
            i += digits;
            if (n && text[n - 1] == '_')
                n--;
            continue;
        }
        size_t take = digits ? digits : 1;
        for (size_t k = 0; k < take && n + 1 < size; k++)
            text[n++] = model[i + k];
        i += take;
    }
    text[n] = '\0';
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const dc_tree_entry *)a)->name, ((const dc_tree_entry *)b)->name);
}

/* Decide what an entry is; false: neither file nor directory. The kernel's d_type spares a stat for
 * plain files. */
static bool classify(dc_tree_entry *e, int dir_fd, const struct dirent *d)
{
    struct stat st, own;
    e->is_dir = false;
    if (d->d_type == DT_REG)
        return true;
    if (d->d_type != DT_DIR && d->d_type != DT_LNK && d->d_type != DT_UNKNOWN)
        return false;
    if (fstatat(dir_fd, d->d_name, &st, 0) != 0)
        return false;
    e->is_dir = S_ISDIR(st.st_mode);
    e->is_link = e->is_dir && d->d_type != DT_DIR &&
                 fstatat(dir_fd, d->d_name, &own, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(own.st_mode);
    e->dev = st.st_dev;
    e->ino = st.st_ino;
    return e->is_dir || S_ISREG(st.st_mode);
}

static dc_status add_entry(dc_tree_list *l, size_t *cap, const dc_tree_entry *e, const char *name)
{
    dc_status st = dc_grow((void **)&l->entry, cap, l->n, 1, sizeof *l->entry);
    if (st != DC_OK)
        return st;
    l->entry[l->n] = *e;
    l->entry[l->n++].name =
        (const char *)(uintptr_t)l->text.n; /* an offset until the text stops moving */
    return dc_buf_add(&l->text, name, strlen(name) + 1);
}

dc_status dc_tree_list_dir(dc_tree_list *out, const char *dir)
{
    dc_tree_list l = {0};
    dc_status st = DC_OK;
    size_t cap = 0;
    DIR *d = opendir(dir);
    if (!d)
        return dc_fail_errno("%s: cannot open the directory", dir);
    while (st == DC_OK) {
        errno = 0;
        const struct dirent *entry = readdir(d);
        if (!entry) {
            if (errno)
                st = dc_fail_errno("%s: cannot read the directory", dir);
            break;
        }
        dc_tree_entry e = {0};
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            classify(&e, dirfd(d), entry))
            st = add_entry(&l, &cap, &e, entry->d_name);
    }
    closedir(d);
    if (st != DC_OK) {
        dc_tree_list_free(&l);
        return st;
    }
    for (size_t i = 0; i < l.n; i++)
        l.entry[i].name = l.text.data + (uintptr_t)l.entry[i].name;
    if (l.n)
        qsort(l.entry, l.n, sizeof *l.entry, compare_entries);
    *out = l;
    return DC_OK;
}

void dc_tree_list_free(dc_tree_list *l)
{
    free(l->entry);
    dc_buf_free(&l->text);
    *l = (dc_tree_list){0};
}
