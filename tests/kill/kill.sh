#!/bin/bash
# tests/kill/kill.sh - kill captures at random moments and at chosen ones; what is left must open, and resume to the same store.
#   kill.sh SCRATCH    with dumpcap and dumpcap-demo on PATH; needs python3-h5py
# A process stops (=stop) or dies (=kill) at a chosen moment by fault injection (io/status.h): SITE@PROCESS:PASSAGE=ACTION.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export HDF5_USE_FILE_LOCKING=FALSE
for python in python3 /usr/bin/python3 ""; do # the distribution's has h5py, another may come first
    [ -z "$python" ] && { echo "needs python3-h5py"; exit 77; }
    "$python" -c 'import h5py' 2>/dev/null && break
done
rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 2
run() { mpirun -q --oversubscribe -np 3 "$@"; }
die() { echo "FAILED: $*"; exit 1; }

run dumpcap-demo --out demo --size large --ranks 3 --steps 2 >/dev/null || die "dumpcap-demo"
run dumpcap -q -o reference.h5 demo/dump >/dev/null || die "undisturbed capture"
dumpcap verify reference.h5 >/dev/null || die "the undisturbed store does not verify"

# Processes of the killed job, once nobody is left: a straggler would still hold the lock.
settle() { # session
    for _ in $(seq 600); do
        pgrep -s "$1" >/dev/null || return 0
        sleep 0.05
    done
    die "processes outlive a kill"
}

# What is left must open and be right; then the capture is finished, by --resume where there is a plan, and must be the reference.
finish() {
    local phase
    if [ -e x.h5 ]; then
        phase="finished before the kill"
    elif [ ! -e x.h5.part ]; then
        phase="nothing made yet"
        run dumpcap -q -o x.h5 demo/dump >/dev/null || die "$1: plain capture"
    else
        phase=$("$python" "$here/check.py" part reference.h5 x.h5.part)
        case $? in
        0) run dumpcap -q --resume -o x.h5 >/dev/null 2>resume.err || die "$1: --resume: $(cat resume.err)" ;;
        3)
            run dumpcap -q --resume -o x.h5 >/dev/null 2>resume.err && die "$1: resumed without a plan"
            [ "$(wc -l <resume.err)" = 1 ] && grep -q -- '--force starts anew' resume.err || die "$1: $(cat resume.err)"
            run dumpcap -q --force -o x.h5 demo/dump >/dev/null || die "$1: --force"
            ;;
        *) die "$1: $phase" ;;
        esac
    fi
    "$python" "$here/check.py" same reference.h5 x.h5 || die "$1: the finished store differs"
    [ "$(echo x.h5*)" = x.h5 ] || die "$1: left behind: $(echo x.h5*)"
    rm -f x.h5
    echo "$1: $phase"
}

start() { # job's session leader is mpirun
    setsid mpirun -q --oversubscribe -np 3 dumpcap -q -o x.h5 demo/dump >/dev/null 2>&1 &
    job=$!
}

# A process of the job that is stopped; nothing if the job ended before.
stopped() {
    for _ in $(seq 600); do
        for p in $(pgrep -s "$job" -x dumpcap); do
            [ "$(cut -d' ' -f3 "/proc/$p/stat" 2>/dev/null)" = T ] && return 0
        done
        kill -0 "$job" 2>/dev/null || return 1
        sleep 0.02
    done
    return 1
}

# Anyone of mpirun and the processes.
kill_someone() {
    local victims victim
    victims=("$job" $(pgrep -s "$job" -x dumpcap))
    victim=${victims[RANDOM % ${#victims[@]}]}
    what=$([ "$victim" = "$job" ] && echo mpirun || echo "a process")
    kill -KILL "$victim" 2>/dev/null
    pkill -CONT -s "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    settle "$job"
}

RANDOM=20240613
for i in $(seq 20); do
    if [ $((i % 5)) -eq 0 ]; then # any time
        start
        when="after 0.$((RANDOM % 9))$((RANDOM % 10)) s"
        sleep "$(echo "$when" | cut -d' ' -f2)"
    elif [ $((i % 5)) -eq 1 ]; then # while the plan is made
        when="at view.make@0:$((RANDOM % 1000 + 1))"
        DC_FAULT="${when#at }=stop" start
        stopped
    else # while data are written
        sites=(stage.write ingest.write store.mark)
        when="at ${sites[RANDOM % 3]}@$((RANDOM % 3)):$((RANDOM % 5 + 1))"
        DC_FAULT="${when#at }=stop" start
        stopped
    fi
    kill_someone
    finish "kill $i, $what $when"
done

for moment in store.structure@0 store.write@2:20 store.mark@0:5 pstore.sync@2 pstore.sync@0:2 \
    pstore.publish@0; do
    DC_FAULT="$moment=kill" start
    wait "$job" 2>/dev/null
    settle "$job"
    [ ! -e x.h5 ] || die "$moment: was not killed"
    finish "kill at $moment"
done
cd / && rm -rf "$1"
