/* tests/demo/demo_net.h - what the network's operators compute: kernels over float arrays in NHWC,
 * HWCN and row-major order, each summing in one fixed order. */
#ifndef DC_DEMO_NET_H
#define DC_DEMO_NET_H
#include "tests/demo/demo_plan.h"

/* X(name): dc_demo_<name>(call) computes the outputs of call->row from its inputs. `none` leaves
 * the output alone: variables, all-reduces (demo_run.c), second outputs. Not collective; cannot
 * fail. */
/* clang-format off */
#define DC_DEMO_KERNELS(X)                                                                         \
    X(none) X(next) X(rate) X(scale) X(one) X(copy)                                                \
    X(conv) X(bias) X(relu) X(pool) X(matmul) X(xent)                                              \
    X(mean) X(finite) X(mul) X(bias_grad) X(matmul_grad_x) X(matmul_grad_w)                        \
    X(relu_grad) X(pool_grad) X(conv_grad_x) X(conv_grad_w) X(apply) X(add)
/* clang-format on */
#define X(name) void dc_demo_##name(const dc_demo_call *call);
DC_DEMO_KERNELS(X)
#undef X

/* Fill v[0..n) with a variable's first value, the same for every rank; another seed gives what a
 * rank had before the common start was broadcast. Not collective; cannot fail. */
void dc_demo_first_value(float *v, const dc_demo_tensor *variable, uint64_t seed);
#endif
