# tests/cli/merge.sh - stores of one run made into one: the same as a capture of all roots at once
command -v h5diff python3 >/dev/null || exit 77
for rank in 0 1 2; do
    dir=dump/20240613143502/$rank/ge_default_2024061314350${rank}_1/7
    for step in 0 1; do
        BASE=$rank make-dump $dir/$step Conv2D net/conv 4 1 17182893020000$rank$step \
            input,bfloat16,ND,4 output,float32,NC1HWC0,1x2x2x2x16,NHWC,1x2x2x20,tf/conv || exit 3
        BASE=$rank make-dump $dir/$step Add net/add 5 1 17182893020001$rank$step input,int32,ND,70000 || exit 3
    done
done
echo text >dump/20240613143502/1/notes
echo text >dump/20240613143502/2/other
for rank in 0 1 2; do
    mkdir -p one$rank && cp -r dump one$rank/ && ls -d one$rank/dump/*/* | grep -v "/$rank\$" | xargs rm -r
    (cd one$rank && dumpcap -q -o ../part$rank.h5 dump >/dev/null) || exit 3
done
(dumpcap -q -o all.h5 dump) | grep -v ' s, '
echo "--- merged"
$RUN dumpcap merge -q part2.h5 part0.h5 part1.h5 -o merged.h5 | grep -v ' s, '
h5diff all.h5 merged.h5 /segment >diff || { cat diff; exit 3; } # says of empty tables that they cannot be compared
h5ls -r all.h5 >all.ls && h5ls -r merged.h5 >merged.ls && cmp all.ls merged.ls && echo "same content"
dumpcap verify merged.h5
dumpcap show merged.h5 rank2/ge_default_1/step1/net/conv:input:0 | grep values
echo "--- the same tensors twice"
$RUN dumpcap merge -q part0.h5 part1.h5 part0.h5 -o twice.h5 2>twice.err && exit 3
grep ^dumpcap: twice.err | sed 's/ \[p.\]//'
ls twice.h5* 2>/dev/null
echo "--- a damaged store"
python3 - <<'P' || exit 77
import re
p = 'part1.h5'; b = bytearray(open(p, 'rb').read())
i = b.find(bytes.fromhex('0100000002000000030000000400000005000000')); b[i + 400] ^= 1
open(p, 'wb').write(b)
P
$RUN dumpcap merge -q part0.h5 part1.h5 -o damaged.h5 >damaged.out 2>damaged.err
cat damaged.err damaged.out | grep -E '^dumpcap:|tensors|files' | sed 's/ \[p.\]//'
echo "--- one there already, none given"
dumpcap merge part0.h5 -o all.h5 2>&1
dumpcap merge -o all2.h5 2>&1
dumpcap merge part0.h5 2>&1
exit 0
