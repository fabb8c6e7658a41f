#!/usr/bin/python3
"""tests/bench/bench_compare.py - comparing against NumPy: the ten metrics of two arrays in memory, and whole runs over files.

  bench_compare.py BUILD_DIR [SCRATCH_DIR]

The whole run: a dump tree of 256 float32 tensors of 1 MiB and as many .npy goldens, compared by dumpcmp and by a script that
computes the same ten metrics of the same files with as many processes and writes them as a table. Both times are those of the
whole command, from its start to its end.
"""
import os, re, shutil, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, HERE + "/.."]
import dump_tree
import numpy
from race import launch, output, race, wall

FILES, BYTES = 256, 1 << 20


def make_goldens(golden):
    os.makedirs(golden)
    data = numpy.random.default_rng(2).standard_normal(BYTES // 4, dtype=numpy.float32)
    for i in range(FILES):
        numpy.save(f"{golden}/op{i}.0.1700000000000000.npy", data * numpy.float32(1 + i / 1000))


def seconds(command):
    return float(re.search(r"^seconds ([0-9.]+)", output(command), re.M).group(1))


def compare(dumpcmp, tree, golden, report, processes):
    command = launch(processes) + [dumpcmp, "-q", "--exit-zero", tree, "--golden", golden, "-o", report]
    if "compared %d tensors" % FILES not in output(command):
        raise SystemExit("dumpcmp did not compare all tensors")
    return wall(command)


def main():
    build, python = sys.argv[1], ["/usr/bin/python3"]
    scratch = tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None)
    try:
        tree, golden, pair = scratch + "/tree", scratch + "/golden", [scratch + "/x", scratch + "/y"]
        output(python + [HERE + "/numpy_metrics.py", "--make"] + pair + [str(1 << 23)])
        race("ten metrics, float32, 2 x 32 MiB in memory", lambda: seconds([build + "/tests/bench/bench_kernel", "--raw"] + pair),
             "numpy, one thread", lambda: seconds(python + [HERE + "/numpy_metrics.py"] + pair))
        dump_tree.make(tree, FILES, BYTES)
        make_goldens(golden)
        for np in (1, 2):
            race(f"compare {FILES} x 1 MiB end to end, {np} processes",
                 lambda: compare(build + "/bin/dumpcmp", tree, golden, scratch + "/report", np),
                 f"numpy, {np} processes",
                 lambda: wall(python + [HERE + "/numpy_compare.py", tree, golden, scratch + "/numpy.csv", str(np)]))
    finally:
        shutil.rmtree(scratch)


main()
