# The rank whose all-reduce result is wrong is named without any golden; with a store, equal hashes mean that no tensor is read.
dumpcap-demo --out clean --ranks 4 --steps 2 >/dev/null || exit 3
$RUN dumpcap -q --no-views -o clean.h5 clean/dump >/dev/null || exit 4
$RUN dumpcmp -q clean.h5 --across-ranks -o clean
echo "exit $?"
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
    strace -f -e trace=pread64,read -o trace dumpcmp -q clean.h5 --across-ranks -o clean >/dev/null
    from=$(h5dump -p -H -d /segment/0/slab/float16 clean.h5 | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
    size=$(h5dump -p -H -d /segment/0/slab/float16 clean.h5 | sed -n 's/.*SIZE \([0-9]*\).*/\1/p')
    sed -n 's/.*pread64(.*, \([0-9]*\), \([0-9]*\)) *=.*/\1 \2/p' trace |
        awk -v a="$from" -v n="$size" '$2 < a + n && $2 + $1 > a { print "a slab was read" }'
fi
dumpcap-demo --out wrong --ranks 4 --steps 2 --fault DistributedOptimizer/HcomAllReduce_dense:allreduce-result@2 >/dev/null || exit 3
$RUN dumpcmp -q wrong/dump --across-ranks -o wrong
echo "exit $?"
$RUN dumpcmp -q wrong/dump --across-ranks -o wrong --exit-zero --rank 1-2 | tail -n 1
$RUN dumpcmp -q wrong/dump --across-ranks --golden 'wrong/golden/rank_{rank}/step_{step}' --graph wrong/graphs -o wrong | tail -n 2
head -n 1 wrong/ranks.csv
grep -c ,fail, wrong/ranks.csv wrong/result.csv
# The graph tells which inputs are variables: they are compared too.
$RUN dumpcmp -q clean.h5 --across-ranks --graph clean/graphs -o clean | tail -n 1
# Others by name.
$RUN dumpcmp -q wrong/dump --across-ranks --replicated 'loss/Mean' -o wrong | tail -n 1
# Within groups: of two ranks that differ neither is named, of more the one without the majority.
$RUN dumpcmp -q wrong/dump --groups 0-1,2-3 -o wrong | sed -n '2,4p'
$RUN dumpcmp -q wrong/dump --groups 0-2:2+3,1 --op '*_dense' -o wrong | sed -n '2,4p'
echo '[{"group_name": "dp", "group_rank_list": [1, 3]}]' >groups.json
$RUN dumpcmp -q wrong/dump --groups groups.json -o wrong | tail -n 2
$RUN dumpcmp -q wrong/dump --groups 0-1,1-2 -o wrong 2>&1
echo "exit $?"
# With a graph, what an optimizer writes to a variable is one: the fault is named where it is, not where the variable is read next.
dumpcap-demo --out update --ranks 4 --steps 3 --fault GradientDescent/update_conv2/kernel/ApplyGradientDescent:inf@2 >/dev/null || exit 3
$RUN dumpcmp -q update/dump --across-ranks --graph update/graphs -o update | tail -n 1
