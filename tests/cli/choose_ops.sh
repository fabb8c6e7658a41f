# --op, --exclude, --type, --model, --step, --rank: what is stored, what is read, what is said when nothing matches
cap() { # mpirun does not keep the order of the two streams
    $RUN dumpcap "$@" >out.txt 2>err.txt
    local code=$?
    sed 's/\[p0\] //; /^[^ ]*\.h5: /d; /writing .* GB/d' err.txt out.txt
    echo "= $code"
}
dumpcap-demo --out . --ranks 2 --steps 2 >/dev/null || exit 2
rm acl.json
echo "--- one operator, by name alone: two headers are read"
cap -v --dry-run --op conv2/Relu --rank 1 dump
echo "--- an original name inside a fused operator: nothing is called so, so headers are looked into"
cap -v --dry-run --op conv1/Relu dump
echo "--- patterns, and what to leave out"
cap --dry-run --op 're:^dense[12]/' --exclude '*/MatMul' --step 0 dump
cap --dry-run --type 'Conv2D*' --exclude-type Conv2D dump
echo "--- everything that matches nothing is named"
cap --dry-run --op conv2/Relu --op conv2/Rely --exclude 'nothing*' --type Relux --model ge_defalt_1 --step '0|7-9' --rank 0,4-5 dump
echo "--- no rank at all"
cap --dry-run --rank 4,5 dump
echo "--- a model and a step"
cap -o x.h5 --model ge_default_1 --step 1 --op conv2/Relu dump
dumpcap ls x.h5

echo "--- 10000 files: of an operator's name alone, less than 1 % of the bytes is read"
command -v strace >/dev/null || { echo "strace is not here"; exit 77; }
d=big/20240613143502/0/ge_default_1/1
mkdir -p $d/0
f=$(find dump/20240613143502/0 -path '*/0/Conv2D.conv1_*' | head -1)
for i in $(seq 100); do ln "$f" $d/0/Conv2D.layer${i}_Conv2D.$i.3.$((1718289422000000 + i)); done
for i in $(seq 99); do cp -rl $d/0 $d/$i; done
ASAN_OPTIONS=detect_leaks=0 strace -f -y -qq -e trace=read,pread64,preadv,readv -o trace.txt $RUN dumpcap --dry-run --op layer77_Conv2D --step 50 big >/dev/null 2>&1
[ $? = 2 ] && echo "the header's name is another one"
files=$(find big -type f | wc -l) size=$(stat -c %s "$f")
awk -v all=$((files * size)) '/\/big\// { n += $NF } END { print (n > 0 && n < all / 100) ? "good" : "read " n " of " all }' trace.txt
