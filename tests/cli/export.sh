# tests/cli/export.sh - tensors taken out as NumPy files: names, layouts, types, what is refused
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
make-dump $dir Conv2D net/conv 4 1 1718289302000001 input,bfloat16,ND,4 \
    output,float32,NC1HWC0,1x2x2x2x16,NHWC,1x2x2x20,tf/conv || exit 3
long=$(printf 'a%.0s' {1..240})
make-dump $dir Add net/$long 5 1 1718289302000002 input,int32,NC1HWC0,1x1x1x2x16 || exit 3
dumpcap -q -o run.h5 dump >/dev/null || exit 3
values() { # the data of an .npy file whose header has 128 bytes
    head -c 128 "$1" | strings -n 20 | sed 's/ *$//'
    tail -c +129 "$1" | od -An -w40 -t "$2" | head -3
}
conv=Conv2D.net_conv.4.1.1718289302000001
echo "--- as the device has it"
dumpcap export run.h5 '*conv:*' -o device
(cd device && find . -type f | sort)
values device/rank0/ge_default_1/step3/$conv.output.0.npy f4
values device/rank0/ge_default_1/step3/$conv.input.0.npy f4
echo "--- in the original order"
dumpcap export run.h5 '*conv:output*' -o original --layout ND
values original/rank0/ge_default_1/step3/$conv.output.0.npy f4
echo "--- in another order"
dumpcap export run.h5 '*conv:output*' -o nchw --layout NCHW
values nchw/rank0/ge_default_1/step3/$conv.output.0.npy f4
echo "--- bytes"
dumpcap export run.h5 '*conv:*' -o raw --as raw
od -An -t x2 raw/rank0/ge_default_1/step3/$conv.input.0.bin
echo "--- a file, as csv"
dumpcap export $dir/$conv -o csv --as csv
cat csv/*
echo "--- a name that is too long"
dumpcap export run.h5 '*aaa*' -o long
(cd long && find . -name '*.npy' && find . -name mapping.csv -exec cat {} +)
echo "--- in the way"
dumpcap export run.h5 -o device 2>&1 && exit 3
(cd device && find . -type f | wc -l)
dumpcap export run.h5 '*conv:*' -o device --force
echo "--- no logical shape"
dumpcap export run.h5 '*aaa*' -o none --layout NCHW 2>&1
