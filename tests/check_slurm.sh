#!/bin/bash
# tests/check_slurm.sh - the batch scripts of jobs/ on a private one-node Slurm: a capture, a comparison, a capture that is told
# to stop and goes on after a requeue, and tasks that do not know of each other. Skipped (77) where Slurm does not start.
#   check_slurm.sh BIN_DIR
set -u
tests=$(cd "$(dirname "$0")" && pwd)
jobs=$tests/../jobs
bin=$(cd "$1" && pwd)
PATH=$bin:$PATH:/usr/sbin
export PATH PREFIX=$bin # no env.sh there: PATH is handed on by sbatch
# shellcheck disable=SC1091
. "$tests/slurm_cluster.sh"
# shellcheck disable=SC1091
. "$jobs/env.sh"
for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || { echo "skipped: no $program" && exit 77; }
done
scratch=$(mktemp -d /tmp/dumpcap-slurm.XXXXXX)
trap 'cluster_stop; rm -rf "$scratch"' EXIT
cluster_start "$scratch/cluster" || { echo "skipped: Slurm does not start" && tail -n 3 "$scratch"/cluster/*.log; exit 77; }
cd "$scratch" || exit 2

status=0
expect() { # what it is, wanted, got
    if [ "$2" = "$3" ]; then echo "ok: $1"; else echo "FAILED: $1: expected '$2', got '$3'" && status=1; fi
}
state() { scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p'; }
code() { scontrol show job "$1" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p'; }
await() { # job, states as a regex: its state, after two minutes at most
    for _ in $(seq 600); do
        [[ $(state "$1") =~ $2 ]] && break
        sleep 0.2
    done
    state "$1"
}
FINAL='COMPLETED|FAILED|CANCELLED|TIMEOUT'

# a capture and its comparison
dumpcap-demo --out run --ranks 4 --steps 2 --fault conv2/Conv2D:swap-channels@1 >/dev/null || exit 3
ROOTS=run/dump CONFIG=run/acl.json STORE=run.h5 sbatch --wait -n 4 -o capture.out "$jobs/dumpcap.slurm" >/dev/null
expect "dumpcap.slurm ends with 0" 0 $?
dumpcap verify run.h5 >verify.out
expect "its store is whole" 0 $?
STORE=run.h5 GOLDEN='run/golden/rank_{rank}/step_{step}' GRAPH=run/graphs sbatch --wait -n 4 -o compare.out \
    "$jobs/dumpcmp.slurm" >/dev/null
expect "dumpcmp.slurm hands dumpcmp's exit code on" 1 $?
expect "it names the operator" 1 "$(grep -c '^first bad: conv2/Conv2D .*rank 1' compare.out)"

# a capture that is told to stop while it writes, as Slurm does a minute before the limit
/usr/bin/python3 "$tests/dump_tree.py" big 64 $((32 << 20)) --holes || exit 3
job=$(ROOTS=big STORE=big.h5 sbatch --parsable -n 2 -o big.out "$jobs/dumpcap.slurm")
until [ -e big.h5.part ] || [[ $(state "$job") =~ $FINAL ]]; do sleep 0.05; done
sleep 0.5
scancel --batch --signal=USR1 "$job"
for _ in $(seq 300); do grep -q 'back into the queue' big.out && break || sleep 0.1; done
expect "it says how far it came" 1 "$(grep -cE 'interrupted, [0-9]+ of 64 tensors stored in big.h5.part' big.out)"
expect "and goes back into the queue" 1 "$(grep -c 'back into the queue' big.out)"
expect "then it completes" COMPLETED "$(await "$job" "COMPLETED|FAILED|CANCELLED")"
expect "with code 0" 0 "$(code "$job")"
dumpcap verify big.h5 >verify.out
expect "and the store is whole" 0 $?

# srun's tasks with PMIx are one job; without it they are refused, in one line
srun -n 4 --mpi=pmix dumpcap -q --no-views -o pmix.h5 run/dump >pmix.out 2>&1
expect "srun --mpi=pmix captures" 0 $?
srun -n 4 --mpi=none dumpcap -q -o none.h5 run/dump >none.out 2>&1
expect "srun without PMIx is refused" 2 $?
expect "in one line" 1 "$(grep -c "start with 'srun --mpi=pmix' or 'mpirun'" none.out)"
expect "before anything is made" "" "$(ls none.h5* 2>/dev/null)"
if [ $status -ne 0 ]; then
    for f in *.out cluster/*.log; do echo "--- $f" && tail -n 15 "$f"; done
fi
exit $status
