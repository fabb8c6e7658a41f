# tests/cli/overflow.sh - overflow records become a table that names the operators; exception dumps are tensors
model=ge_default_20240613143502_1/7
dir=dump/20240613143502/0/$model
for step in 3 4; do
    make-dump $dir/$step Conv2D net/conv 6 1 17182893020000${step}1 output,float16,ND,4 || exit 3
    make-dump $dir/$step Mul net/mul 7 2 17182893020000${step}3 output,float16,ND,4 || exit 3
done
# old layout: three records of 16 words, the AI core's at 32; stream 2, task 7, status 1
FILL="32:5 33:2 34:7 35:1 36:0xdead 128:0xabc 129:3 130:1" \
    make-dump $dir/4 Opdebug Node_OpDebug 9 9 1718289302000045 output,uint8,ND,2048 || exit 3
# new layout, AICPU: nothing dumped of its task
FILL="0:0x0000000a5a5a5a5a 1:0x0000000200000001 2:0x4000000000 3:5 4:8 5:9 6:1 7:2 8:3 9:4 10:1" \
    make-dump $dir/3 Opdebug Node_OpDebug 9 9 1718289302000035 output,uint8,ND,88 || exit 3
# nothing detected; not a record at all
FILL="0:0" make-dump $dir/3 Opdebug Node_OpDebug 9 9 1718289302000036 output,uint8,ND,2048 || exit 3
make-dump $dir/3 Opdebug Node_OpDebug 9 9 1718289302000037 output,uint8,ND,100 || exit 3
echo "--- captured"
$RUN dumpcap -q -o run.h5 dump | grep -v ' s, '
dumpcap ls --overflow run.h5
h5dump -d /segment/0/overflow/stream_id -y run.h5 | grep -c DATASPACE
echo "--- merged"
make-dump one/20240613143502/1/$model/3 Conv2D net/conv 6 1 1718289302000001 output,float16,ND,4 || exit 3
$RUN dumpcap -q -o one.h5 one | grep -v ' s, '
$RUN dumpcap merge -q one.h5 run.h5 -o all.h5 | grep -v ' s, '
dumpcap ls --overflow run.h5 >run.ls && dumpcap ls --overflow all.h5 | cmp - run.ls && echo "the same"
echo "--- operators that were not chosen are named; so are records without a single tensor"
make-dump $dir/4 Data input_1 7 2 1718289302000044 output,float16,ND,4 || exit 3
$RUN dumpcap -q --op net/conv -o some.h5 dump | grep -v ' s, '
dumpcap ls --overflow some.h5 | grep saw
mkdir -p only/20240613143502/0/$model/4
cp $dir/4/Opdebug* only/20240613143502/0/$model/4
$RUN dumpcap -q -o only.h5 only >out
echo "= $?"
grep -v ' s, ' out
dumpcap ls --overflow only.h5 | grep saw
$RUN dumpcap merge -q only.h5 one.h5 -o both.h5 | grep -v ' s, '
FILL="0:0" make-dump none/20240613143502/0/$model/4 Opdebug Node_OpDebug 9 9 1718289302000036 output,uint8,ND,2048
$RUN dumpcap -q -o none.h5 none | grep -v ' s, '
echo "--- exception dumps"
make-dump ex/extra-info/data-dump/2 Conv2D net/conv 6 1 1718289302000001 input,float16,ND,4 || exit 3
mv ex/extra-info/data-dump/2/* ex/extra-info/data-dump/2/Conv2D.net_conv.6.20240613143502123
$RUN dumpcap -q -o ex.h5 ex --rank-of ex=0 | grep -v ' s, '
dumpcap ls ex.h5
