# tests/cli/tree_root.sh - a ROOT anywhere in a tree gives the same ranks, runs, models and steps; levels without a number are told
. "$(dirname "$0")/lib.bash"
top=tree/rank_5/20240613143502/3/ge_default_20240613143502_1/7/9
make-dump $top Add a 5 1 1718289302000012 output,float32,ND,3 || exit 3
ms=ms/rank_2/Net/1/4
mkdir -p $ms && cat >$ms/statistic.csv <<C
Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value
Sub,op0,0,0,1733905446819790,output,0,4,float32,"()",3
C
here=$PWD
who() { # DIRECTORY ROOT: who the tensors are, captured from there
    (cd "$1" && $RUN dumpcap -q --force -o "$here/x.h5" "$2" 2>&1 | grep -v ' s, \|^stored'
    dumpcap show "$here/x.h5" '*' | head -n 1
    dumpcap show "$here/x.h5" "$(dumpcap ls "$here/x.h5" | head -n 1 | cut -d' ' -f1)" | grep ^where)
}
who . tree
who tree .
for dir in $top $ms; do
    while [ $dir != . ]; do
        echo "--- $dir"
        who $dir .
        dir=$(dirname $dir)
        case $dir in tree | ms) break ;; esac
    done
done
echo "--- from below, upwards; a link"
who $top/.. ../../
ln -s $top link
who . link
echo "--- dumpcmp"
(cd tree/rank_5/20240613143502/3 && $RUN dumpcmp -q "$here/tree" --golden . -o "$here/report" | tail -n 1)
echo "--- without a number"
mkdir odd && cp -r tree/rank_5 odd/rankX
mkdir -p odd/stepabc && cp -r tree/rank_5/20240613143502 odd/stepabc/20240613143502
make-dump odd/stepabc/20240613143502/4 Add b 5 1 1718289302000013 output,float32,ND,3 || exit 3
mkdir -p ranking && cp -r tree/rank_5 ranking/rank_7 # above the root it is anybody's name
$RUN dumpcap -q --mixed --force -o x.h5 odd 2>&1 | grep -v ' s, '
$RUN dumpcap -q --force -o x.h5 odd/stepabc 2>&1 | grep -v ' s, '
$RUN dumpcap -q --force -o x.h5 ranking/rank_7 2>&1 | grep -v ' s, '
$RUN dumpcap -q --dry-run odd/rankX 2>&1
