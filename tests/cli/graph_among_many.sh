# The graph of the dumped model is found among a thousand others: the one so named that holds Iterator wins over higher numbers,
# over namesakes without it, and over other models with it.
dumpcap-demo --out run --ranks 1 --steps 1 >/dev/null || exit 3
/usr/bin/python3 - <<'PY'
import glob, os, re
(real,) = [p for p in glob.glob("run/graphs/*/*_Build.txt") if "Iterator" in open(p).read()]
text = open(real).read()
model = re.search(r'name: "(\S+)"', text).group(1)
other = 'graph {\n  name: "%s"\n  op {\n    name: "%s"\n    type: "%s"\n  }\n}\n'
os.makedirs("many/pid_9_deviceid_0")
def write(n, graph, op, kind):
    with open(f"many/pid_9_deviceid_0/ge_proto_{n:08d}_graph_{n}_Build.txt", "w") as f:
        f.write(other % (graph, op, kind))
for i in range(334):
    write(100 + 3 * i, model, "AssignAdd", "AssignAdd")  # a namesake without Iterator
    write(101 + 3 * i, f"ge_default_20240613143544_{i + 2}", "IteratorV2", "Iterator")  # another model
    write(102 + 3 * i, model.replace("ge_default", "ge_eval"), "conv1/Relu", "Relu")  # operators of the dump
os.rename(real, "many/pid_9_deviceid_0/ge_proto_00000026_graph_1_Build.txt")
PY
dumpcmp -v run/dump --golden 'run/golden/rank_{rank}/step_{step}' --graph many -o report 2>log >out
echo "exit $?"
ls many/*/*_Build.txt | wc -l
sed -n 's/.*graph of [^:]*: \([^ ]*\): .*/\1/p' log
sed -n 2p out
echo "--- the choice is told without being asked, a guess even to those who want quiet"
dumpcmp run/dump --golden 'run/golden/rank_{rank}/step_{step}' --graph many -o report 2>&1 >out | grep -o 'graph of.*holds Iterator'
mkdir guess
sed 's/ge_default_20[0-9]*_[0-9]*/renamed/' many/*/ge_proto_00000026_graph_1_Build.txt >guess/ge_proto_00000026_graph_1_Build.txt
dumpcmp -q run/dump --golden 'run/golden/rank_{rank}/step_{step}' --graph guess -o report 2>&1 >out | sed 's/holds [0-9]*/holds N/'
