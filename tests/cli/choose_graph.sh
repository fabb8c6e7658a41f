# --graph: layers by original names, ranges in task order
cap() { # mpirun does not keep the order of the two streams
    $RUN dumpcap "$@" >out.txt 2>err.txt
    local code=$?
    sed 's/\[p0\] //; s/pid_[0-9]*/pid_N/g; /^[^ ]*\.h5: /d; /writing .* GB/d' err.txt out.txt
    echo "= $code"
}
dumpcap-demo --out . --ranks 2 --steps 2 >/dev/null || exit 2
m=$(basename dump/*/0/ge_*)
echo "--- an original name of a fused operator selects it, from the header"
cat >layer.json <<J
{"dump": {"dump_path": "dump", "dump_mode": "all", "dump_list": [{"layer": ["conv1/BiasAdd", "loss/Mean"]}]}}
J
cap -v --dry-run -c layer.json
echo "--- and from the graph: then only what is selected is read"
cap -v --dry-run -c layer.json --graph graphs
echo "--- ranges: in the dump's own order"
cat >range.json <<J
{"dump": {"dump_path": "dump", "dump_mode": "output", "dump_level": "op", "dump_list": [{"model_name": "$m",
    "layer": ["trans_Cast_2"], "opname_range": [{"begin": "pool1/AvgPool", "end": "conv2/Relu"}]}]}}
J
cap -o own.h5 -c range.json
echo "--- in the order of the graph's ids: the same here"
cap -o graph.h5 -c range.json --graph graphs
dumpcap ls own.h5 >own.txt
dumpcap ls graph.h5 | cmp - own.txt && cat own.txt
echo "--- ranges that never begin or never end"
sed -i 's/"pool1.*Relu"/"begin": "conv2\/Relu", "end": "pool1\/AvgPool"/; s/{"begin": "begin"/{"begin"/' range.json
cap --dry-run -c range.json --graph graphs
echo "--- a graph of another network"
mkdir other
echo 'graph { name: "other" op { name: "a" type: "Relu" id: 1 } }' >other/ge_proto_00000001_graph_1_Build.txt
cap --dry-run -c layer.json --graph other
cap --dry-run -c layer.json --graph nowhere
echo "--- blacklists: applied, taken as applied, or told by the graph"
cat >black.json <<J
{"dump": {"dump_path": "dump", "dump_mode": "all", "dump_level": "op", "dump_list": [{"layer": ["conv2/Conv2D"],
    "opname_blacklist": [{"name": "conv2/Conv2D", "pos": ["input1"]}]}]}}
J
cap -o b1.h5 -c black.json --rank 0 --step 0
cap -o b2.h5 -c black.json --rank 0 --step 0 --blacklist-applied
cap -q -o b3.h5 -c black.json --rank 0 --step 0 --graph graphs
for i in 1 2 3; do dumpcap ls b$i.h5 | sed "s/^/$i /"; done
