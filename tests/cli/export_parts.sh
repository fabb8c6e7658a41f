# tests/cli/export_parts.sh - tensors that FFTS+ cut into parts are exported and shown whole
. "$(dirname "$0")/lib.bash"
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
ranges=$(for k in {0..11}; do printf '%d-%dx0-3 ' $k $((k + 1)); done)
attribute 0 12 "${ranges% }"
for k in {0..11}; do # by hand: 10 and 11 come after 9
    BASE=$((3 * k)) make-dump $dir MatMul net/hand_lxslice$k 7 1 171828930200$((1000 + k)) output,float32,ND,1x3 || exit 3
    [ $k = 10 ] && continue
    BASE=$((3 * k)) make-dump $dir MatMul lacking_lxslice$k 8 1 171828930200$((2000 + k)) output,float32,ND,1x3 || exit 3
done
part() { # THREAD TIME BASE: the output is cut, the input has no range
    SUFFIX=.4.9.$1.0 BASE=$3 make-dump $dir MatMul grid 6 1 171828930200000$2 output,float32,ND,1x3 || exit 3
}
attribute 1 4 "0-1x0-3 1-2x0-3 0-1x3-6 1-2x3-6" # along both dims, columns first
part 0 0 0; part 1 3 6; part 2 2 3; part 3 1 9
part 0 4 100; part 1 7 106; part 2 6 103; part 3 5 109 # again
ATTR= make-dump $dir Add net/hand_lxslice 9 1 1718289302009999 output,float32,ND,3 || exit 3 # not in parts
dumpcap -q -o run.h5 dump >/dev/null 2>&1
values() { # the data of an .npy file whose header has 128 bytes
    head -c 128 "$1" | strings -n 20 | sed 's/ *$//'
    tail -c +129 "$1" | od -An -v -w24 -t f4 | tr -s ' '
}
exported() { # DIRECTORY ARGUMENT...
    echo "--- $*"
    dumpcap export "${@:2}" -o $1 2>&1
    echo "exit $?"
    (cd $1 && find . -type f -printf '%f %s\n' | sort)
}
exported all run.h5
values all/rank0/ge_default_1/step3/MatMul.net_hand.7.1.1718289302001000.output.0.npy
values all/rank0/ge_default_1/step3/MatMul.grid.6.1.1718289302000000.output.0.npy
values all/rank0/ge_default_1/step3/MatMul.grid.6.1.1718289302000004.output.0.npy
exported raw run.h5 '*hand:*' --as raw
exported zip run.h5 '*/grid:*' --as npz
exported csv run.h5 '*hand:*' --as csv
cat csv/rank0/ge_default_1/step3/*
exported one run.h5 '*grid:output:0@2' # a part's own path
exported file $dir/MatMul.grid.6.1.1718289302000006.4.9.2.0 output:0
cmp all/rank0/ge_default_1/step3/MatMul.grid.6.1.1718289302000004.output.0.npy file/*
exported hand $dir/MatMul.net_hand_lxslice10.7.1.1718289302001010
cmp all/rank0/ge_default_1/step3/MatMul.net_hand.7.1.1718289302001000.output.0.npy hand/*
exported part $dir/MatMul.net_hand_lxslice10.7.1.1718289302001010 output:0@10
exported none $dir/MatMul.lacking_lxslice9.8.1.1718289302002009
rm $dir/*lxslice1.* # a part that is there, but not in the tree any more
exported gone $dir/MatMul.net_hand_lxslice10.7.1.1718289302001010
echo "--- show"
dumpcap show run.h5 '*grid*'
dumpcap show run.h5 'rank0/ge_default_1/step3/net/hand:output:0'
dumpcap show run.h5 '*lacking:*'
dumpcap show $dir/MatMul.grid.6.1.1718289302000006.4.9.2.0 output:0 | head -n 5
