# Every kind of planted fault is named: operator, step, and rank.
for fault in conv1/Relu:constant pool1/AvgPool:inf@1 dense1/MatMul:nan@0 conv2/Conv2D:swap-channels \
    conv1/Relu:stale-weights@2 DistributedOptimizer/HcomAllReduce_conv:allreduce-contribution@1 \
    DistributedOptimizer/HcomAllReduce_dense:allreduce-result; do
    rm -rf run
    $RUN dumpcap-demo --out run --ranks 4 --steps 2 --fault $fault || exit 3
    $RUN dumpcmp -q run/dump --golden 'run/golden/rank_{rank}/step_{step}' --graph run/graphs -o report | tail -n 1 |
        sed 's/\(step [0-9]*\): .*/\1/'
done
