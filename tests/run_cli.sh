#!/bin/bash
# tests/run_cli.sh - run one command-line test and compare what it prints and returns.
#   run_cli.sh TEST.sh NP SCRATCH    with TEST.stdout.{exact,glob}, TEST.stderr.{exact,glob}, TEST.exit beside it
# The script runs in an empty directory with the programs on PATH and $RUN = "" (NP 1) or "mpirun ... -np NP". Missing stdout and
# stderr files mean "anything", a missing .exit means 0. DC_REFRESH=1 rewrites .exact and .exit files from NP 1.
set -u
test=$1 np=$2 scratch=$3
base=${test%.sh}
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch" || exit 2
RUN=
[ "$np" -gt 1 ] && RUN="mpirun -q --oversubscribe -np $np"
export RUN
bash "$test" >stdout.got 2>stderr.got </dev/null
code=$?
sed -i '/^\[warn\] Epoll /d' stdout.got stderr.got # mpirun's event library, on a busy machine
[ $code -eq 77 ] && { cat stdout.got; exit 77; }

status=0
complain() {
    echo "$1"
    status=1
}
if [ "${DC_REFRESH-}" = 1 ] && [ "$np" = 1 ]; then
    echo $code >"$base.exit"
    for s in stdout stderr; do [ -e "$base.$s.exact" ] && cp "$s.got" "$base.$s.exact"; done
fi
want=0
[ -e "$base.exit" ] && want=$(cat "$base.exit")
[ "$code" = "$want" ] || complain "exit code $code, expected $want"
for s in stdout stderr; do
    if [ -e "$base.$s.exact" ]; then
        diff -u "$base.$s.exact" "$s.got" || complain "$s differs"
    elif [ -e "$base.$s.glob" ]; then
        # shellcheck disable=SC2053
        [[ $(cat "$s.got") == $(cat "$base.$s.glob") ]] || complain "$s does not match:
$(diff "$base.$s.glob" "$s.got")"
    fi
done
if [ $status -ne 0 ]; then
    echo "--- stdout"
    head -c 4000 stdout.got
    echo "--- stderr"
    head -c 4000 stderr.got
fi
cd / && [ $status -eq 0 ] && rm -rf "$scratch"
exit $status
