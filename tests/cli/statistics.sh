# tests/cli/statistics.sh - statistics without tensors: read from csv files, or taken instead of the bytes
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
mkdir -p $dir ms/rank_1/Net/1/3
head='Input/Output,Index,Data Size,Data Type,Format,Shape'
cat >$dir/Conv2D.net_conv.4.1.1718289302000001.csv <<C
$head,Max Value,Min Value,Avg Value,Count,Nan Count,Negative Inf Count,Positive Inf Count
Input,0,640000,DT_FLOAT,NHWC,4x50x50x16,1.99999,1,1.50004,160000,1,2,3
Output,0,64,DT_BF16,-,-,NA,NA,NA,32,NA,NA,NA
C
cat >$dir/Add.net_add.5.1.1718289302000002.csv <<C
$head,Count,Max Value,Min Value,l2norm
Input,0,320000,DT_INT32,ND,100x20x40,5678,1234,90.3005
Input,1,320000,DT_INT32,ND
C
cat >ms/rank_1/Net/1/3/statistic.csv <<C
Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value,L2Norm Value
Sub,Default_Sub-op0,0,0,1733905446819790,input,0,4,float32,"()",3,3,3,
Conv2D,Conv2D-op12,0,0,1733905446819990,output,1,192,float32,"(1,4,4,3)",3.245161,-2.873487,7.959239,
C
echo "--- from files"
$RUN dumpcap -q -o files.h5 dump ms | grep -v ' s, '
dumpcap ls -l files.h5
dumpcap ls --skipped files.h5
echo "--- out again, and in again"
dumpcap export files.h5 -o out --as csv
(cd out && find . -type f | sort)
cat out/rank0/*/step3/Conv2D*
echo "--- shown"
dumpcap show files.h5 '*Conv2D-op12*'
dumpcap export files.h5 '*Conv2D-op12*' -o npy 2>&1
echo "--- a file of them"
dumpcap show $dir/Conv2D.net_conv.4.1.1718289302000001.csv
dumpcap show $dir/Conv2D.net_conv.4.1.1718289302000001.csv input:0
dumpcap show $dir/Add.net_add.5.1.1718289302000002.csv 'input:*' 2>&1
dumpcap show ms/rank_1/Net/1/3/statistic.csv '*op12*'
dumpcap export ms/rank_1/Net/1/3/statistic.csv Default_Sub-op0:input:0 -o out.ms --as csv
cat out.ms/*
cat >twice.csv <<C
$head,Max Value
Input,0,4,DT_INT32,ND,1,1
Input,0,4,DT_INT32,ND,1,2
C
dumpcap show twice.csv
dumpcap show twice.csv input:0#1 | grep values
echo "Input/Output" >empty.csv
dumpcap show empty.csv 2>&1
echo "--- instead of the bytes"
make-dump tree/20240613143502/0 Mul mul 4 1 1718289302000001 input,bfloat16,ND,4 output,float32,ND,300x300 || exit 3
$RUN dumpcap -q -o bytes.h5 tree | grep -v ' s, '
$RUN dumpcap -q --stats-only -o stats.h5 tree | grep -v ' s, '
dumpcap ls -l stats.h5
dumpcap ls -l stats.h5 | sed 's/ (statistics only)//' >stats.ls
dumpcap ls -l bytes.h5 | cmp - stats.ls && echo "the same statistics and hashes"
[ $(stat -c %s stats.h5) -lt 100000 ] && echo "small"
echo "--- merged"
$RUN dumpcap merge -q files.h5 stats.h5 -o merged.h5 2>&1 | grep -v ' s, '
dumpcap ls -l merged.h5 | grep -A 2 'conv:input\|mul:output'
