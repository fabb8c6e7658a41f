"""tests/bench/race.py - two things timed in turn, and their row in the table. What a machine does by itself hits both."""
import os, statistics, subprocess, time

RUNS = int(os.environ.get("BENCH_RUNS", 5))
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")


def launch(processes):
    return [] if processes == 1 else ["mpirun", "-q", "--oversubscribe", "-np", str(processes)]


def output(command, codes=(0,), **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, **more)
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


def wall(command, codes=(0,), **more):
    start = time.monotonic()
    output(command, codes, **more)
    return time.monotonic() - start


def race(what, ours, yardstick, theirs, runs=RUNS):
    """Run ours() and theirs(), which return seconds, in turn and in changing order; the first of each only warms up."""
    times = ([], [])
    for i in range(runs + 1):
        for k in (0, 1) if i % 2 else (1, 0):
            os.sync()
            times[k].append((ours, theirs)[k]())
    a, b = times[0][1:], times[1][1:]
    row(what, yardstick, f"{statistics.median(a):.3f} s", f"{statistics.median(b):.3f} s",
        f"{statistics.median(b) / statistics.median(a):6.2f}  {min(b) / min(a):6.2f}")


def row(what, yardstick, ours, theirs, ratio):
    print(f"{what:44} {yardstick:34} {ours:>10} {theirs:>10}  {ratio}", flush=True)
