# runs: several, incomplete ones, steps cut off or dumped twice, two jobs in one; files that still grow
cap() { # mpirun does not keep the order of the two streams
    $RUN dumpcap "$@" >out.txt 2>err.txt
    local code=$?
    sed 's/\[p0\] //; /^[^ ]*\.h5: /d; /writing .* GB/d' err.txt out.txt
    echo "= $code"
}
dumpcap-demo --out . --ranks 2 --steps 3 >/dev/null || exit 2
rm acl.json
echo "--- whole: nothing to say"
cap --dry-run dump
echo "--- a later run, whose last step was cut off, after a warm-up that ran twice"
dumpcap-demo --out later --ranks 2 --steps 3 --time 20240614143502 >/dev/null
mv later/dump/20240614143502 dump/
m=$(echo dump/20240614143502/0/ge_*/1)
rm $m/2/[C-Z]*
for f in $m/0/[A-Z]*; do cp "$f" "${f%.*}.$((${f##*.} + 86400000000))"; done
cap -o x.h5 dump
cap --dry-run dump | grep -v '^rank'
echo "--- two jobs in one tree"
mkdir -p jobs/20240613143502
cp -r dump/20240613143502/0 jobs/20240613143502/0
cp -r dump/20240613143502/1 jobs/20240613143502/1
mv jobs/20240613143502/1/ge_* jobs/20240613143502/1/other_net_1
cap --dry-run jobs | grep -v '^rank'
echo "--- cut short a moment ago"
f=$(find jobs/20240613143502/0 -path '*/0/Relu.conv2_Relu*')
head -c 200 "$f" >short && cat short >"$f"
cap --dry-run --op conv2/Relu --step 0 jobs
