#!/usr/bin/env python3
"""tests/kill/check.py - what a store must hold, seen with h5py.

  check.py same REFERENCE STORE     every dataset under /segment is the same; STORE is complete
  check.py part REFERENCE PART      PART opens; rows marked stored have REFERENCE's bytes and statistics
                                    (exit 3: its plan is not whole, or it is not HDF5 yet)
"""
import os
import re
import sys

import h5py
import numpy as np

DTYPES = "/segment/0/slab"
INDEX = "/segment/0/index"
RESULTS = ["hash", "min", "max", "mean", "l2", "nan", "pos_inf", "neg_inf", "zero"]


def fail(text):
    print(text)
    sys.exit(1)


def raw(dataset):
    """Bytes as in the file: NaN equals NaN, and types h5py converts are left alone."""
    data = np.empty(dataset.shape, dtype=dataset.dtype)
    if dataset.size:
        dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, data, mtype=dataset.id.get_type())
    return data.view(np.uint8) if dataset.size else data


def datasets(file):
    found = {}
    file["/segment"].visititems(lambda name, o: found.__setitem__(name, o) if isinstance(o, h5py.Dataset) else None)
    return found


def same(reference, store):
    a, b = datasets(reference), datasets(store)
    if a.keys() != b.keys():
        fail(f"datasets differ: {sorted(a.keys() ^ b.keys())}")
    for name in a:
        if a[name].shape != b[name].shape or a[name].id.get_type() != b[name].id.get_type():
            fail(f"{name}: shape or type differs")
        if not np.array_equal(raw(a[name]), raw(b[name])):
            fail(f"{name}: values differ")
    if store.attrs["complete"] != 1:
        fail("is not marked complete")
    views = ([], [])
    for file, names in zip((reference, store), views):
        file["/tensors"].visit(names.append)
    if views[0] != views[1] or not views[0]:
        fail(f"{len(views[1])} views, {len(views[0])} expected")


def slab_names():
    """Name of the slab of each dtype number, from the one table there is."""
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../io/dtype.h")
    return {int(n): name for n, name in re.findall(r'X\(\w+, (\d+), "(\w+)"', open(table).read())}


def part(reference, store):
    if store.attrs["complete"] not in (0, 1):
        fail("complete is neither 0 nor 1")
    state = store[INDEX]["state"][...]
    stored = np.flatnonzero(state == 1)
    if np.any(state > 2):
        fail("a state that does not exist")
    for name in RESULTS:
        a, b = raw(reference[INDEX][name]).reshape(-1, 8)[stored], raw(store[INDEX][name]).reshape(-1, 8)[stored]
        if not np.array_equal(a, b):
            fail(f"{name} of stored tensors differs")
    dtype, at, size = (store[INDEX][c][...] for c in ("dtype", "slab_offset", "bytes"))
    names = {d: n for d, n in slab_names().items() if n in store[DTYPES]}
    a = {d: raw(reference[DTYPES][n]) for d, n in names.items()}
    b = {d: raw(store[DTYPES][n]) for d, n in names.items()}
    for i in stored:
        d, element = dtype[i], store[DTYPES][names[dtype[i]]].dtype.itemsize
        first, end = int(at[i]) * element, int(at[i]) * element + int(size[i])
        if not np.array_equal(a[d][first:end], b[d][first:end]):
            fail(f"tensor {i} is marked stored, its bytes differ")
    print(f"{len(stored)} of {len(state)} stored")


def main():
    mode, reference, path = sys.argv[1:]
    try:
        store = h5py.File(path, "r")
        planned = store.attrs["planned"] == 1
    except (OSError, KeyError):
        planned = False
    if not planned and mode == "part":
        print("no whole plan")
        sys.exit(3)
    (same if mode == "same" else part)(h5py.File(reference, "r"), store)


main()
