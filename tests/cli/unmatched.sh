# tests/cli/unmatched.sh - patterns and selectors of ls, show, export and views that match nothing
dir=dump/20240613143502/0/ge_default_20240613143502_1/7
for step in 1 2 3 5; do
    make-dump $dir/$step MatMul net/conv 4 1 171828930200000$step output,float32,ND,3 || exit 3
    make-dump $dir/$step Add tail 5 1 171828930200001$step output,float32,ND,3 || exit 3
done
dumpcap -q --no-views -o run.h5 dump >/dev/null || exit 3
said() {
    echo "\$ dumpcap $*"
    dumpcap "$@" 2>&1
    echo "exit $?"
}
said ls run.h5 'nix*'
said ls run.h5 '*convx*'
said ls run.h5 'rank0/*/step2/net/conv:outptu:0'
said ls run.h5 --op nix
said ls run.h5 --op cnov --op tail
said ls run.h5 --step 4 --rank 1
said ls run.h5 '*tail*' --op net/conv
said ls run.h5 '*tail*' --op tial
said show run.h5 'tial*'
said show $dir/1/Add.tail.5.1.1718289302000011 output:1
said export run.h5 '*:input:*' -o out
said views run.h5 'nix*'
said views run.h5 '*tail*'
said views run.h5 '*tail*' # there already
