#!/bin/sh
# tests/bench/run.sh - all benchmarks, one table. Every ratio is of two things timed in turn in one run: a machine's speed, and what
# else it does, falls out. Ratio = the yardstick's time / ours: 1 is as fast as it, 2 twice as fast; of medians, then of minima.
#   run.sh BUILD_DIR [SCRATCH_DIR]      BENCH_RUNS=N: how often (default 5)
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d -p "${2:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$scratch"' EXIT
runs=${BENCH_RUNS:-5}
row() { awk "$1"' function row(what, yard, ours, theirs, ratio) { printf "%-44s %-34s %10s %10s  %6s\n", what, yard, ours, theirs, ratio }'; }

printf '%-44s %-34s %10s %10s  %6s  %6s\n' what yardstick ours yardstick ratio 'of minima'
/usr/bin/python3 "$here/bench_capture.py" "$build/bin" "$scratch"
"$build/tests/bench/bench_kernel" 256 "$runs" | row '
    / read .*ratio/ {
        match($0, /all ten [0-9.]+ /); row("ten metrics, " $1 " and " $2, "reading both", "", "", substr($0, RSTART + 8, RLENGTH - 9)) }'
/usr/bin/python3 "$here/bench_compare.py" "$build" "$scratch"
(cd "$scratch" && "$build/tests/bench/bench_graph") | row '
    / times as long as read/ { row("parsing a graph of " $1 " MB, " $5 " MB/s", "read() of the file", "", "", sprintf("%.3f", 1 / $7)) }'
"$build/tests/bench/bench_relayout" | row '
    / of memcpy/ { row("layout " $1 " to " $4, "memcpy", "", "", $(NF - 2)) }'
/usr/bin/python3 "$here/bench_scan.py" "$build" "$scratch"
