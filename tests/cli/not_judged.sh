# What could not be judged is not called good: the last line says so, and the exit code is 2.
$RUN dumpcap-demo --out run --ranks 2 --steps 1 >/dev/null || exit 3
$RUN dumpcap -q --no-views -o run.h5 run/dump >/dev/null || exit 4
compare() {
    $RUN dumpcmp -q run.h5 --graph run/graphs -o report "$@" 2>/dev/null | tail -n 1
    echo "exit ${PIPESTATUS[0]}"
}
mkdir empty
compare --golden empty
rm run/golden/rank_1/step_0/pool1_AvgPool.0.*
compare --golden 'run/golden/rank_{rank}/step_{step}'
