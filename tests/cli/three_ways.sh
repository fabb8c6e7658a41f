# Every operator of the demo is paired by graph, by header and by name alone with the same partner; where a rule cannot know, with
# none. Reports are the same at any number of processes.
dumpcap-demo --out run --ranks 2 --steps 2 >/dev/null || exit 3
for rules in graph,name header,name name; do
    for np in 1 2 3 4 8; do
        mpirun="mpirun -q --oversubscribe -np $np"
        [ $np = 1 ] && mpirun=
        $mpirun dumpcmp -q run/dump --golden 'run/golden/rank_{rank}/step_{step}' --graph run/graphs --match $rules -o $rules.$np >out.$np
        echo "exit $?" >>out.$np
        cmp out.1 out.$np
        for file in result.csv alignment.csv; do cmp $rules.1/$file $rules.$np/$file; done
    done
    echo "$rules: $(sed -n 2p out.1), $(tail -n 1 out.1)"
done
/usr/bin/python3 - <<'PY'
import collections, csv
def rows(rules):
    with open(f"{rules}.1/result.csv", newline="") as f:
        return {(r["Rank"], r["Step"], r["TensorIndex"], r["Occurrence"]): r for r in csv.DictReader(f)}
best = rows("graph,name")
for rules in ("header,name", "name"):
    other, count, told = rows(rules), collections.Counter(), set()
    for key, r in best.items():
        o = other[key]
        same = o["GroundTruth"] == r["GroundTruth"] and o["Verdict"] == r["Verdict"]
        kind = "same" if same else "another" if o["GroundTruth"] else "none"
        count[kind] += 1
        if kind == "another" or (kind == "none" and ":output:" in key[2]):
            told.add((kind, r["TensorIndex"], r["GroundTruth"], o["Reason"]))
    print(rules, *(f"{kind} {n}" for kind, n in sorted(count.items())))
    for line in sorted(told):
        print(" ", *line, sep=" | ")
PY
