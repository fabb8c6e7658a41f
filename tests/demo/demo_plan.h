/* tests/demo/demo_plan.h - the demo's network: its tensors, its framework operators, and the device
 * operators GE would make of them. */
#ifndef DC_DEMO_PLAN_H
#define DC_DEMO_PLAN_H
#include "io/shape.h"
#include "io/status.h"

#include <stdbool.h>
#include <stdint.h>

#define DC_DEMO_MAX_RANKS   64
#define DC_DEMO_MAX_TENSORS 128
#define DC_DEMO_MAX_IO      5   /* inputs or outputs of one device operator */
#define DC_DEMO_NAME        512 /* bytes for the name of a device operator */

typedef struct dc_demo_options {
    const char *out;   /* directory to fill */
    const char *time;  /* 14 digits: when the first process set its dump configuration */
    const char *fault; /* OP:KIND[@RANK] or NULL */
    int ranks, steps;
    uint32_t half; /* DC_FLOAT16 or DC_BFLOAT16: the device's arithmetic */
    bool large;
} dc_demo_options;

enum {                        /* dc_demo_row.flags */
       DC_DEMO_ALSO = 1,      /* one more output of the operator in the row above */
       DC_DEMO_JOIN = 2,      /* the row below is fused into the same device operator */
       DC_DEMO_GLUE = 4,      /* the device operator's name is its parts' names glued together */
       DC_DEMO_INSERTED = 8,  /* made by GE: the framework has no such operator */
       DC_DEMO_NO_TASK = 16,  /* never runs on the device: no dump */
       DC_DEMO_WEIGHT = 32,   /* input 1 is a weight */
       DC_DEMO_REDUCE = 64,   /* all-reduce: output k is the sum of all ranks' input k */
       DC_DEMO_VARIABLE = 128 /* lives from step to step */
};

struct dc_demo_plan;
struct dc_demo_row;
/* What a kernel is called with: v[id] are the elements of tensor id in logical order, as floats
 * whatever the dtype (every integer used here is exact in a float). */
typedef struct dc_demo_call {
    const struct dc_demo_plan *plan;
    const struct dc_demo_row *row;
    float *const *v;
    uint64_t rank, step;
} dc_demo_call;

/* One tensor and the operator that makes it. Ids count from 1. */
typedef struct dc_demo_row {
    int id;
    const char *type, *name; /* GE's type; the framework's name, or GE's for an inserted operator */
    void (*kernel)(const dc_demo_call *call);
    const char *shape; /* one letter a dim, see demo_table.c */
    char dtype;        /* f float32, h half, i int32, l int64, b bool, r resource */
    uint32_t format;   /* dc_format */
    unsigned flags;
    int in[DC_DEMO_MAX_IO]; /* tensor ids, ended by 0 */
} dc_demo_row;

extern const dc_demo_row dc_demo_rows[]; /* row i makes tensor i+1 */
extern const int dc_demo_nrows;

typedef struct dc_demo_tensor {
    const dc_demo_row *row;
    uint32_t dtype, format;
    uint32_t origin_format; /* of the logical order: NHWC, HWCN or ND */
    dc_shape shape, device; /* logical, and as it lies in device memory */
    uint64_t n;             /* logical elements */
    int node;               /* the device operator it comes from */
    int slot; /* output of that operator (-1: inside a fused one) and of the framework's */
} dc_demo_tensor;

/* A device operator: one row, or several fused ones and their further outputs. */
typedef struct dc_demo_node {
    char name[DC_DEMO_NAME]; /* GE's name */
    const dc_demo_row *first, *last;
    const dc_demo_row *origin; /* the framework operator whose result it gives; NULL if inserted */
    int in[DC_DEMO_MAX_IO], out[DC_DEMO_MAX_IO]; /* tensor ids */
    int nin, nout;
    unsigned flags; /* of its rows, together */
    uint32_t task;  /* an all-reduce takes three: input dump, itself, output dump */
    uint32_t stream;
} dc_demo_node;

typedef struct dc_demo_plan {
    dc_demo_options options;
    dc_demo_tensor tensor[DC_DEMO_MAX_TENSORS]; /* by id; 0 is no tensor */
    dc_demo_node node[DC_DEMO_MAX_TENSORS];     /* in execution order */
    int tensors, nodes;                         /* ids are below `tensors` */
    uint64_t batch;                             /* samples of one rank's step */
} dc_demo_plan;

/* Fill in the plan for these options, whose texts stay the caller's. Not collective; cannot fail.
 */
void dc_demo_plan_init(dc_demo_plan *plan, const dc_demo_options *options);
/* Has the framework an operator that makes this tensor? */
bool dc_demo_has_origin(const dc_demo_tensor *t);
#endif
