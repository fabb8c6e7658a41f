/* tests/demo/demo_table.c - every tensor of the demo's network with the operator that makes it, in
 * execution order.
 *
 * Shape letters: n batch, h q r the image's side and its half and quarter, F G filters, D flattened
 * features, U hidden units, K classes; digits are themselves. Operators named trans_* are inserted
 * by GE. The name of conv2's input gradient is long on purpose: with type, task and time it does
 * not fit a file name. */
#include "io/format.h"
#include "tests/demo/demo_net.h"

#define LONG_NAME                                                                                  \
    "gradients/tower_0/replica_context/network_train_one_step_cell/network_with_loss_cell/"        \
    "backbone_feature_extractor/residual_stage_number_two/bottleneck_block_number_one/conv2/"      \
    "Conv2D_grad/input_gradient/Conv2DBackpropInput"
#define UPDATE     "GradientDescent/update_"
#define ALL_REDUCE "DistributedOptimizer/HcomAllReduce_"

/* clang-format off */
#define TABLE_SOURCES(X)                                                                           \
    X(ITERATOR, "Iterator", "IteratorV2", none, "", 'r', ND, NO_TASK | INSERTED, NONE)             \
    X(IMAGES, "GetNext", "IteratorGetNext", next, "nhh1", 'f', NHWC, NONE, ITERATOR)               \
    X(LABELS, "GetNext", "IteratorGetNext", none, "n", 'i', ND, ALSO, NONE)                        \
    X(W1, "Variable", "conv1/kernel", none, "331F", 'f', HWCN, NO_TASK | VARIABLE, NONE)           \
    X(B1, "Variable", "conv1/bias", none, "F", 'f', ND, NO_TASK | VARIABLE, NONE)                  \
    X(W2, "Variable", "conv2/kernel", none, "33FG", 'f', HWCN, NO_TASK | VARIABLE, NONE)           \
    X(B2, "Variable", "conv2/bias", none, "G", 'f', ND, NO_TASK | VARIABLE, NONE)                  \
    X(W3, "Variable", "dense1/kernel", none, "DU", 'f', ND, NO_TASK | VARIABLE, NONE)              \
    X(B3, "Variable", "dense1/bias", none, "U", 'f', ND, NO_TASK | VARIABLE, NONE)                 \
    X(W4, "Variable", "dense2/kernel", none, "UK", 'f', ND, NO_TASK | VARIABLE, NONE)              \
    X(B4, "Variable", "dense2/bias", none, "K", 'f', ND, NO_TASK | VARIABLE, NONE)                 \
    X(GLOBAL_STEP, "Variable", "global_step", none, "", 'l', ND, NO_TASK | VARIABLE, NONE)         \
    X(RATE, "Const", "GradientDescent/learning_rate", rate, "", 'f', ND, NO_TASK, NONE)            \
    X(SCALE, "Const", "gradients/loss/Mean_grad/Const", scale, "", 'f', ND, NO_TASK, NONE)         \
    X(ONE, "Const", "AssignAdd/value", one, "", 'l', ND, NO_TASK, NONE)

#define TABLE_FORWARD(X)                                                                           \
    X(IMAGES_H, "Cast", "trans_Cast_0", copy, "nhh1", 'h', NHWC, INSERTED, IMAGES)                 \
    X(IMAGES_5, "TransData", "trans_TransData_1", copy, "nhh1", 'h', NC1HWC0, INSERTED, IMAGES_H)  \
    X(W1_H, "Cast", "trans_Cast_2", copy, "331F", 'h', HWCN, INSERTED, W1)                         \
    X(W1_Z, "TransData", "trans_TransData_3", copy, "331F", 'h', FRACTAL_Z, INSERTED, W1_H)        \
    X(B1_H, "Cast", "trans_Cast_4", copy, "F", 'h', ND, INSERTED, B1)                              \
    X(C1, "Conv2D", "conv1/Conv2D", conv, "nhhF", 'h', NC1HWC0, JOIN | GLUE | WEIGHT,              \
      IMAGES_5, W1_Z)                                                                              \
    X(A1, "BiasAdd", "conv1/BiasAdd", bias, "nhhF", 'h', NC1HWC0, JOIN, C1, B1_H)                  \
    X(R1, "Relu", "conv1/Relu", relu, "nhhF", 'h', NC1HWC0, NONE, A1)                              \
    X(P1, "AvgPool", "pool1/AvgPool", pool, "nqqF", 'h', NC1HWC0, NONE, R1)                        \
    X(W2_H, "Cast", "trans_Cast_5", copy, "33FG", 'h', HWCN, INSERTED, W2)                         \
    X(W2_Z, "TransData", "trans_TransData_6", copy, "33FG", 'h', FRACTAL_Z, INSERTED, W2_H)        \
    X(B2_H, "Cast", "trans_Cast_7", copy, "G", 'h', ND, INSERTED, B2)                              \
    X(C2, "Conv2D", "conv2/Conv2D", conv, "nqqG", 'h', NC1HWC0, JOIN | WEIGHT, P1, W2_Z)           \
    X(A2, "BiasAdd", "conv2/BiasAdd", bias, "nqqG", 'h', NC1HWC0, NONE, C2, B2_H)                  \
    X(R2, "Relu", "conv2/Relu", relu, "nqqG", 'h', NC1HWC0, NONE, A2)                              \
    X(P2, "AvgPool", "pool2/AvgPool", pool, "nrrG", 'h', NC1HWC0, NONE, R2)                        \
    X(P2_N, "TransData", "trans_TransData_8", copy, "nrrG", 'h', NHWC, INSERTED, P2)               \
    X(FLAT, "Reshape", "flatten/Reshape", copy, "nD", 'h', ND, NO_TASK, P2_N)                      \
    X(FLAT_Z, "TransData", "trans_TransData_9", copy, "nD", 'h', FRACTAL_NZ, INSERTED, FLAT)       \
    X(W3_H, "Cast", "trans_Cast_10", copy, "DU", 'h', ND, INSERTED, W3)                            \
    X(W3_Z, "TransData", "trans_TransData_11", copy, "DU", 'h', FRACTAL_NZ, INSERTED, W3_H)        \
    X(B3_H, "Cast", "trans_Cast_12", copy, "U", 'h', ND, INSERTED, B3)                             \
    X(M3, "MatMulV2", "dense1/MatMul", matmul, "nU", 'h', FRACTAL_NZ, WEIGHT, FLAT_Z, W3_Z)        \
    X(A3, "BiasAdd", "dense1/BiasAdd", bias, "nU", 'h', FRACTAL_NZ, NONE, M3, B3_H)                \
    X(R3, "Relu", "dense1/Relu", relu, "nU", 'h', FRACTAL_NZ, NONE, A3)                            \
    X(W4_H, "Cast", "trans_Cast_13", copy, "UK", 'h', ND, INSERTED, W4)                            \
    X(W4_Z, "TransData", "trans_TransData_14", copy, "UK", 'h', FRACTAL_NZ, INSERTED, W4_H)        \
    X(B4_H, "Cast", "trans_Cast_15", copy, "K", 'h', ND, INSERTED, B4)                             \
    X(M4, "MatMulV2", "dense2/MatMul", matmul, "nK", 'h', FRACTAL_NZ, WEIGHT, R3, W4_Z)            \
    X(A4, "BiasAdd", "dense2/BiasAdd", bias, "nK", 'h', FRACTAL_NZ, NONE, M4, B4_H)                \
    X(A4_N, "TransData", "trans_TransData_16", copy, "nK", 'h', ND, INSERTED, A4)                  \
    X(LOGITS, "Cast", "trans_Cast_17", copy, "nK", 'f', ND, INSERTED, A4_N)                        \
    X(XENT, "SparseSoftmaxCrossEntropyWithLogits", "loss/xent/xent", xent, "n", 'f', ND, NONE,     \
      LOGITS, LABELS)                                                                              \
    X(BACK, "SparseSoftmaxCrossEntropyWithLogits", "loss/xent/xent", none, "nK", 'f', ND, ALSO,    \
      NONE)                                                                                        \
    X(LOSS, "ReduceMeanD", "loss/Mean", mean, "", 'f', ND, NONE, XENT)                             \
    X(FINITE, "IsFinite", "loss/IsFinite", finite, "n", 'b', ND, NONE, XENT)

#define TABLE_BACKWARD(X)                                                                          \
    X(G4, "Mul", "gradients/loss/xent/xent_grad/mul", mul, "nK", 'f', ND, NONE, BACK, SCALE)       \
    X(G4_H, "Cast", "trans_Cast_18", copy, "nK", 'h', ND, INSERTED, G4)                            \
    X(G4_Z, "TransData", "trans_TransData_19", copy, "nK", 'h', FRACTAL_NZ, INSERTED, G4_H)        \
    X(GB4, "BiasAddGrad", "gradients/dense2/BiasAdd_grad/BiasAddGrad", bias_grad, "K", 'h', ND,    \
      NONE, G4_H)                                                                                  \
    X(GR3, "MatMulV2", "gradients/dense2/MatMul_grad/MatMul", matmul_grad_x, "nU", 'h',            \
      FRACTAL_NZ, WEIGHT, G4_Z, W4_Z)                                                              \
    X(GW4, "MatMulV2", "gradients/dense2/MatMul_grad/MatMul_1", matmul_grad_w, "UK", 'h',          \
      FRACTAL_NZ, NONE, R3, G4_Z)                                                                  \
    X(GW4_N, "TransData", "trans_TransData_20", copy, "UK", 'h', ND, INSERTED, GW4)                \
    X(GA3, "ReluGrad", "gradients/dense1/Relu_grad/ReluGrad", relu_grad, "nU", 'h', FRACTAL_NZ,    \
      NONE, GR3, R3)                                                                               \
    X(GB3, "BiasAddGrad", "gradients/dense1/BiasAdd_grad/BiasAddGrad", bias_grad, "U", 'h', ND,    \
      NONE, GA3)                                                                                   \
    X(GFLAT, "MatMulV2", "gradients/dense1/MatMul_grad/MatMul", matmul_grad_x, "nD", 'h',          \
      FRACTAL_NZ, WEIGHT, GA3, W3_Z)                                                               \
    X(GW3, "MatMulV2", "gradients/dense1/MatMul_grad/MatMul_1", matmul_grad_w, "DU", 'h',          \
      FRACTAL_NZ, NONE, FLAT_Z, GA3)                                                               \
    X(GW3_N, "TransData", "trans_TransData_21", copy, "DU", 'h', ND, INSERTED, GW3)                \
    X(SW3, "HcomAllReduce", ALL_REDUCE "dense", none, "DU", 'h', ND, REDUCE, GW3_N, GB3, GW4_N,  \
      GB4)                                                                                         \
    X(SB3, "HcomAllReduce", ALL_REDUCE "dense", none, "U", 'h', ND, ALSO, NONE)                  \
    X(SW4, "HcomAllReduce", ALL_REDUCE "dense", none, "UK", 'h', ND, ALSO, NONE)                 \
    X(SB4, "HcomAllReduce", ALL_REDUCE "dense", none, "K", 'h', ND, ALSO, NONE)                  \
    X(GFLAT_N, "TransData", "trans_TransData_22", copy, "nD", 'h', ND, INSERTED, GFLAT)            \
    X(GP2, "Reshape", "gradients/flatten/Reshape_grad/Reshape", copy, "nrrG", 'h', NHWC, NO_TASK,  \
      GFLAT_N)                                                                                     \
    X(GP2_5, "TransData", "trans_TransData_23", copy, "nrrG", 'h', NC1HWC0, INSERTED, GP2)         \
    X(GR2, "AvgPoolGradD", "gradients/pool2/AvgPool_grad/AvgPoolGrad", pool_grad, "nqqG", 'h',     \
      NC1HWC0, NONE, GP2_5)                                                                        \
    X(GA2, "ReluGrad", "gradients/conv2/Relu_grad/ReluGrad", relu_grad, "nqqG", 'h', NC1HWC0,      \
      NONE, GR2, R2)                                                                               \
    X(GB2, "BiasAddGrad", "gradients/conv2/BiasAdd_grad/BiasAddGrad", bias_grad, "G", 'h', ND,     \
      NONE, GA2)                                                                                   \
    X(GW2, "Conv2DBackpropFilterD", "gradients/conv2/Conv2D_grad/Conv2DBackpropFilter",            \
      conv_grad_w, "33FG", 'f', FRACTAL_Z, NONE, P1, GA2)                                          \
    X(GP1, "Conv2DBackpropInputD", LONG_NAME, conv_grad_x, "nqqF", 'h', NC1HWC0, WEIGHT, GA2,   \
      W2_Z)                                                                                        \
    X(GR1, "AvgPoolGradD", "gradients/pool1/AvgPool_grad/AvgPoolGrad", pool_grad, "nhhF", 'h',     \
      NC1HWC0, NONE, GP1)                                                                          \
    X(GA1, "ReluGrad", "gradients/conv1/Relu_grad/ReluGrad", relu_grad, "nhhF", 'h', NC1HWC0,      \
      NONE, GR1, R1)                                                                               \
    X(GB1, "BiasAddGrad", "gradients/conv1/BiasAdd_grad/BiasAddGrad", bias_grad, "F", 'h', ND,     \
      NONE, GA1)                                                                                   \
    X(GW1, "Conv2DBackpropFilterD", "gradients/conv1/Conv2D_grad/Conv2DBackpropFilter",            \
      conv_grad_w, "331F", 'f', FRACTAL_Z, NONE, IMAGES_5, GA1)                                    \
    X(GW1_N, "TransData", "trans_TransData_24", copy, "331F", 'f', HWCN, INSERTED, GW1)            \
    X(GW2_N, "TransData", "trans_TransData_25", copy, "33FG", 'f', HWCN, INSERTED, GW2)            \
    X(GB1_F, "Cast", "trans_Cast_26", copy, "F", 'f', ND, INSERTED, GB1)                           \
    X(GB2_F, "Cast", "trans_Cast_27", copy, "G", 'f', ND, INSERTED, GB2)                           \
    X(SW1, "HcomAllReduce", ALL_REDUCE "conv", none, "331F", 'f', HWCN, REDUCE, GW1_N, GB1_F,    \
      GW2_N, GB2_F)                                                                                \
    X(SB1, "HcomAllReduce", ALL_REDUCE "conv", none, "F", 'f', ND, ALSO, NONE)                   \
    X(SW2, "HcomAllReduce", ALL_REDUCE "conv", none, "33FG", 'f', HWCN, ALSO, NONE)              \
    X(SB2, "HcomAllReduce", ALL_REDUCE "conv", none, "G", 'f', ND, ALSO, NONE)

#define TABLE_UPDATE(X)                                                                            \
    X(SW3_F, "Cast", "trans_Cast_28", copy, "DU", 'f', ND, INSERTED, SW3)                          \
    X(SB3_F, "Cast", "trans_Cast_29", copy, "U", 'f', ND, INSERTED, SB3)                           \
    X(SW4_F, "Cast", "trans_Cast_30", copy, "UK", 'f', ND, INSERTED, SW4)                          \
    X(SB4_F, "Cast", "trans_Cast_31", copy, "K", 'f', ND, INSERTED, SB4)                           \
    X(W1_NEW, "ApplyGradientDescent", UPDATE "conv1/kernel/ApplyGradientDescent", apply,      \
      "331F", 'f', HWCN, NONE, W1, RATE, SW1)                                                      \
    X(B1_NEW, "ApplyGradientDescent", UPDATE "conv1/bias/ApplyGradientDescent", apply, "F",   \
      'f', ND, NONE, B1, RATE, SB1)                                                                \
    X(W2_NEW, "ApplyGradientDescent", UPDATE "conv2/kernel/ApplyGradientDescent", apply,      \
      "33FG", 'f', HWCN, NONE, W2, RATE, SW2)                                                      \
    X(B2_NEW, "ApplyGradientDescent", UPDATE "conv2/bias/ApplyGradientDescent", apply, "G",   \
      'f', ND, NONE, B2, RATE, SB2)                                                                \
    X(W3_NEW, "ApplyGradientDescent", UPDATE "dense1/kernel/ApplyGradientDescent", apply,     \
      "DU", 'f', ND, NONE, W3, RATE, SW3_F)                                                        \
    X(B3_NEW, "ApplyGradientDescent", UPDATE "dense1/bias/ApplyGradientDescent", apply, "U",  \
      'f', ND, NONE, B3, RATE, SB3_F)                                                              \
    X(W4_NEW, "ApplyGradientDescent", UPDATE "dense2/kernel/ApplyGradientDescent", apply,     \
      "UK", 'f', ND, NONE, W4, RATE, SW4_F)                                                        \
    X(B4_NEW, "ApplyGradientDescent", UPDATE "dense2/bias/ApplyGradientDescent", apply, "K",  \
      'f', ND, NONE, B4, RATE, SB4_F)                                                              \
    X(STEP_NEW, "AssignAdd", "AssignAdd", add, "", 'l', ND, NONE, GLOBAL_STEP, ONE)
/* clang-format on */

#define TABLE(X)                                                                                   \
    TABLE_SOURCES(X)                                                                               \
    TABLE_FORWARD(X) TABLE_BACKWARD(X) TABLE_UPDATE(X)

/* the table's words: tensor ids and flags without their prefixes */
enum {
    NONE,
#define X(id, ...) id,
    TABLE(X)
#undef X
        TENSORS
};
enum {
    ALSO = DC_DEMO_ALSO,
    JOIN = DC_DEMO_JOIN,
    GLUE = DC_DEMO_GLUE,
    INSERTED = DC_DEMO_INSERTED,
    NO_TASK = DC_DEMO_NO_TASK,
    WEIGHT = DC_DEMO_WEIGHT,
    REDUCE = DC_DEMO_REDUCE,
    VARIABLE = DC_DEMO_VARIABLE
};
_Static_assert(TENSORS <= DC_DEMO_MAX_TENSORS, "the plan's arrays are too small");

const dc_demo_row dc_demo_rows[] = {
#define X(id, type, name, kernel, shape, dtype, format, flags, ...)                                \
    {id, type, name, dc_demo_##kernel, shape, dtype, DC_FORMAT_##format, flags, {__VA_ARGS__}},
    TABLE(X)
#undef X
};
const int dc_demo_nrows = TENSORS - 1;
