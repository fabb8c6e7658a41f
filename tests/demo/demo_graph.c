/* tests/demo/demo_graph.c - see demo_graph.h */
#include "tests/demo/demo_graph.h"

#include "io/dtype.h"
#include "io/format.h"
#include "tests/demo/demo_device.h"
#include "tests/demo/demo_place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text being written: indentation follows the blocks; the first error stays. */
typedef struct text {
    dc_buf buf;
    int depth;
    dc_status st;
} text;

static void line(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(text *t, const char *format, ...)
{
    char what[2 * DC_DEMO_NAME];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (t->st == DC_OK)
        t->st = dc_buf_printf(&t->buf, "%*s%s\n", 2 * t->depth, "", what);
}

static void begin(text *t, const char *block)
{
    line(t, "%s {", block);
    t->depth++;
}

static void end(text *t, int blocks)
{
    for (; blocks; blocks--) {
        t->depth--;
        line(t, "}");
    }
}

static void begin_attr(text *t, const char *key)
{
    begin(t, "attr");
    line(t, "key: \"%s\"", key);
    begin(t, "value");
}

static void attr_text(text *t, const char *key, const char *value)
{
    begin_attr(t, key);
    line(t, "s: \"%s\"", value);
    end(t, 2);
}

static void attr_int(text *t, const char *key, int64_t value)
{
    begin_attr(t, key);
    line(t, "i: %" PRId64, value);
    end(t, 2);
}

static void attr_true(text *t, const char *key)
{
    begin_attr(t, key);
    line(t, "b: true");
    end(t, 2);
}

static const char *dtype_text(uint32_t dtype)
{
    switch (dtype) {
    case DC_FLOAT16:
        return "DT_FLOAT16";
    case DC_BFLOAT16:
        return "DT_BF16";
    case DC_INT32:
        return "DT_INT32";
    case DC_INT64:
        return "DT_INT64";
    case DC_BOOL:
        return "DT_BOOL";
    case DC_RESOURCE:
        return "DT_RESOURCE";
    default:
        return "DT_FLOAT";
    }
}

static const char *origin_dtype(const dc_demo_plan *plan, const dc_demo_tensor *t)
{
    return dtype_text(t->dtype == plan->options.half ? DC_FLOAT32 : t->dtype);
}

static void origin_shape(text *t, const dc_shape *shape)
{
    begin_attr(t, "origin_shape");
    begin(t, "list");
    for (uint32_t i = 0; i < shape->rank; i++)
        line(t, "i: %" PRIu64, shape->dim[i]);
    line(t, "val_type: VT_LIST_INT");
    end(t, 3);
}

/* What dumpcmp pairs by: only outputs of framework operators have it. */
static void datadump_attrs(text *t, const dc_demo_plan *plan, const dc_demo_tensor *tensor)
{
    const dc_demo_node *node = &plan->node[tensor->node];
    if (!node->origin)
        return;
    attr_text(t, "_datadump_origin_data_type", origin_dtype(plan, tensor));
    attr_text(t, "_datadump_origin_format", dc_format_name(tensor->origin_format));
    attr_text(t, "_datadump_origin_name", node->origin->name);
    attr_int(t, "_datadump_origin_output_index", tensor->slot);
}

static void desc(text *t, const dc_demo_plan *plan, int id, bool output)
{
    const dc_demo_tensor *tensor = &plan->tensor[id];
    begin(t, output ? "output_desc" : "input_desc");
    line(t, "dtype: %s", dtype_text(tensor->dtype));
    begin(t, "shape");
    for (uint32_t i = 0; i < tensor->device.rank; i++)
        line(t, "dim: %" PRIu64, tensor->device.dim[i]);
    end(t, 1);
    line(t, "layout: \"%s\"", dc_format_name(tensor->format));
    if (output)
        datadump_attrs(t, plan, tensor);
    attr_text(t, "origin_data_type", origin_dtype(plan, tensor));
    attr_text(t, "origin_format", dc_format_name(tensor->origin_format));
    origin_shape(t, &tensor->shape);
    line(t, "has_out_attr: true");
    line(t, "size: %zu", (dc_demo_device_bytes(tensor) + 63) / 32 * 32);
    line(t, "device_type: \"NPU\"");
    if (tensor->device.rank)
        line(t, "real_dim_cnt: %u", tensor->device.rank);
    end(t, 1);
}

static void original_names(text *t, const dc_demo_node *node)
{
    begin_attr(t, "_datadump_original_op_names");
    begin(t, "list");
    for (const dc_demo_row *row = node->first; node->origin && row <= node->last; row++)
        line(t, "s: \"%s\"", row->name);
    line(t, "val_type: VT_LIST_STRING");
    end(t, 3);
}

static void edge(text *t, const dc_demo_plan *plan, int id)
{
    const dc_demo_tensor *tensor = &plan->tensor[id];
    line(t, "input: \"%s:%d\"", plan->node[tensor->node].name, tensor->slot);
}

/* Order without data: the convolutions' all-reduce waits for the dense layers', the step counter
 * for that. */
static void control_edges(text *t, const dc_demo_plan *plan, int at)
{
    const char *type = plan->node[at].first->type;
    bool waits = !strcmp(type, "HcomAllReduce") || !strcmp(type, "AssignAdd");
    for (int i = at - 1; waits && i >= 0; i--) {
        if (plan->node[i].flags & DC_DEMO_REDUCE) {
            line(t, "input: \"%s:-1\"", plan->node[i].name);
            return;
        }
    }
}

static void op(text *t, const dc_demo_plan *plan, int at)
{
    const dc_demo_node *node = &plan->node[at];
    begin(t, "op");
    line(t, "name: \"%s\"", node->name);
    line(t, "type: \"%s\"", node->first->type);
    for (int i = 0; i < node->nin; i++)
        edge(t, plan, node->in[i]);
    control_edges(t, plan, at);
    original_names(t, node);
    attr_text(t, "_dump_mode", "all");
    attr_text(t, "_enable_dump", "1");
    if (node->flags & DC_DEMO_NO_TASK)
        attr_true(t, "_no_task");
    line(t, "has_out_attr: true");
    if (at)
        line(t, "id: %d", at);
    line(t, "stream_id: %u", node->stream);
    for (int i = 0; i < node->nin; i++)
        desc(t, plan, node->in[i], false);
    for (int i = 0; i < node->nout; i++)
        desc(t, plan, node->out[i], true);
    end(t, 1);
}

static void net_output(text *t, const dc_demo_plan *plan)
{
    begin(t, "op");
    line(t, "name: \"Node_Output\"");
    line(t, "type: \"NetOutput\"");
    for (int i = 0; i < plan->nodes; i++) {
        if (!strcmp(plan->node[i].first->type, "ReduceMeanD"))
            edge(t, plan, plan->node[i].out[0]);
        if (!strcmp(plan->node[i].first->type, "ApplyGradientDescent"))
            line(t, "input: \"%s:-1\"", plan->node[i].name);
    }
    attr_true(t, "_no_task");
    line(t, "id: %d", plan->nodes);
    end(t, 1);
}

static void begin_graph(text *t, const dc_demo_plan *plan, int rank, int graph)
{
    char model[DC_DEMO_MODEL];
    dc_demo_model_name(model, plan, rank, graph);
    begin(t, "graph");
    line(t, "name: \"%s\"", model);
}

static void training_graph(text *t, const dc_demo_plan *plan, int rank)
{
    begin_graph(t, plan, rank, 1);
    for (int i = 0; i < plan->nodes; i++)
        op(t, plan, i);
    net_output(t, plan);
    attr_text(t, "_session_graph_id", "0_1");
    end(t, 1);
    begin_attr(t, "stream_num");
    line(t, "i: 6");
    end(t, 2);
}

/* The framework's graph, before GE inserts and fuses. */
static void framework_graph(text *t, const dc_demo_plan *plan, int rank)
{
    begin_graph(t, plan, rank, 1);
    for (int i = 0; i < dc_demo_nrows; i++) {
        const dc_demo_row *row = &dc_demo_rows[i];
        if (row->flags & (DC_DEMO_ALSO | DC_DEMO_INSERTED) && *row->shape)
            continue;
        begin(t, "op");
        line(t, "name: \"%s\"", row->name);
        line(t, "type: \"%s\"", row->type);
        for (int k = 0; k < DC_DEMO_MAX_IO && row->in[k]; k++) {
            const dc_demo_tensor *in = &plan->tensor[row->in[k]];
            while (in->row->flags & DC_DEMO_INSERTED && in->row->in[0])
                in = &plan->tensor[in->row->in[0]];
            line(t, "input: \"%s:%d\"", in->row->name, in->slot < 0 ? 0 : in->slot);
        }
        end(t, 1);
    }
    end(t, 1);
}

/* Graph 0 only gives the variables their first values. */
static void variable_graph(text *t, const dc_demo_plan *plan, int rank)
{
    begin_graph(t, plan, rank, 0);
    for (int i = 0; i < dc_demo_nrows; i++) {
        const dc_demo_row *row = &dc_demo_rows[i];
        if (!(row->flags & DC_DEMO_VARIABLE))
            continue;
        begin(t, "op");
        line(t, "name: \"%s\"", row->name);
        line(t, "type: \"Variable\"");
        desc(t, plan, row->id, true);
        end(t, 1);
        begin(t, "op");
        line(t, "name: \"%s/Assign\"", row->name);
        line(t, "type: \"Assign\"");
        line(t, "input: \"%s:0\"", row->name);
        end(t, 1);
    }
    end(t, 1);
}

dc_status dc_demo_write_graphs(const dc_demo_plan *plan, int rank)
{
    static const struct {
        const char *file;
        void (*write)(text *t, const dc_demo_plan *plan, int rank);
    } files[] = {{"ge_proto_00000003_graph_0_PreRunBegin.txt", variable_graph},
                 {"ge_proto_00000011_graph_0_Build.txt", variable_graph},
                 {"ge_proto_00000014_graph_1_PreRunBegin.txt", framework_graph},
                 {"ge_proto_00000026_graph_1_Build.txt", training_graph}};
    char *dir = dc_demo_text("%s/graphs/pid_%d_deviceid_%d", plan->options.out, 21770 + rank, rank);
    dc_status st = dir ? DC_OK : DC_ENOMEM;
    for (size_t i = 0; st == DC_OK && i < sizeof files / sizeof *files; i++) {
        text t = {.st = DC_OK};
        files[i].write(&t, plan, rank);
        st = t.st;
        if (st == DC_OK)
            st = dc_demo_write_text(dir, files[i].file, &t.buf);
        dc_buf_free(&t.buf);
    }
    free(dir);
    return st;
}
