/* tests/demo/demo_write.c - see demo_write.h */
#include "tests/demo/demo_write.h"

#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/npy.h"
#include "io/path.h"
#include "tests/demo/demo_device.h"
#include "tests/demo/demo_place.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

static char *dump_dir(const dc_demo_plan *plan, const int rank_step[2])
{
    char time[DC_DEMO_TIME], model[DC_DEMO_MODEL];
    dc_demo_dump_time(time, plan, rank_step[0]);
    dc_demo_model_name(model, plan, rank_step[0], 1);
    return dc_demo_text("%s/dump/%s/%d/%s/1/%d", plan->options.out, time, rank_step[0], model,
                        rank_step[1]);
}

static char *golden_dir(const dc_demo_plan *plan, const int rank_step[2])
{
    return dc_demo_text("%s/golden/rank_%d/step_%d", plan->options.out, rank_step[0], rank_step[1]);
}

dc_status dc_demo_make_dirs(const dc_demo_plan *plan, const int rank_step[2])
{
    char *dump = dump_dir(plan, rank_step), *golden = golden_dir(plan, rank_step);
    dc_status st = dump && golden ? dc_mkdirs(dump) : DC_ENOMEM;
    if (st == DC_OK)
        st = dc_mkdirs(golden);
    free(dump);
    free(golden);
    return st;
}

/* Only results of static framework operators say where they come from; collectives never do. */
static dc_dump_tensor describe(const dc_demo_plan *plan, const dc_demo_node *node, int id,
                               uint32_t slot, dc_direction direction)
{
    const dc_demo_tensor *t = &plan->tensor[id];
    dc_dump_tensor d = {.direction = direction,
                        .slot = slot,
                        .dtype = t->dtype,
                        .format = t->format,
                        .shape = t->device,
                        .original_shape = t->shape,
                        .origin_name = "",
                        .origin_slot = DC_UNSET,
                        .origin_dtype = -1,
                        .origin_format = -1,
                        .arg_index = DC_UNSET,
                        .bytes = dc_demo_device_bytes(t)};
    if (direction == DC_OUTPUT && node->origin && !(node->flags & DC_DEMO_REDUCE)) {
        d.origin_name = node->origin->name;
        d.origin_slot = slot;
        d.origin_dtype = (int32_t)(t->dtype == plan->options.half ? DC_FLOAT32 : t->dtype);
        d.origin_format = (int32_t)t->origin_format;
    }
    return d;
}

static dc_status write_file(const dc_demo_plan *plan, const dc_demo_node *node,
                            const dc_dump_out *out, const int rank_step[2], uint32_t task)
{
    uint64_t ids[3] = {task, node->stream, out->dump->dump_time};
    char *dir = dump_dir(plan, rank_step), *path = NULL;
    dc_status st = DC_ENOMEM;
    if (dir)
        st = dc_dump_make_path(&path, dir, node->first->type, node->name, ids);
    if (st == DC_OK)
        st = dc_dump_write(path, out);
    free(path);
    free(dir);
    return st;
}

dc_status dc_demo_write_dump(const dc_demo_plan *plan, const dc_demo_node *node, float *const *v,
                             const int rank_step[2], int what)
{
    dc_dump_tensor tensor[2 * DC_DEMO_MAX_IO];
    void *data[2 * DC_DEMO_MAX_IO] = {0};
    uint32_t task = node->task;
    if (node->flags & DC_DEMO_REDUCE)
        task += what == DC_DEMO_OUTPUTS ? 2 : 0;
    dc_dump dump = {.op_name = node->name,
                    .dump_time = dc_demo_task_time(plan, rank_step[0], rank_step[1], task),
                    .tensor = tensor,
                    .dfx_message = ""};
    dc_status st = DC_OK;
    for (int i = 0; i < node->nin + node->nout; i++) {
        bool input = i < node->nin;
        int slot = input ? i : i - node->nin, id = input ? node->in[slot] : node->out[slot];
        if (!(what & (input ? DC_DEMO_INPUTS : DC_DEMO_OUTPUTS)))
            continue;
        tensor[dump.n] = describe(plan, node, id, (uint32_t)slot, input ? DC_INPUT : DC_OUTPUT);
        data[dump.n] = dc_demo_to_device(v[id], &plan->tensor[id]);
        if (!data[dump.n++])
            st = DC_ENOMEM;
    }
    dc_dump_out out = {.dump = &dump, .data = (const void *const *)data, .addresses = 1};
    if (st == DC_OK)
        st = write_file(plan, node, &out, rank_step, task);
    for (size_t i = 0; i < dump.n; i++)
        free(data[i]);
    return st;
}

static char *golden_path(const dc_demo_plan *plan, const dc_demo_tensor *t, const int rank_step[2])
{
    char *dir = golden_dir(plan, rank_step);
    char *name = dc_demo_text("%s.%d.%" PRIu64 ".npy", t->row->name, t->slot < 0 ? 0 : t->slot,
                              dc_demo_golden_time(plan, rank_step[1], t->row->id));
    for (char *c = name; c && *c; c++)
        *c = *c == '/' ? '_' : *c;
    char *path = dir && name ? dc_path_join(dir, name) : NULL;
    free(dir);
    free(name);
    return path;
}

dc_status dc_demo_write_golden(const dc_demo_plan *plan, const dc_demo_tensor *t, const float *v,
                               const int rank_step[2])
{
    if (!dc_demo_has_origin(t))
        return DC_OK;
    uint32_t dtype = t->dtype == plan->options.half ? DC_FLOAT32 : t->dtype;
    char *path = golden_path(plan, t, rank_step);
    void *data = dc_demo_pack(v, t->n, dtype);
    dc_status st = path && data ? dc_npy_write(path, dtype, &t->shape, data) : DC_ENOMEM;
    free(data);
    free(path);
    return st;
}

static cJSON *config_of(const dc_demo_plan *plan, const char *dump_path)
{
    cJSON *root = cJSON_CreateObject(), *dump = cJSON_AddObjectToObject(root, "dump");
    cJSON_AddStringToObject(dump, "dump_path", dump_path);
    cJSON_AddStringToObject(dump, "dump_mode", "all");
    cJSON *list = cJSON_AddArrayToObject(dump, "dump_list");
    for (int rank = 0; rank < plan->options.ranks; rank++) {
        char model[DC_DEMO_MODEL];
        cJSON *entry = cJSON_CreateObject();
        dc_demo_model_name(model, plan, rank, 1);
        cJSON_AddStringToObject(entry, "model_name", model);
        cJSON_AddItemToArray(list, entry);
    }
    return root;
}

dc_status dc_demo_write_config(const dc_demo_plan *plan)
{
    char *dump_path = dc_path_join(plan->options.out, "dump");
    cJSON *root = dump_path ? config_of(plan, dump_path) : NULL;
    char *text = root ? cJSON_Print(root) : NULL;
    dc_buf buf = {0};
    dc_status st = text ? dc_buf_printf(&buf, "%s\n", text) : dc_fail_memory();
    if (st == DC_OK)
        st = dc_demo_write_text(plan->options.out, "acl.json", &buf);
    dc_buf_free(&buf);
    cJSON_free(text);
    cJSON_Delete(root);
    free(dump_path);
    return st;
}
