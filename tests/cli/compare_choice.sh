# dumpcmp tells what is there where a selector finds nothing, and what is wrong with a step map.
compare() {
    echo "\$ dumpcmp $*" | tidy
    $RUN dumpcmp -q "$TREE" -o report "$@" 2>&1 | tidy
    echo "exit ${PIPESTATUS[0]}"
}
. "$(dirname "$0")/lib.bash"
mkdir gold
compare -g gold --rank 4,5
compare -g gold --step 7
compare -g gold --step-map +
compare -g gold --step-map 1=2,1=3
