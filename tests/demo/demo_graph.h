/* tests/demo/demo_graph.h - the graph files GE leaves: protobuf text of the compiled training graph
 * with its _datadump_* attributes, and graphs of other stages that are not it. */
#ifndef DC_DEMO_GRAPH_H
#define DC_DEMO_GRAPH_H
#include "tests/demo/demo_plan.h"

/* Write {out}/graphs/pid_*_deviceid_{rank}/ge_proto_*.txt. Not collective. Errors: DC_EIO,
 * DC_ENOSPACE, DC_ENOMEM. */
dc_status dc_demo_write_graphs(const dc_demo_plan *plan, int rank) DC_MUST_CHECK;
#endif
