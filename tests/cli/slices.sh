# tests/cli/slices.sh - operators that FFTS+ cut into parts: one tensor each, missing ones reported
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
export ATTR='{"threadMode":1,"slice_instance_num":4,"outputCutList":[[4,1]]}'
part() { # OP THREAD TIME
    SUFFIX=.4.9.$2.0 BASE=$2 make-dump $dir MatMul $1 6 1 17182893020000$3 input,float16,ND,2 output,float32,ND,1x3 || exit 3
}
for thread in 0 1 2 3; do part whole $thread 1$thread; done
for thread in 0 1 3; do part lacking $thread 2$thread; done
part again 0 30 && part again 0 31 && part again 1 32 && part again 2 33 && part again 3 34
for slice in 0 1 2; do
    make-dump $dir MatMul hand_lxslice$slice 7 1 171828930200004$slice output,float32,ND,1x3 || exit 3
done
ATTR= make-dump $dir Add other 8 1 1718289302000099 output,float32,ND,3 || exit 3
$RUN dumpcap -q -o run.h5 dump | grep -v ' s, '
dumpcap ls run.h5
dumpcap ls --skipped run.h5
dumpcap show run.h5 '*whole:output:0@2' | head -5
