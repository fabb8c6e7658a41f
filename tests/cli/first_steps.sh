# tests/cli/first_steps.sh - what goes wrong on a first day is said in words that help
. "$(dirname "$0")/lib.bash"
compare() {
    echo "\$ dumpcmp $*" | tidy
    $RUN dumpcmp -q -o report "$@" >out 2>err
    echo "exit $?" >code
    tidy <err
    tidy <out
    cat code
}
make_tree() { # DIR OFFSET: ranks 0 and 1
    for rank in 0 1; do
        make-dump "$1/20240613143502/$rank/net_1/1/0" HcomAllReduce sum 4 1 1718289302000001 \
            output,float32,ND,2x3 || exit 3
        BASE=$2 make-dump "$1/20240613143502/$rank/net_1/1/0" Add a/add 5 1 1718289302000002 \
            output,float32,ND,2x3 || exit 3
    done
}
make_tree dump 0
make_tree other 1
$RUN dumpcap -q -o run.h5 dump >/dev/null || exit 3
$RUN dumpcap -q -o other.h5 other >/dev/null || exit 3
echo "--- a name without rank, model and step"
dumpcap show run.h5 a/add:output:0 2>&1
dumpcap show run.h5 a/add 2>&1
echo "--- the directory above the goldens"
mkdir -p gold/rank_0
compare run.h5 -g gold
echo "--- a directory of something else, a store that is not complete"
compare gold -g gold
: >half.h5.part
compare half.h5 -g gold
echo "--- goldens of operators that are not selected are not called unused"
compare run.h5 -g other.h5 --op sum
echo "--- a store of statistics: equal hashes are equal tensors"
$RUN dumpcap -q --stats-only -o stats.h5 dump >/dev/null || exit 3
compare stats.h5 --across-ranks
BASE=7 make-dump dump/20240613143502/1/net_1/1/0 HcomAllReduce sum 4 1 1718289302000001 \
    output,float32,ND,2x3 || exit 3
$RUN dumpcap -q --force --stats-only -o stats.h5 dump >/dev/null || exit 3
compare stats.h5 --across-ranks
echo "--- as the golden side it has nothing to compare with"
compare run.h5 -g stats.h5
echo "--- nor has what an interrupted capture did not store"
DC_FAULT=store.mark@0:2=term $RUN dumpcap -q -o cut.h5 "$TREE" >/dev/null 2>&1
$RUN dumpcap -q -o all.h5 "$TREE" >/dev/null || exit 3
$RUN dumpcmp -q all.h5 -g cut.h5.part -o report 2>/dev/null | grep -A 1 'first not judged' | sed 's/ .* step/ TENSOR, step/'
grep -q ,fail, report/result.csv || echo "none fails"
echo "--- patterns and ranks that are not there"
compare run.h5 --replicated 'nix*' --replicated 'a/*' --groups 0-1,2-3
echo "--- operators left out of the comparison"
compare run.h5 -g other.h5 --exclude a/add --exclude-type nix
echo "--- how many elements are off, and the worst of them"
compare run.h5 -g other.h5 --op a/add
cut -d, -f33- report/result.csv
echo "--- an acl.json that is there selects, and is named"
echo '{"dump": {"dump_path": "./", "dump_list": [{"model_name": "net_1", "layer": ["sum"]}]}}' >acl.json
$RUN dumpcap --dry-run dump 2>&1 | grep scanning | tidy
