/* tests/demo/demo_plan.c - see demo_plan.h */
#include "tests/demo/demo_plan.h"

#include "io/dtype.h"
#include "io/format.h"

#include <stdio.h>
#include <string.h>

#define C0 16 /* of every dtype used here, on the 910 series */

static uint64_t dim_of(const dc_demo_plan *plan, char letter)
{
    bool large = plan->options.large;
    uint64_t side = large ? 24 : 8, filters = large ? 32 : 20;
    switch (letter) {
    case 'n':
        return large ? 8 : 4;
    case 'h':
        return side;
    case 'q':
        return side / 2;
    case 'r':
        return side / 4;
    case 'F':
        return large ? 32 : 20;
    case 'G':
        return filters;
    case 'D':
        return side / 4 * (side / 4) * filters;
    case 'U':
        return large ? 64 : 24;
    case 'K':
        return 10;
    default:
        return (uint64_t)(letter - '0');
    }
}

static uint32_t dtype_of(const dc_demo_plan *plan, char letter)
{
    switch (letter) {
    case 'h':
        return plan->options.half;
    case 'i':
        return DC_INT32;
    case 'l':
        return DC_INT64;
    case 'b':
        return DC_BOOL;
    case 'r':
        return DC_RESOURCE;
    default:
        return DC_FLOAT32;
    }
}

static uint64_t blocks(uint64_t n)
{
    return (n + C0 - 1) / C0;
}

/* Dims in device memory, as layouts.h of the formats says; order of the logical dims: NHWC for
 * NC1HWC0, HWCN for FRACTAL_Z. */
static dc_shape device_shape(const dc_shape *s, uint32_t format)
{
    const uint64_t *d = s->dim;
    switch (format) {
    case DC_FORMAT_NC1HWC0:
        return (dc_shape){5, {d[0], blocks(d[3]), d[1], d[2], C0}};
    case DC_FORMAT_FRACTAL_Z:
        return (dc_shape){4, {blocks(d[2]) * d[0] * d[1], blocks(d[3]), C0, C0}};
    case DC_FORMAT_FRACTAL_NZ:
        return (dc_shape){4, {blocks(d[1]), blocks(d[0]), C0, C0}};
    default:
        return *s;
    }
}

static uint32_t origin_format(uint32_t format)
{
    switch (format) {
    case DC_FORMAT_NC1HWC0:
        return DC_FORMAT_NHWC;
    case DC_FORMAT_FRACTAL_Z:
        return DC_FORMAT_HWCN;
    case DC_FORMAT_FRACTAL_NZ:
        return DC_FORMAT_ND;
    default:
        return format;
    }
}

static void add_tensor(dc_demo_plan *plan, const dc_demo_row *row)
{
    dc_demo_tensor *t = &plan->tensor[row->id];
    *t = (dc_demo_tensor){.row = row, .format = row->format, .node = plan->nodes, .slot = -1};
    t->dtype = dtype_of(plan, row->dtype);
    t->origin_format = origin_format(row->format);
    t->n = 1;
    for (const char *letter = row->shape; *letter; letter++) {
        t->shape.dim[t->shape.rank++] = dim_of(plan, *letter);
        t->n *= dim_of(plan, *letter);
    }
    t->device = device_shape(&t->shape, t->format);
}

static void add_inputs(const dc_demo_plan *plan, dc_demo_node *node, const dc_demo_row *row)
{
    for (int i = 0; i < DC_DEMO_MAX_IO && row->in[i]; i++)
        if (plan->tensor[row->in[i]].node != plan->nodes)
            node->in[node->nin++] = row->in[i];
}

static void add_output(dc_demo_plan *plan, dc_demo_node *node, const dc_demo_row *row)
{
    plan->tensor[row->id].slot = node->nout;
    node->out[node->nout++] = row->id;
}

/* A glued name joins its parts without a separator, as UB fusion does. */
static void name_node(dc_demo_node *node)
{
    size_t used = 0;
    for (const dc_demo_row *row = node->first; row <= node->last; row++) {
        if (row > node->first && !(node->flags & DC_DEMO_GLUE))
            break;
        int more = snprintf(node->name + used, sizeof node->name - used, "%s", row->name);
        used += (size_t)more;
    }
}

/* The device operator that starts at rows[i]; returns the index of the next one's first row. */
static int add_node(dc_demo_plan *plan, int i)
{
    dc_demo_node *node = &plan->node[plan->nodes];
    *node = (dc_demo_node){.first = &dc_demo_rows[i]};
    bool joined = true;
    for (; joined; i++) {
        const dc_demo_row *row = &dc_demo_rows[i];
        add_tensor(plan, row);
        add_inputs(plan, node, row);
        node->flags |= row->flags;
        node->last = row;
        joined = row->flags & DC_DEMO_JOIN;
    }
    node->origin = node->flags & DC_DEMO_INSERTED ? NULL : node->last;
    add_output(plan, node, node->last);
    name_node(node);
    for (; i < dc_demo_nrows && dc_demo_rows[i].flags & DC_DEMO_ALSO; i++) {
        add_tensor(plan, &dc_demo_rows[i]);
        add_output(plan, node, &dc_demo_rows[i]);
    }
    return i;
}

void dc_demo_plan_init(dc_demo_plan *plan, const dc_demo_options *options)
{
    uint32_t task = 2; /* the first ones set the iteration up */
    memset(plan, 0, sizeof *plan);
    plan->options = *options;
    plan->tensors = dc_demo_nrows + 1;
    plan->batch = dim_of(plan, 'n');
    for (int i = 0; i < dc_demo_nrows; plan->nodes++) {
        dc_demo_node *node = &plan->node[plan->nodes];
        i = add_node(plan, i);
        node->stream = node->flags & DC_DEMO_REDUCE ? 5 : 3;
        node->task = task;
        if (!(node->flags & DC_DEMO_NO_TASK))
            task += node->flags & DC_DEMO_REDUCE ? 3 : 1;
    }
}

bool dc_demo_has_origin(const dc_demo_tensor *t)
{
    return !(t->row->flags & DC_DEMO_INSERTED);
}
