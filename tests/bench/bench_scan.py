#!/usr/bin/python3
"""tests/bench/bench_scan.py - finding things: scanning a tree of 100,000 dump files against find, and pairing names against a
Python dictionary.

  bench_scan.py BUILD_DIR [SCRATCH_DIR]

dumpcap --dry-run lists the tree, reads every file's header and sorts all tensors; find lists it and asks every file's size; the
other yardstick opens every file besides and reads its first 4 KiB. The dictionary does for (rank, operator) what alignment does by name: clean it, look it up among the listed goldens.
"""
import os, re, shutil, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, HERE + "/.."]
import dump_tree
from race import launch, output, race, wall

FILES, RANKS, OPS = int(os.environ.get("BENCH_FILES", 100000)), 64, 10000


def align(bench, goldens):
    return float(re.search(r"paired in ([0-9.]+) s", output([bench, str(RANKS), str(OPS), goldens])).group(1))


def read_heads(tree):
    start = time.monotonic()
    for where, _, names in os.walk(tree):
        for name in names:
            f = os.open(where + "/" + name, os.O_RDONLY)
            os.fstat(f)
            os.read(f, 4096)
            os.close(f)
    return time.monotonic() - start


def dictionary(goldens):
    start = time.monotonic()
    files = {name.rsplit(".", 3)[0]: name for name in os.listdir(goldens)}
    found = 0
    for _ in range(RANKS):
        for i in range(OPS):
            name = f"bert/encoder/layer_{i % 24}/attention/self/MatMul_{i}"
            found += name.replace("/", "_").replace(".", "_") in files
    if found != RANKS * OPS:
        raise SystemExit("the dictionary did not find all goldens")
    return time.monotonic() - start


def main():
    build = sys.argv[1]
    scratch = tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None)
    try:
        tree, goldens = scratch + "/tree", scratch + "/goldens"
        dump_tree.make(tree, FILES, 64)
        for np in (1, 2):
            what = f"scan of {FILES} files, {np} processes"
            ours = lambda: wall(launch(np) + [build + "/bin/dumpcap", "-q", "--dry-run", tree])
            race(what, ours, "find -printf %s", lambda: wall(["find", tree, "-type", "f", "-printf", "%s %p\n"]))
            race(what, ours, "open and read 4 KiB, one process", lambda: read_heads(tree))
        align(build + "/tests/bench/bench_align", goldens)  # makes the goldens
        race(f"pairing {RANKS} ranks x {OPS} operators", lambda: align(build + "/tests/bench/bench_align", goldens),
             "a Python dictionary", lambda: dictionary(goldens))
    finally:
        shutil.rmtree(scratch)


main()
