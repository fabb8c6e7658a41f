#!/usr/bin/python3
"""tests/bench/bench_capture.py - capture against pwrite of the same bytes to one shared file.

  bench_capture.py BIN_DIR [SCRATCH_DIR]

Large tensors (64 x 8 MiB) and small ones (16,000 x 16 KiB). The yardstick: as many processes write the same number of bytes
from memory into one new file, in pieces of 256 KiB (small tensors: 1 MiB, as if staged), then fdatasync. dumpcap makes a new
file and syncs it too; it also finds and reads the dump files, hashes and summarises. Its time is its own figure, without
mpirun's start, as the yardstick's is without that of its processes.
"""
import os, re, shutil, sys, tempfile, time
from multiprocessing import Barrier, Process, Value

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..")]
import dump_tree
from race import launch, output, race

MIXES = (("large tensors", 64, 8 << 20, 256 << 10, (1, 2)), ("small tensors", 16000, 16 << 10, 1 << 20, (1, 2, 8)))


def writer(path, offset, size, piece, barrier, seconds):
    data = memoryview(bytearray(os.urandom(piece)))
    fd = os.open(path, os.O_RDWR)
    barrier.wait()
    start = time.monotonic()
    for at in range(0, size, piece):
        os.pwrite(fd, data[: min(piece, size - at)], offset + at)
    barrier.wait()
    os.fdatasync(fd)
    with seconds.get_lock():
        seconds.value = max(seconds.value, time.monotonic() - start)


def pwrite(path, total, processes, piece):
    open(path, "xb").close()
    seconds, barrier, share = Value("d", 0.0), Barrier(processes), total // processes
    p = [Process(target=writer, args=(path, i * share, share, piece, barrier, seconds)) for i in range(processes)]
    [x.start() for x in p]
    [x.join() for x in p]
    os.unlink(path)
    return seconds.value


def capture(dumpcap, tree, store, processes):
    out = output(launch(processes) + [dumpcap, "-q", "--no-views", "-o", store, tree])
    os.unlink(store)
    return float(re.search(r": ([0-9.]+) s,", out).group(1))


def main():
    dumpcap = sys.argv[1] + "/dumpcap"
    scratch = tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None)
    try:
        for name, count, size, piece, counts in MIXES:
            tree = f"{scratch}/{name.split()[0]}"
            dump_tree.make(tree, count, size)
            for np in counts:
                race(f"capture, {name}, {np} processes", lambda: capture(dumpcap, tree, f"{scratch}/run.h5", np),
                     "pwrite to one file", lambda: pwrite(f"{scratch}/raw", count * size, np, piece))
            shutil.rmtree(tree)
    finally:
        shutil.rmtree(scratch)


main()
