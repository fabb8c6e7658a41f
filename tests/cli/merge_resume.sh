# tests/cli/merge_resume.sh - an interrupted merge goes on where its stores are given again, and only there
. "$(dirname "$0")/lib.bash"
for rank in 0 1 2; do
    dir=dump$rank/20240613143502/$rank/ge_default_20240613143502_1/7/1
    BASE=$rank make-dump $dir Add net/add 5 1 171828930200010$rank input,uint8,ND,17000000 output,float32,ND,3 || exit 3
    dumpcap -q -o part$rank.h5 dump$rank >/dev/null || exit 3
done
mv dump0 gone # a merge reads the stores, never the dumps
again() {
    try "$@"
    grep -v ' s, ' out
}
DC_FAULT=store.mark@0:1=term try merge part0.h5 part1.h5 part2.h5 -o m.h5 | sed -E 's/interrupted, [0-9]+ of/interrupted, N of/'
ls m.h5*
DC_FAULT=ingest.interrupt@0:1 try merge part0.h5 part1.h5 -o n.h5 | sed -E 's/interrupted, [0-9]+ of/interrupted, N of/'
echo "--- not so"
again --resume -o m.h5
again merge --resume -o m.h5
again merge --resume part0.h5 part1.h5 -o m.h5
again merge --resume part0.h5 part1.h5 part2.h5 --align 64K -o m.h5
again merge --resume part0.h5 part1.h5 part2.h5 -o none.h5
DC_FAULT=ingest.interrupt@0:1 try -o c.h5 dump1 | sed -E 's/interrupted, [0-9]+ of/interrupted, N of/'
again merge --resume part1.h5 -o c.h5
again --resume -o c.h5
echo "--- so"
again merge --resume part2.h5 part0.h5 part1.h5 -o m.h5
dumpcap verify m.h5
try merge part0.h5 part1.h5 part2.h5 -o ref.h5
h5diff -q m.h5 ref.h5 /segment && echo same
