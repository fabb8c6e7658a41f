#!/bin/sh
# jobs/demo.sh - the whole story on this machine: a training run with known faults is dumped, captured and compared.
#   sh jobs/demo.sh [--fault OP:KIND[@RANK]] [--dtype float16|bfloat16] [--np N] [--out DIR] [--list-faults]
# Installs what is missing (as root, or with sudo), builds, and runs:
#   dumpcap-demo   trains a small network twice - float32, and a "device twin" in half precision - and dumps both
#   dumpcap        gathers the twin's dump trees into one store
#   dumpcmp        compares them with the float32 tensors and names the operator that went wrong first
# Ends with dumpcmp's exit code: 0 nothing failed, 1 an operator failed, 2 could not compare.
set -eu
cd "$(dirname "$0")/.."
np=8 out=build/demo fault= dtype=float16
while [ $# -gt 0 ]; do
    case $1 in
    --fault) fault=$2 && shift 2 ;;
    --dtype) dtype=$2 && shift 2 ;;
    --np) np=$2 && shift 2 ;;
    --out) out=$2 && shift 2 ;;
    --list-faults) list=1 && shift ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done

sh jobs/setup.sh build
. jobs/env.sh
if [ ! -f build/release/build.ninja ]; then
    echo "Configuring build/release"
    cmake --preset release -DDUMPCAP_TESTS=OFF -DDUMPCAP_DEMO=ON >/dev/null
fi
echo "Building"
cmake --build --preset release -- --quiet >/dev/null
bin=$PWD/build/release/bin
[ -z "${list-}" ] || exec "$bin/dumpcap-demo" --list-faults

rm -rf "$out"
mkdir -p "$out"
cd "$out"
say() { printf '\n$ %s\n' "$*"; }
say "mpirun -np $np dumpcap-demo --out . --dtype $dtype${fault:+ --fault $fault}"
mpirun -np "$np" "$bin/dumpcap-demo" --out . --dtype "$dtype" ${fault:+--fault "$fault"}
say "mpirun -np $np dumpcap -c acl.json -o run.h5 dump"
mpirun -np "$np" "$bin/dumpcap" -c acl.json -o run.h5 dump
say "mpirun -np $np dumpcmp run.h5 --golden 'golden/rank_{rank}/step_{step}' --graph graphs -o report"
code=0
mpirun -np "$np" "$bin/dumpcmp" run.h5 --golden 'golden/rank_{rank}/step_{step}' --graph graphs -o report || code=$?
printf '\n%s\n' "Everything is in $out: dump/ golden/ graphs/ acl.json run.h5 report/report.html report/result.csv"
exit $code
