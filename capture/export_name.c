/* capture/export_name.c - see export_name.h */
#include "capture/export_name.h"

#include "capture/view.h"
#include "io/dump_name.h"
#include "io/path.h"
#include "io/std_hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* type.op.task.stream.time, sanitised as CANN does. */
static dc_status original_name(dc_buf *out, const dc_tensor *t, const dc_pool *names)
{
    size_t start = out->n;
    dc_status st = dc_buf_puts(out, dc_pool_text(names, t->op_type));
    size_t dot = out->n;
    if (st == DC_OK)
        st = dc_buf_printf(out, "_%s", dc_pool_text(names, t->op)); /* the dot comes after */
    if (st == DC_OK)
        st = dc_buf_add(out, "", 1);
    if (st != DC_OK)
        return st;
    dc_name_sanitise(out->data + start);
    out->data[dot] = '.';
    out->n--;
    st = dc_buf_printf(out, ".%u", t->task);
    if (st == DC_OK && t->stream != UINT32_MAX)
        st = dc_buf_printf(out, ".%u", t->stream);
    if (st == DC_OK)
        st = dc_buf_printf(out, ".%" PRIu64, t->dump_time);
    return st == DC_OK && t->slice
               ? dc_buf_printf(out, ".4.%u.%u.%d", t->context, t->slice - 1, t->device)
               : st;
}

dc_status dc_export_dump_name(dc_buf *out, const dc_item *item, const dc_pool *names)
{
    const dc_tensor *t = &item->t;
    dc_dump_name name;
    char file[DC_FILE_NAME];
    dc_file_name(file, names, t->file, t->file_number);
    dc_dump_name_parse(&name, file);
    if (item->merged || name.kind == DC_NAME_HASHED ||
        (name.kind == DC_NAME_STATISTICS && !name.op_type.n))
        return original_name(out, t, names);
    size_t suffix = name.kind == DC_NAME_STATISTICS ? strlen(".csv") : 0;
    return dc_buf_add(out, file, strlen(file) - suffix);
}

dc_status dc_export_slot(dc_buf *out, const dc_tensor *t)
{
    static const char *const name[] = {"input", "output", "l1buffer", "space"};
    return dc_buf_printf(out, ".%s.%u", name[t->direction & 3], t->slot);
}

dc_status dc_export_dir(char **dir, const dc_origin *o, const dc_tensor *t, const char *below)
{
    dc_buf place = {0};
    dc_status st = o->store ? dc_view_place(&place, t, o->names, o->runs) : DC_OK;
    if (st == DC_OK)
        st = dc_buf_add(&place, "", 1);
    *dir = st == DC_OK ? dc_path_join(below, place.data) : NULL;
    dc_buf_free(&place);
    if (st == DC_OK && !*dir)
        st = DC_ENOMEM;
    return st;
}

dc_status dc_export_path(char **path, char **listed, const char *dir, const char *name)
{
    const char *suffix = strrchr(name, '.');
    dc_buf hashed = {0};
    dc_status st = DC_OK;
    *listed = *path = NULL;
    if (strlen(name) > NAME_MAX) {
        st = dc_buf_printf(&hashed, "%" PRIu64 "%s", dc_std_hash(name, strlen(name)),
                           suffix ? suffix : "");
        if (st == DC_OK && !(*listed = strdup(hashed.data)))
            st = dc_fail_memory();
    }
    if (st == DC_OK && !(*path = dc_path_join(dir, *listed ? *listed : name)))
        st = DC_ENOMEM;
    dc_buf_free(&hashed);
    return st;
}
