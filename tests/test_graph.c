/* tests/test_graph.c - a GE text graph, attribute by attribute. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/graph.h"
#include "tests/graph_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything the readers know, as GE writes it. */
static const char ge_text[] =
    "graph {\n"
    "  name: \"ge_default_20240613143502_1\"\n"
    "  op { name: \"IteratorV2\" type: \"Data\" input: \"\" \n"
    "    output_desc { dtype: DT_FLOAT shape { dim: 1 dim: -1 dim: 3 } layout: \"NHWC\" } }\n"
    "  op {\n"
    "    name: \"a/conv.1 x\" type: \"Conv2D\"\n"
    "    input: \"IteratorV2:0\" input: \"\" input: \"missing:2\" input: \"w:1:3\" input: "
    "\"z:-1\"\n"
    "    attr { key: \"_datadump_original_op_names\" value { list { s: \"conv\" s: \"relu\\\\6\" "
    "val_type: VT_LIST_STRING } } }\n"
    "    attr { key: \"_datadump_original_op_types\" value { list { s: \"Conv2D\" s: \"Relu\" } } "
    "}\n"
    "    attr { key: \"_datadump_is_multiop\" value { b: true } }\n"
    "    attr { key: \"_no_task\" value { b: false } }\n"
    "    attr { key: \"_no_task_and_dump_needed\" value { b: true } }\n"
    "    attr { key: \"_is_unknown_shape\" value { b: true } }\n"
    "    attr { key: \"OwnerGraphIsUnknown\" value { b: true } }\n"
    "    attr { key: \"_L1_fusion_sub_graph_no\" value { s: \"7_8\" } }\n"
    "    attr { key: \"groups\" value { i: 4 } }\n"
    "    attr { key: \"input_size\" value { i: 40 } }\n"
    "    attr { key: \"hidden_size\" value { i: 128 } }\n"
    "    attr { key: \"weights\" value { t { desc { dtype: DT_FLOAT } data: \"\\000}{\\\"\" } } }\n"
    "    has_out_attr: true id: 42 stream_id: 3\n"
    "    input_desc { dtype: DT_INT8 shape { dim: 5 } layout: \"ND\" attr { key: \"origin_format\" "
    "value { s: \"NCHW\" } } }\n"
    "    input_desc { layout: \"FORMAT_RESERVED\" }\n"
    "    output_desc { dtype: DT_FLOAT16 shape { dim: 1 dim: 4 dim: 7 dim: 7 dim: 16 }\n"
    "      layout: \"NC1HWC0\"\n"
    "      attr { key: \"_datadump_origin_name\" value { s: \"relu6\" } }\n"
    "      attr { key: \"_datadump_origin_output_index\" value { i: 2 } }\n"
    "      attr { key: \"_datadump_origin_format\" value { s: \"NHWC\" } }\n"
    "      attr { key: \"_datadump_origin_data_type\" value { s: \"DT_FLOAT\" } }\n"
    "      attr { key: \"_fusion_origin_name\" value { s: \"ub\" } }\n"
    "      attr { key: \"_fusion_origin_output_index\" value { i: 1 } }\n"
    "      attr { key: \"_datadump_ref\" value { s: \"var:input:0\" } }\n"
    "      attr { key: \"origin_format\" value { s: \"NCHW\" } }\n"
    "      attr { key: \"origin_data_type\" value { s: \"DT_BF16\" } }\n"
    "      attr { key: \"origin_shape\" value { list { i: 1 i: 64 i: 7 i: 7 val_type: VT_LIST_INT "
    "} } }\n"
    "    }\n"
    "    output_desc { dtype: DT_FLOAT shape { } layout: \"FRACTAL_Z:8\"\n"
    "      attr { key: \"_datadump_origin_output_index\" value { i: 4294967295 } }\n"
    "      attr { key: \"_datadump_origin_name\" value { s: \"\" } } }\n"
    "  }\n"
    "  op { name: \"trans\" type: \"TransData\" input: \"a/conv.1 x:1\" "
    "attr { key: \"_datadump_original_op_names\" value { list { val_type: VT_LIST_STRING } } } }\n"
    "  op { name: \"call\" type: \"PartitionedCall\" subgraph_name: \"sub\" }\n"
    "}\n"
    "graph { name: \"sub\" op { name: \"d\" type: \"Data\" attr { key: \"_parent_node_index\" "
    "value { i: 0 } } } op { name: \"trans\" type: \"Cast\" input: \"d:0\" } op { name: \"e\" "
    "input: \"trans:0\" } }\n"
    "attr { key: \"memory_size\" value { i: 0 } }\n";

static void every_attribute_is_read(void)
{
    dc_graph *g = gc_parse(ge_text);
    const dc_gop *c = gc_op(g, "a/conv.1 x");
    CU_ASSERT_EQUAL(g->kind, DC_GRAPH_GE);
    CU_ASSERT_STRING_EQUAL(gc_text(g, g->sub[0].name), "ge_default_20240613143502_1");
    CU_ASSERT_STRING_EQUAL(gc_text(g, c->type), "Conv2D");
    CU_ASSERT_EQUAL(c->id, 42);
    CU_ASSERT_EQUAL(c->stream_id, 3);
    CU_ASSERT_EQUAL(c->original_state, DC_ORIGINALS_NAMES);
    CU_ASSERT_EQUAL(c->originals.n, 2);
    CU_ASSERT_STRING_EQUAL(gc_text(g, g->text[c->originals.first + 1]), "relu\\6");
    CU_ASSERT_STRING_EQUAL(gc_text(g, g->text[c->original_types.first + 1]), "Relu");
    CU_ASSERT_EQUAL(c->flags, DC_GOP_MULTI | DC_GOP_NO_TASK_BUT_DUMP | DC_GOP_UNKNOWN_SHAPE |
                                  DC_GOP_OWNER_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(gc_text(g, c->l1_fusion), "7_8");
    CU_ASSERT_EQUAL(c->groups, 4);
    CU_ASSERT_EQUAL(c->input_size, 40);
    CU_ASSERT_EQUAL(c->hidden_size, 128);
    CU_ASSERT_EQUAL(gc_op(g, "trans")->groups, 0);
    CU_ASSERT_EQUAL(gc_op(g, "trans")->l1_fusion, DC_NO_STR);
    dc_graph_free(g);
}

static void every_descriptor_field_is_read(void)
{
    dc_graph *g = gc_parse(ge_text);
    const dc_gop *c = gc_op(g, "a/conv.1 x");
    const dc_gtensor *t = gc_out(g, "a/conv.1 x", 0), *u = gc_out(g, "a/conv.1 x", 1);
    dc_shape s;
    CU_ASSERT_EQUAL(t->dtype, DC_FLOAT16);
    CU_ASSERT_EQUAL(t->format, DC_FORMAT_NC1HWC0);
    CU_ASSERT_TRUE(gc_shape_is(g, t, "[1,4,7,7,16]"));
    CU_ASSERT_TRUE(dc_graph_origin_shape(&s, g, t) && s.rank == 4 && s.dim[1] == 64);
    CU_ASSERT_EQUAL(t->origin_format, DC_FORMAT_NCHW);
    CU_ASSERT_EQUAL(t->origin_dtype, DC_BFLOAT16);
    CU_ASSERT_EQUAL(t->dump_format, DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(t->dump_dtype, DC_FLOAT32);
    CU_ASSERT_STRING_EQUAL(gc_text(g, t->origin_name), "relu6");
    CU_ASSERT_EQUAL(t->origin_index, 2);
    CU_ASSERT_STRING_EQUAL(gc_text(g, t->fusion_name), "ub");
    CU_ASSERT_EQUAL(t->fusion_index, 1);
    CU_ASSERT_STRING_EQUAL(gc_text(g, t->ref), "var:input:0");
    CU_ASSERT_TRUE(gc_shape_is(g, u, "[]"));
    CU_ASSERT_FALSE(dc_graph_origin_shape(&s, g, u));
    CU_ASSERT_EQUAL(u->format, DC_FORMAT_FRACTAL_Z);
    CU_ASSERT_EQUAL(u->sub_format, 8);
    CU_ASSERT_EQUAL(u->origin_index, -1);
    CU_ASSERT_EQUAL(u->origin_name, 0);
    CU_ASSERT_EQUAL(u->ref, DC_NO_STR);
    CU_ASSERT_EQUAL(c->in_desc.n, 2);
    CU_ASSERT_EQUAL(g->tensor[c->in_desc.first].dtype, DC_INT8);
    CU_ASSERT_EQUAL(g->tensor[c->in_desc.first].origin_format, DC_FORMAT_NCHW);
    CU_ASSERT_FALSE(g->tensor[c->in_desc.first + 1].has_shape);
    CU_ASSERT_FALSE(dc_graph_shape(&s, g, gc_out(g, "IteratorV2", 0))); /* a dim is unknown */
    dc_graph_free(g);
}

static void inputs_lose_control_edges_and_gaps(void)
{
    dc_graph *g = gc_parse(ge_text);
    const dc_gop *c = gc_op(g, "a/conv.1 x");
    const dc_gedge *e = g->edge + c->in.first;
    CU_ASSERT_EQUAL_FATAL(c->in.n, 3);
    CU_ASSERT_PTR_EQUAL(&g->op[e[0].producer], gc_op(g, "IteratorV2"));
    CU_ASSERT_EQUAL(e[0].slot, 0);
    CU_ASSERT_EQUAL(e[1].producer, DC_NO_OP);
    CU_ASSERT_STRING_EQUAL(gc_text(g, e[1].name), "missing");
    CU_ASSERT_EQUAL(e[1].output, 2);
    CU_ASSERT_EQUAL(e[1].slot, 2);
    CU_ASSERT_STRING_EQUAL(gc_text(g, e[2].name), "w:1"); /* names may hold colons */
    CU_ASSERT_EQUAL(e[2].output, 3);
    CU_ASSERT_EQUAL(gc_op(g, "IteratorV2")->in.n, 0);
    dc_graph_free(g);
}

static void sub_graphs_keep_apart(void)
{
    dc_graph *g = gc_parse(ge_text);
    dc_gfound both = dc_graph_by_name(g, "trans");
    CU_ASSERT_EQUAL_FATAL(g->nsub, 2);
    CU_ASSERT_EQUAL(g->sub[0].ops.n, 4);
    CU_ASSERT_EQUAL(g->sub[1].ops.first, 4);
    CU_ASSERT_EQUAL(g->sub[0].parent, DC_NO_OP);
    CU_ASSERT_PTR_EQUAL(&g->op[g->sub[1].parent], gc_op(g, "call"));
    CU_ASSERT_EQUAL(gc_op(g, "d")->parent_index, 0);
    CU_ASSERT_EQUAL_FATAL(both.n, 2);
    CU_ASSERT_EQUAL(g->op[both.op[1]].sub, 1);
    CU_ASSERT_PTR_EQUAL(&g->op[g->edge[g->op[both.op[1]].in.first].producer], gc_op(g, "d"));
    CU_ASSERT_EQUAL(g->edge[gc_op(g, "e")->in.first].producer, both.op[1]); /* its own "trans" */
    dc_graph_free(g);
}

static void originals_have_three_states(void)
{
    dc_graph *g = gc_parse(ge_text);
    CU_ASSERT_EQUAL(gc_op(g, "IteratorV2")->original_state, DC_ORIGINALS_ABSENT);
    CU_ASSERT_EQUAL(gc_op(g, "trans")->original_state, DC_ORIGINALS_EMPTY);
    CU_ASSERT_EQUAL(dc_graph_by_original(g, "IteratorV2").n, 1); /* is its own original */
    CU_ASSERT_EQUAL(dc_graph_by_original(g, "trans").n, 1);      /* the one in "sub" only */
    CU_ASSERT_EQUAL(dc_graph_by_original(g, "conv").n, 1);
    CU_ASSERT_EQUAL(dc_graph_by_original(g, "a/conv.1 x").n, 0);
    CU_ASSERT_PTR_EQUAL(&g->op[dc_graph_by_original(g, "relu6").op[0]], gc_op(g, "a/conv.1 x"));
    dc_graph_free(g);
    g = gc_parse(
        "graph { op { name: \"x\" attr { key: \"_datadump_original_op_names\" value { list { "
        "s: \"\" } } } } op { name: \"y\" attr { key: \"_datadump_original_op_names\" } } }");
    CU_ASSERT_EQUAL(gc_op(g, "x")->original_state, DC_ORIGINALS_EMPTY);
    CU_ASSERT_EQUAL(gc_op(g, "y")->original_state, DC_ORIGINALS_EMPTY);
    dc_graph_free(g);
}

static void names_are_found_sanitised(void)
{
    dc_graph *g = gc_parse("graph { op { name: \"a/b.c d\\\\e\" } op { name: \"a_b_c_d_e\" } }");
    CU_ASSERT_EQUAL(dc_graph_by_clean_name(g, "a_b_c_d_e").n, 2); /* a collision is seen */
    CU_ASSERT_EQUAL(dc_graph_by_clean_name(g, "a/b.c d\\e").n, 2);
    CU_ASSERT_EQUAL(dc_graph_by_name(g, "a/b.c d\\e").n, 1);
    CU_ASSERT_EQUAL(dc_graph_by_name(g, "a/b.c").n, 0);
    CU_ASSERT_EQUAL(dc_graph_by_clean_name(g, "nothing").n, 0);
    dc_graph_free(g);
}

static void every_truncation_is_refused(void)
{
    size_t whole = strlen(ge_text), tail = strlen("attr { key: \"memory_size\" value { i: 0 } }\n");
    const char *second = strstr(ge_text, "graph { name: \"sub\"");
    for (size_t n = 0; n < whole - 1; n++) {
        char *cut = malloc(n ? n : 1);
        memcpy(cut, ge_text, n);
        dc_graph *g = NULL;
        dc_status st = dc_graph_parse(&g, cut, n, "g.txt");
        size_t first_graph = (size_t)(second - ge_text);
        bool at_a_boundary =
            n == first_graph || n == first_graph - 1 || n == whole - tail || n == whole - tail - 1;
        CU_ASSERT_EQUAL(st, at_a_boundary ? DC_OK : DC_EFORMAT);
        if (st == DC_OK)
            dc_graph_free(g);
        free(cut);
    }
}

static void failing_allocations_are_survived(void)
{
    char spec[32];
    dc_graph *g;
    int failures = 0;
    for (int i = 1; i < 200; i++) {
        snprintf(spec, sizeof spec, "mem.grow:%d", i);
        dc_fault_arm(spec);
        dc_status st = dc_graph_parse(&g, ge_text, strlen(ge_text), "g.txt");
        dc_fault_arm(NULL);
        CU_ASSERT(st == DC_OK || st == DC_ENOMEM);
        failures += st == DC_ENOMEM;
        if (st == DC_OK)
            dc_graph_free(g);
    }
#ifdef DC_FAULTS
    CU_ASSERT(failures > 5);
#endif
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_attribute_is_read),
        DC_TEST(every_descriptor_field_is_read),
        DC_TEST(inputs_lose_control_edges_and_gaps),
        DC_TEST(sub_graphs_keep_apart),
        DC_TEST(originals_have_three_states),
        DC_TEST(names_are_found_sanitised),
        DC_TEST(every_truncation_is_refused),
        DC_TEST(failing_allocations_are_survived),
    };
    return dc_test_main("graph", tests, DC_COUNT(tests));
}
