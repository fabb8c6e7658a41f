/* io/rank_table.c - see rank_table.h */
#include "io/rank_table.h"

#include "io/json.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST 1000000 /* a rank or device beyond is a damaged table */

static dc_status read_number(int32_t *out, const dc_json_at *parent, const char *key)
{
    dc_json_at at = dc_json_get(parent, key);
    uint64_t v;
    dc_status st = dc_json_u64(&v, &at);
    if (st == DC_OK && v > LARGEST)
        st = dc_json_fail(&at, "is more than %d", LARGEST);
    if (st == DC_OK)
        *out = (int32_t)v;
    return st;
}

static dc_status add_device(dc_rank_server *s, int32_t device, int32_t rank)
{
    dc_status st = dc_grow((void **)&s->device, &s->cap, s->n, 1, sizeof *s->device);
    if (st == DC_OK)
        s->device[s->n++] = (struct dc_rank_device){device, rank};
    return st;
}

/* The server an object belongs to: of that id, or a new one. */
static dc_status add_server(dc_rank_server **out, dc_rank_table *t, const dc_json_at *at, bool join)
{
    dc_json_at id = dc_json_get(at, "server_id");
    const char *text = "";
    dc_status st = id.node ? dc_json_string(&text, &id) : DC_OK;
    for (size_t i = 0; st == DC_OK && join && i < t->n; i++) {
        *out = &t->server[i];
        if (strcmp((*out)->id, text) == 0)
            return DC_OK;
    }
    if (st == DC_OK)
        st = dc_grow((void **)&t->server, &t->cap, t->n, 1, sizeof *t->server);
    if (st != DC_OK)
        return st;
    *out = &t->server[t->n];
    **out = (dc_rank_server){.id = strdup(text)};
    if (!(*out)->id)
        return dc_fail_memory();
    t->n++;
    return DC_OK;
}

static dc_status read_server(dc_rank_table *t, const dc_json_at *at)
{
    dc_rank_server *s;
    dc_json_at list = dc_json_get(at, "device");
    dc_status st = add_server(&s, t, at, false);
    if (st == DC_OK)
        st = dc_json_array(&list);
    for (dc_json_at it = dc_json_first(&list); st == DC_OK && it.node; dc_json_next(&it)) {
        int32_t device = 0, rank = 0;
        st = read_number(&device, &it, "device_id");
        if (st == DC_OK)
            st = read_number(&rank, &it, "rank_id");
        if (st == DC_OK)
            st = add_device(s, device, rank);
    }
    return st;
}

/* One process of the older form; it has one device. */
static dc_status read_instance(dc_rank_table *t, const dc_json_at *at)
{
    dc_rank_server *s;
    int32_t device = 0, rank = 0;
    dc_json_at list = dc_json_get(at, "devices");
    dc_status st = add_server(&s, t, at, true);
    if (st == DC_OK)
        st = read_number(&rank, at, "rank_id");
    if (st == DC_OK)
        st = dc_json_array(&list);
    dc_json_at first = dc_json_first(&list);
    if (st == DC_OK && dc_json_count(&list) != 1)
        st = dc_json_fail(&list, "must hold one device");
    if (st == DC_OK)
        st = read_number(&device, &first, "device_id");
    return st == DC_OK ? add_device(s, device, rank) : st;
}

static dc_status read_group(dc_rank_table *t, const dc_json_at *at)
{
    dc_json_at list = dc_json_get(at, "instance_list");
    dc_status st = dc_json_array(&list);
    for (dc_json_at it = dc_json_first(&list); st == DC_OK && it.node; dc_json_next(&it))
        st = read_instance(t, &it);
    return st;
}

static dc_status read_table(dc_rank_table *t, const dc_json *doc)
{
    dc_json_at root = dc_json_root(doc), old = dc_json_get(&root, "group_list");
    dc_json_at list = old.node ? old : dc_json_get(&root, "server_list");
    dc_status st = dc_json_object(&root);
    if (st == DC_OK)
        st = dc_json_array(&list);
    for (dc_json_at it = dc_json_first(&list); st == DC_OK && it.node; dc_json_next(&it))
        st = old.node ? read_group(t, &it) : read_server(t, &it);
    if (st == DC_OK && t->n == 0)
        st = dc_json_fail(&list, "names no server");
    return st;
}

dc_status dc_rank_table_read(dc_rank_table *out, const char *path)
{
    static const dc_json_rules rules = {.strict = true};
    dc_json doc;
    *out = (dc_rank_table){.path = strdup(path)};
    dc_status st = out->path ? dc_json_open(&doc, path, &rules) : dc_fail_memory();
    if (st == DC_OK) {
        st = read_table(out, &doc);
        dc_json_fini(&doc);
    }
    if (st != DC_OK)
        dc_rank_table_fini(out);
    return st;
}

void dc_rank_table_fini(dc_rank_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->server[i].id);
        free(t->server[i].device);
    }
    free(t->server);
    free(t->path);
    *t = (dc_rank_table){0};
}

static bool is_place(size_t i, const char *id)
{
    char *end;
    return *id == '#' && id[1] && strtoul(id + 1, &end, 10) == i && !*end;
}

dc_status dc_rank_table_server(const dc_rank_server **out, const dc_rank_table *t, const char *id)
{
    dc_buf have = {0};
    size_t found = 0;
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < t->n; i++) {
        if (strcmp(t->server[i].id, id) == 0 || is_place(i, id)) {
            *out = &t->server[i];
            found++;
        }
        if (i < 8)
            st = dc_buf_printf(&have, "%s%.60s (#%zu)", i ? ", " : "", t->server[i].id, i);
    }
    if (st == DC_OK && found != 1)
        st = dc_fail(DC_EARG, "%s: %s server \"%.60s\"; it has %.*s%s", t->path,
                     found ? "more than one" : "no", id, (int)have.n, have.data,
                     t->n > 8 ? ", ..." : "");
    dc_buf_free(&have);
    return st;
}

dc_status dc_rank_server_find(int32_t *rank, const dc_rank_server *s, int32_t device,
                              const char *path)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->device[i].device != device)
            continue;
        *rank = s->device[i].rank;
        return DC_OK;
    }
    return dc_fail(DC_EARG,
                   "%s: the rank table's server %s has no device %d; see --server, --server-of",
                   path, s->id, device);
}
