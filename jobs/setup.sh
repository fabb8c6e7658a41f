#!/bin/sh
# jobs/setup.sh - install what building, testing or the demo needs and is missing, with the system's package manager.
#   sh jobs/setup.sh GROUP...   groups: build test lint kill bench fuzz clang slurm asan
# Debian and Ubuntu (apt-get). Works as root and as a user with sudo; says what it does; a second run does nothing.
set -eu

packages_of() {
    case $1 in
    build) echo gcc cmake ninja-build pkg-config libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libcjson-dev \
        libprotobuf-c-dev protobuf-c-compiler zlib1g-dev libminizip-dev libxxhash-dev ;;
    test) echo libcunit1-dev libmpfr-dev hdf5-tools python3-h5py python3-numpy strace ;;
    lint) echo clang-format clang-tidy ;;
    kill) echo python3-h5py python3-numpy procps ;;
    bench) echo python3-numpy ;;
    slurm) echo slurmctld slurmd slurm-client munge libpmix2 python3 ;;
    fuzz | clang) echo clang ;;
    asan) ;;
    *)
        echo "jobs/setup.sh: unknown group '$1'" >&2
        exit 2
        ;;
    esac
}

missing=
for group in "$@"; do
    for package in $(packages_of "$group"); do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
            missing="$missing $package"
        fi
    done
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "jobs/setup.sh: no apt-get here; install these yourself:$missing" >&2
    exit 2
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "jobs/setup.sh: missing:$missing; run as root, or install sudo" >&2
        exit 2
    }
    as_root=sudo
fi
echo "Installing with apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q >/dev/null
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
