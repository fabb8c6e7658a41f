# A run without a fault raises no false alarm, in either precision of the device twin, at any number of processes.
for dtype in float16 bfloat16; do
    $RUN dumpcap-demo --out $dtype --dtype $dtype || exit 3
    $RUN dumpcap -q --no-views -o $dtype.h5 -c $dtype/acl.json $dtype/dump | sed 's/: .* s, .*//'
    $RUN dumpcmp -q $dtype.h5 --golden "$dtype/golden/rank_{rank}/step_{step}" --graph $dtype/graphs -o report || exit 4
    head -n 1 report/result.csv
done
