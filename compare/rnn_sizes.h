/* compare/rnn_sizes.h - the sizes that layouts of RNN weights depend on, from the graph. */
#ifndef DC_RNN_SIZES_H
#define DC_RNN_SIZES_H
#include "compare/align.h"

/* Fill in input_size and hidden_size of the pairs either side of which is FRACTAL_ZN_RNN or
 * ND_RNN_BIAS: the attributes of the tensor's operator, else of the operator at the other end of
 * its edge, whose tensor it is as well - an input's producer (TransData has them), an output's
 * consumers, if those that have them say the same. What no graph tells stays 0, and the layout then
 * says so. A store's or tree's tensors in the part of goldens are of the same operator. Errors:
 * those of graphs->find. Not collective. */
dc_status dc_rnn_sizes_apply(dc_pairs *pairs, const dc_catalog *npu,
                             const dc_align_graphs *graphs) DC_MUST_CHECK;
#endif
