#!/usr/bin/python3
"""tests/bench/numpy_compare.py - the rival of dumpcmp: a script that compares a tree of dump_tree.py with .npy goldens.

  numpy_compare.py TREE GOLDEN_DIR RESULT.csv PROCESSES
"""
import csv, os, struct, sys
from multiprocessing import Pool

import numpy

from numpy_metrics import metrics


def compare(work):
    dump, golden = work
    with open(dump, "rb") as f:
        f.seek(8 + struct.unpack("<Q", f.read(8))[0])
        x = numpy.fromfile(f, numpy.float32)
    return [os.path.basename(dump)] + list(metrics(x, numpy.load(golden).ravel()).values())


def main():
    tree, goldens, result, processes = sys.argv[1:5]
    work = []
    for where, _, files in os.walk(tree):
        for name in files:
            work.append((f"{where}/{name}", f"{goldens}/{name.split('.')[1]}.0.1700000000000000.npy"))
    with Pool(int(processes)) as pool, open(result, "w", newline="") as f:
        csv.writer(f).writerows(pool.map(compare, sorted(work), 4))


main()
