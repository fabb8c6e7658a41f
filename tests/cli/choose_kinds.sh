# files of every kind land somewhere: FFTS+, captured, aclnn kernels, exceptions, hashes; a broken overflow record is a fault
cap() { # mpirun does not keep the order of the two streams
    $RUN dumpcap "$@" >out.txt 2>err.txt
    local code=$?
    sed 's/\[p0\] //; /^[^ ]*\.h5: /d; /writing .* GB/d' err.txt out.txt
    echo "= $code"
}
dumpcap-demo --out . --ranks 1 --steps 1 >/dev/null || exit 2
rm acl.json
f=$(find dump -name 'Relu.conv2_Relu.*')
d=tree/20240613143502/0
mkdir -p $d/m_1/1/0 tree/extra-info/data-dump/3
cp "$f" $d/m_1/1/0/Conv2D.Conv2D_lxslice0.2.9.1670205069981234.4.330.0.0
cp "$f" $d/m_1/1/0/Conv2D.Conv2D_lxslice1.2.9.1670205069980123.4.330.1.0
cp "$f" $d/m_1/1/0/Conv2D.Conv2D_lxslice2.2.9.1670205069982123.FFTSPLUS.330.2.0
mkdir $d/Relu.scope
cp "$f" $d/Relu.scope/name.x.7.21.4.1682148295048447
cp "$f" $d/Relu.captured.7.21.4.1682148295048448
cp "$f" $d/aclnnAdd_12_L0.Add.3.2.1682148295048450
cp "$f" $d/aclnnAdd_12_L2.aclnnAdd.3.2.1682148295048451
cp "$f" $d/m_1/1/0/Add.8.5.1682067845380164
cp "$f" $d/m_1/1/0/TransData.trans_TransData_1170.327.1619347786532995
cp "$f" tree/extra-info/data-dump/3/MatMul.layer_MatMul.44.20240613143502123
cp "$f" tree/extra-info/data-dump/3/exception_info.42.1.20240613143502124
echo elf >tree/extra-info/data-dump/3/kernel.1.2.20240613143502124.core
cp "$f" $d/m_1/1/0/12345678901234567890
cp "$f" $d/m_1/1/0/999
printf '%s\n' 12345678901234567890,Relu.a_very_long_name.9.5.1682067845380165 777,Relu.gone.9.5.1682067845380169 777,Relu.gone.9.5.1682067845380169 >$d/m_1/1/0/mapping.csv
cat >$d/m_1/1/0/Relu.conv2_Relu.14.3.1682067845380164.csv <<'C'
Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min Value,Avg Value,Count,Nan Count,Negative Inf Count,Positive Inf Count
Output,0,16,DT_FLOAT,ND,4,3,0,1.5,4,0,0,0
C
echo a >$d/m_1/1/0/Opdebug.Node_OpDebug.1.25.1614717262233160
cp "$f" $d/m_1/1/0/Relu.x.1.2.1682067845380166.input.0.ND.FLOAT.npy
head -c 100 "$f" >$d/m_1/1/0/Relu.short.1.2.1682067845380167
touch -d '1 hour ago' $d/m_1/1/0/Relu.short.1.2.1682067845380167
cap -o x.h5 tree
dumpcap ls -l x.h5 | grep 'from '
h5dump -d /segment/0/index/task -d /segment/0/index/stream -d /segment/0/index/rank -d /segment/0/index/run -w 0 x.h5 | grep '(0)'
dumpcap ls --skipped x.h5
