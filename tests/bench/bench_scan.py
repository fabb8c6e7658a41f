#!/usr/bin/python3
"""tests/bench/bench_scan.py - finding things: scanning a tree of 100,000 dump files against find, and pairing names against a
Python dictionary.

  bench_scan.py BUILD_DIR [SCRATCH_DIR]

dumpcap --dry-run lists the tree, reads every file's header and sorts all tensors; find lists it and asks every file's size. The
dictionary does for (rank, operator) what alignment does by name: clean it, look it up among the listed goldens.
"""
import os, re, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, HERE + "/.."]
import dump_tree
from race import launch, output, race, wall

FILES, RANKS, OPS = 100000, 64, 10000


def align(bench, goldens):
    return float(re.search(r"paired in ([0-9.]+) s", output([bench, str(RANKS), str(OPS), goldens])).group(1))


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
            race(f"scan of {FILES} files, {np} processes",
                 lambda: wall(launch(np) + [build + "/bin/dumpcap", "-q", "--dry-run", tree]),
                 "find -printf %s", lambda: wall(["find", tree, "-type", "f", "-printf", "%s %p\n"]), 3)
        race(f"pairing {RANKS} ranks x {OPS} operators", lambda: align(build + "/tests/bench/bench_align", goldens),
             "a Python dictionary", lambda: dictionary(goldens), 3)
    finally:
        shutil.rmtree(scratch)


main()
