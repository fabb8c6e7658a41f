/* compare/optype.h - what is known of operators by their type alone. */
#ifndef DC_OPTYPE_H
#define DC_OPTYPE_H
#include <stdbool.h>
#include <stdint.h>

/* X(type, is put in by the graph engine and known to no other framework, holds or feeds data rather
 * than computing, never gives a dump of its own, hands its first input on unchanged in value).
 * Sources: GE (which operators get a task), its fusion passes, ATC's JSON among msit's tests. */
#define DC_OPTYPES(X)                                                                              \
    X("TransData", 1, 0, 0, 1)                                                                     \
    X("TransDataRNN", 1, 0, 0, 1)                                                                  \
    X("Cast", 0, 0, 0, 1)                                                                          \
    X("Identity", 0, 0, 0, 1)                                                                      \
    X("MemcpyAsync", 1, 0, 0, 1)                                                                   \
    X("MemcpyAddrAsync", 1, 0, 0, 1)                                                               \
    X("TensorMove", 1, 0, 0, 1)                                                                    \
    X("AtomicAddrClean", 1, 0, 0, 0)                                                               \
    X("DynamicAtomicAddrClean", 1, 0, 0, 0)                                                        \
    X("MemSet", 1, 0, 0, 0)                                                                        \
    X("Send", 1, 0, 1, 0)                                                                          \
    X("Recv", 1, 0, 1, 0)                                                                          \
    X("StreamActive", 1, 0, 1, 0)                                                                  \
    X("StreamSwitch", 1, 0, 1, 0)                                                                  \
    X("StreamMerge", 1, 0, 1, 0)                                                                   \
    X("EndGraph", 1, 0, 1, 0)                                                                      \
    X("NetOutput", 1, 0, 1, 0)                                                                     \
    X("Data", 0, 1, 1, 0)                                                                          \
    X("RefData", 0, 1, 1, 0)                                                                       \
    X("AippData", 0, 1, 1, 0)                                                                      \
    X("Const", 0, 1, 1, 0)                                                                         \
    X("Constant", 0, 1, 1, 0)                                                                      \
    X("PlaceHolder", 0, 1, 1, 0)                                                                   \
    X("Variable", 0, 1, 1, 0)                                                                      \
    X("VariableV2", 0, 1, 1, 0)                                                                    \
    X("VarHandleOp", 0, 1, 1, 0)                                                                   \
    X("GetNext", 0, 1, 0, 0)                                                                       \
    X("IteratorV2", 0, 1, 1, 0)                                                                    \
    X("If", 0, 0, 1, 0)                                                                            \
    X("While", 0, 0, 1, 0)                                                                         \
    X("For", 0, 0, 1, 0)                                                                           \
    X("Case", 0, 0, 1, 0)                                                                          \
    X("StatelessIf", 0, 0, 1, 0)                                                                   \
    X("StatelessCase", 0, 0, 1, 0)                                                                 \
    X("StatelessWhile", 0, 0, 1, 0)                                                                \
    X("PartitionedCall", 0, 0, 1, 0)                                                               \
    X("StatefulPartitionedCall", 0, 0, 1, 0)                                                       \
    X("NoOp", 0, 0, 1, 0)

typedef struct dc_optype {
    const char *name;
    bool inserted, source, never_dumps, passes_on;
} dc_optype;

/* The row of a type; all false if it is not in the table. Never NULL. Not collective. */
const dc_optype *dc_optype_get(const char *type);
/* Was an operator of this type and name put in by the graph engine, as far as that shows without
 * the graph's word? ("trans_Cast_1" is, a network's own Cast is not.) */
bool dc_optype_inserted(const char *type, const char *name);
/* Turns values into integers of few bits (AscendQuant...), or back (AscendDequant...). */
bool dc_optype_quantises(const char *type);
bool dc_optype_dequantises(const char *type);
/* Has the graph engine put an addition (BiasAdd) into an operator of this type that is dumped with
 * `inputs` inputs? Its output is then that of the addition, whatever it is called. 0: not known. */
bool dc_optype_has_addition(const char *type, uint32_t inputs);
/* Decides which of its sub-graphs run, or how often: If, Case, While, StatelessIf... */
bool dc_optype_branches(const char *type);
/* Collective communication: HcomAllReduce, HcclBroadcast... */
bool dc_optype_collective(const char *type);
#endif
