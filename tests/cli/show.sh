# tests/cli/show.sh - one tensor of a store and of a dump file looked at closely
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
make-dump $dir Conv2D net/conv 4 1 1718289302000001 input,int32,ND,2x3 \
    output,float16,NC1HWC0,1x2x2x2x16,NHWC,1x2x2x20,tf/conv || exit 3
make-dump $dir Conv2D net/conv 4 1 1718289302000002 input,int64,ND,3 || exit 3
dumpcap -q -o run.h5 dump >/dev/null || exit 3
tensor=rank0/ge_default_1/step3/net/conv
echo "--- a tensor of a store"
dumpcap show run.h5 $tensor:output:0
echo "--- several match"
dumpcap show run.h5 "$tensor:input*"
echo "--- none matches"
dumpcap show run.h5 nothing 2>&1 && exit 3
echo "--- a file"
dumpcap show $dir/Conv2D.net_conv.4.1.1718289302000001
echo "--- a tensor of a file"
dumpcap show $dir/Conv2D.net_conv.4.1.1718289302000001 input:0
echo "--- not a dump file"
head -c 7 run.h5 >short
dumpcap show short 2>&1
