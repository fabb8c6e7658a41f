/* mpi/walk.c - see walk.h */
#include "mpi/walk.h"

#include "io/cmp.h"
#include "io/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What one listed sub-directory looks like on its way to all processes, followed by its path and a
 * NUL. */
typedef struct found {
    uint64_t dev, ino;
    uint32_t root, length; /* of the path with its NUL and padding: a multiple of 8 */
    uint64_t link;         /* a symbolic link: to be followed when all directories are listed */
} found;

typedef struct seen { /* directories by identity: open addressing */
    uint64_t (*key)[2];
    size_t n, slots;
    const found **link; /* still to be followed; in the walk's texts */
    size_t links, caplink;
} seen;

static dc_status seen_grow(seen *s)
{
    size_t slots = s->slots ? s->slots * 2 : 1024;
    uint64_t(*key)[2] = calloc(slots, sizeof *key);
    if (!key)
        return dc_fail_memory();
    for (size_t i = 0; i < s->slots; i++) {
        if (!s->key[i][1])
            continue;
        size_t at = dc_mix64(s->key[i][0] ^ s->key[i][1]) & (slots - 1);
        while (key[at][1])
            at = (at + 1) & (slots - 1);
        memcpy(key[at], s->key[i], sizeof *key);
    }
    free(s->key);
    s->key = key;
    s->slots = slots;
    return DC_OK;
}

/* Where a directory stands, or would. */
static size_t seen_slot(const seen *s, uint64_t dev, uint64_t ino)
{
    size_t at = dc_mix64(dev ^ ino) & (s->slots - 1);
    while (s->key[at][1] && (s->key[at][0] != dev || s->key[at][1] != ino))
        at = (at + 1) & (s->slots - 1);
    return at;
}

static bool seen_has(const seen *s, uint64_t dev, uint64_t ino)
{
    return s->slots && s->key[seen_slot(s, dev, ino)][1];
}

/* *fresh: was it not there before? ino 0 does not occur. */
static dc_status seen_add(bool *fresh, seen *s, uint64_t dev, uint64_t ino)
{
    if (s->n * 2 >= s->slots && seen_grow(s) != DC_OK)
        return DC_ENOMEM;
    size_t at = seen_slot(s, dev, ino);
    *fresh = !s->key[at][1];
    if (*fresh) {
        s->key[at][0] = dev;
        s->key[at][1] = ino;
        s->n++;
    }
    return DC_OK;
}

dc_scan_dir dc_walk_scan_dir(const dc_walk_dir *d, char *model)
{
    snprintf(model, 512, "%.*s", (int)d->place.model_length, d->place.model);
    return (dc_scan_dir){d->path, d->rank, d->place.device, model, d->place.step};
}

static bool wanted_dir(const dc_scan_ask *ask, const dc_walk_dir *d)
{
    const dc_scan_root *root = &ask->root[d->root];
    char model[512];
    if (!ask->filter.want_dir || (d->place.device < 0 && d->place.rank < 0 && !root->has_rank))
        return true; /* too far up to tell */
    const dc_scan_dir dir = dc_walk_scan_dir(d, model);
    return ask->filter.want_dir(ask->filter.context, &dir);
}

/* The training rank of what lies in a directory. */
static dc_status find_rank(dc_walk_dir *d, const dc_scan_root *root)
{
    int32_t device = d->place.device;
    if (root->has_rank) {
        d->rank = root->rank;
        return DC_OK;
    }
    if (root->server && device >= 0)
        return dc_rank_server_find(&d->rank, root->server, device, d->path);
    d->rank = d->place.rank >= 0 ? d->place.rank : device >= 0 ? device : 0;
    d->rank += root->rank_offset;
    return DC_OK;
}

static dc_status add_dir(dc_walk *w, const dc_scan_ask *ask, const char *path, uint32_t root)
{
    dc_walk_dir d = {.path = path, .root = root};
    dc_tree_place_parse(&d.place, path);
    if (w->base[root] == SIZE_MAX) /* the root itself comes first */
        w->base[root] = (size_t)(dc_path_base(path) - path);
    if (d.place.unnumbered_length && d.place.unnumbered < path + w->base[root])
        d.place.unnumbered_length = 0; /* above the tree names mean nothing */
    if (ask->root[root].has_device)
        d.place.device = ask->root[root].device;
    dc_status st = find_rank(&d, &ask->root[root]);
    if (st != DC_OK || !wanted_dir(ask, &d))
        return st;
    st = dc_grow((void **)&w->dir, &w->capdirs, w->dirs, 1, sizeof *w->dir);
    if (st == DC_OK)
        w->dir[w->dirs++] = d;
    return st;
}

dc_status dc_walk_skip(dc_walk *w, const char *dir, const char *file, const char *reason,
                       uint8_t fault)
{
    dc_skipped row = {.fault = fault};
    dc_status st =
        dc_grow((void **)&w->skipped, &w->capskipped, w->nskipped, 1, sizeof *w->skipped);
    if (st == DC_OK)
        st = dc_pool_adds(&row.dir, w->names, dir);
    if (st == DC_OK)
        st = dc_file_name_add(&row.file, &row.file_number, w->names, file);
    if (st == DC_OK)
        st = dc_pool_adds(&row.reason, w->names, reason);
    if (st == DC_OK)
        w->skipped[w->nskipped++] = row;
    return st;
}

/* Append a found directory; its path is padded with NULs so that the next header is aligned. Takes
 * path over. */
static dc_status note_found(dc_buf *subs, char *path, uint32_t root, const dc_tree_entry *e)
{
    static const char pad[8];
    size_t n = strlen(path) + 1, padded = dc_round_up(n, sizeof pad);
    found f = {e->dev, e->ino, root, (uint32_t)padded, e->is_link};
    dc_status st = dc_buf_add(subs, &f, sizeof f);
    if (st == DC_OK)
        st = dc_buf_add(subs, path, n);
    if (st == DC_OK)
        st = dc_buf_add(subs, pad, padded - n);
    free(path);
    return st;
}

static dc_status note_dir(dc_buf *subs, const dc_walk_dir *parent, const dc_tree_entry *e)
{
    char *path = dc_path_join(parent->path, e->name);
    return path ? note_found(subs, path, parent->root, e) : DC_ENOMEM;
}

/* List one directory: its files to w, its sub-directories to subs. */
static dc_status list_one(dc_walk *w, dc_buf *subs, uint32_t dir, const dc_scan_ask *ask)
{
    dc_tree_list l;
    dc_status st = dc_tree_list_dir(&l, w->dir[dir].path);
    if (st == DC_ENOMEM)
        return st;
    if (st != DC_OK)
        return dc_walk_skip(w, w->dir[dir].path, "", dc_last_error(), DC_SKIPPED_FAULT);
    const char **name = malloc((l.n + 1) * sizeof *name);
    size_t files = 0;
    st = name ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < l.n; i++) {
        if (l.entry[i].is_dir)
            st = note_dir(subs, &w->dir[dir], &l.entry[i]);
        else
            name[files++] = l.entry[i].name;
    }
    if (st == DC_OK)
        st = dc_walk_take_files(w, dir, name, files, ask);
    free(name);
    dc_tree_list_free(&l);
    return st;
}

static int compare_found(const void *a, const void *b)
{
    const found *x = *(const found *const *)a, *y = *(const found *const *)b;
    int c = strcmp((const char *)(x + 1), (const char *)(y + 1));
    return c ? c : DC_CMP(x->root, y->root);
}

/* Of what was found, take what is new, in path order. */
static dc_status take_found(dc_walk *w, const dc_scan_ask *ask, seen *s, const found **list,
                            size_t n)
{
    dc_status st = DC_OK;
    if (n)
        qsort(list, n, sizeof *list, compare_found);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        bool fresh;
        st = seen_add(&fresh, s, list[i]->dev, list[i]->ino);
        if (st == DC_OK && fresh)
            st = add_dir(w, ask, (const char *)(list[i] + 1), list[i]->root);
    }
    return st;
}

static dc_status put_found(const found ***list, size_t *cap, size_t *n, const found *f)
{
    dc_status st = dc_grow((void **)list, cap, *n, 1, sizeof **list);
    if (st == DC_OK)
        (*list)[(*n)++] = f;
    return st;
}

/* Turn what all processes found into the next level's directories; links wait. Takes text over. */
static dc_status next_level(dc_walk *w, const dc_scan_ask *ask, seen *s, char *text, uint64_t bytes)
{
    const found **list = NULL;
    size_t n = 0, cap = 0;
    dc_status st = dc_grow((void **)&w->texts, &w->captexts, w->ntexts, 1, sizeof *w->texts);
    if (st != DC_OK) {
        free(text);
        return st;
    }
    w->texts[w->ntexts++] = text;
    for (uint64_t at = 0; st == DC_OK && at < bytes;) {
        const found *f = (const found *)(const void *)(text + at);
        st = f->link ? put_found(&s->link, &s->caplink, &s->links, f)
                     : put_found(&list, &cap, &n, f);
        at += sizeof *f + f->length;
    }
    if (st == DC_OK)
        st = take_found(w, ask, s, list, n);
    free(list);
    return st;
}

/* Whether a link leads below a directory that was seen: all of that was listed, or not wanted. */
static bool leads_inside(const seen *s, const char *path)
{
    struct stat info;
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    bool inside = !real; /* gone meanwhile */
    for (; !inside && slash; slash = strrchr(real, '/')) {
        *slash = '\0';
        inside = stat(*real ? real : "/", &info) == 0 && seen_has(s, info.st_dev, info.st_ino);
    }
    free(real);
    return inside;
}

/* All directories are listed: now those that links lead to, by process 0's view of them.
 * Collective. Errors: agreed. */
static dc_status follow_links(dc_walk *w, const dc_scan_ask *ask, seen *s, const dc_par *par)
{
    size_t n = s->links, kept = 0;
    bool *inside = malloc(n * sizeof *inside);
    dc_status st = dc_par_agree(inside ? DC_OK : dc_fail_memory(), par);
    for (size_t i = 0; st == DC_OK && par->process == 0 && i < n; i++)
        inside[i] = leads_inside(s, (const char *)(s->link[i] + 1));
    if (st == DC_OK)
        dc_par_bcast(inside, n * sizeof *inside, 0, par);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        if (!inside[i])
            s->link[kept++] = s->link[i];
    free(inside);
    s->links = 0;
    return st == DC_OK ? dc_par_agree(take_found(w, ask, s, s->link, kept), par) : st;
}

/* The roots themselves, looked at by process 0 so that all agree. */
static dc_status note_roots(dc_buf *subs, const dc_scan_ask *ask)
{
    dc_status st = DC_OK;
    for (uint32_t i = 0; st == DC_OK && i < ask->roots; i++) {
        struct stat info;
        char *path = dc_tree_root(ask->root[i].path);
        if (!path)
            return DC_ENOMEM;
        if (stat(path, &info) != 0)
            st = dc_fail_errno("%s: cannot open the dump directory", path);
        else if (!S_ISDIR(info.st_mode))
            st = dc_fail(DC_EARG, "%s: is not a directory", path);
        if (st == DC_OK)
            st =
                note_found(subs, path, i, &(dc_tree_entry){.dev = info.st_dev, .ino = info.st_ino});
        else
            free(path);
    }
    return st;
}

static dc_status gather_level(dc_walk *w, const dc_scan_ask *ask, seen *s, dc_buf *subs,
                              const dc_par *par)
{
    char *text;
    uint64_t bytes;
    dc_status st = dc_par_allgather(&text, &bytes, NULL, subs->data, subs->n, par);
    subs->n = 0;
    return st == DC_OK ? next_level(w, ask, s, text, bytes) : st;
}

dc_status dc_walk_trees(dc_walk *out, const dc_scan_ask *ask, const dc_par *par)
{
    dc_walk w = {0};
    seen s = {0};
    dc_buf subs = {0};
    dc_status st = dc_pool_new(&w.names);
    w.base = malloc((ask->roots + 1) * sizeof *w.base);
    for (size_t i = 0; w.base && i < ask->roots; i++)
        w.base[i] = SIZE_MAX;
    if (st == DC_OK && !w.base)
        st = dc_fail_memory();
    if (st == DC_OK && par->process == 0)
        st = note_roots(&subs, ask);
    st = dc_par_agree(st, par);
    size_t done = 0;
    if (st == DC_OK)
        st = dc_par_agree(gather_level(&w, ask, &s, &subs, par), par);
    while (st == DC_OK && (done < w.dirs || s.links)) {
        if (done == w.dirs)
            st = follow_links(&w, ask, &s, par);
        size_t end = w.dirs;
        for (size_t i = done; st == DC_OK && i < end; i++)
            if (i % (size_t)par->processes == (size_t)par->process)
                st = list_one(&w, &subs, (uint32_t)i, ask);
        done = end;
        st = dc_par_agree(st, par);
        if (st == DC_OK)
            st = dc_par_agree(gather_level(&w, ask, &s, &subs, par), par);
    }
    if (st == DC_OK)
        st = dc_walk_deal_files(&w, par);
    free(s.key);
    free(s.link);
    dc_buf_free(&subs);
    if (st != DC_OK) {
        dc_walk_fini(&w);
        return st;
    }
    *out = w;
    return DC_OK;
}

void dc_walk_fini(dc_walk *w)
{
    for (size_t i = 0; i < w->ntexts; i++)
        free(w->texts[i]);
    free(w->texts);
    free(w->base);
    free(w->dir);
    free(w->file);
    free(w->share);
    dc_buf_free(&w->listed);
    free(w->skipped);
    free(w->overflow);
    dc_task_names_fini(&w->tasks);
    dc_pool_free(w->names);
    *w = (dc_walk){0};
}
