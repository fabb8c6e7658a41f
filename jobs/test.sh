#!/bin/sh
# jobs/test.sh - build and test.
#   sh jobs/test.sh          the labels unit, mpi, cli and lint, after installing what they need
#   sh jobs/test.sh LABEL    one of the larger ones: slow kill asan clang fuzz bench slurm
# Works as root and as a user with sudo; a second run builds only what changed.
set -eu
cd "$(dirname "$0")/.."
label=${1-default}
. jobs/env.sh

build() { # preset, cmake arguments
    preset=$1 && shift
    echo "Building build/$preset"
    cmake --preset "$preset" "$@" >/dev/null
    cmake --build --preset "$preset" -- --quiet
}

case $label in
default)
    sh jobs/setup.sh build test lint
    build dev
    ctest --preset dev -L 'unit|mpi|cli|lint' -j 2
    ;;
slow | kill)
    sh jobs/setup.sh build test kill
    build dev
    ctest --preset dev -L "$label"
    ;;
asan)
    sh jobs/setup.sh build test
    build asan
    ctest --preset asan -L 'unit|np3|cli' -E choose_ops -j 2 # which runs under strace; the leak checker cannot
    ;;
clang)
    sh jobs/setup.sh build test clang
    build clang
    ctest --preset clang -L 'unit' -j 2
    ;;
fuzz)
    sh jobs/setup.sh build test fuzz
    build fuzz
    ctest --preset fuzz -L fuzz
    ;;
slurm)
    sh jobs/setup.sh build test slurm
    build dev
    ctest --preset dev -L slurm --verbose
    ;;
bench)
    sh jobs/setup.sh build test bench
    build release -DDUMPCAP_TESTS=ON
    sh tests/bench/run.sh build/release
    ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
