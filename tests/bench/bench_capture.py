#!/usr/bin/python3
"""tests/bench/bench_capture.py - capture against pwrite of the same bytes to one shared file.

  bench_capture.py BIN_DIR [SCRATCH_DIR]

Large tensors (64 x 8 MiB) and small ones (16,000 x 16 KiB). Two yardsticks, each with as many processes, into one new file,
ended by fdatasync: bare pwrite of the same number of bytes from memory, in pieces of 256 KiB (small tensors: 1 MiB, as if
staged); and what a capture cannot do without, opening and reading the same files and writing their tensors. dumpcap makes a
new file and syncs it too; it also finds the files, sorts, hashes and summarises. Its time is its own figure, without mpirun's
start, as the yardsticks' is without that of their processes.
"""
import os, re, shutil, sys, tempfile, time
from multiprocessing import Barrier, Process, Value

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..")]
import dump_tree
from race import launch, output, race

PIECE = 256 << 10
MIXES = (("large tensors", 64, 8 << 20, 256 << 10, (1, 2)), ("small tensors", 16000, 16 << 10, 1 << 20, (1, 2, 8)))


def from_memory(out, work):
    offset, size, piece = work
    data = memoryview(bytearray(os.urandom(piece)))
    yield
    for at in range(0, size, piece):
        os.pwrite(out, data[: min(piece, size - at)], offset + at)


def from_files(out, work):
    offset, size, names = work
    buffer = bytearray(PIECE)
    view = memoryview(buffer)
    yield
    for name in names:
        source = os.open(name, os.O_RDONLY)
        os.lseek(source, -size, os.SEEK_END)
        while n := os.readv(source, [buffer]):
            os.pwrite(out, view[:n], offset)
            offset += n
        os.close(source)


def writer(path, write, work, barrier, seconds):
    out = os.open(path, os.O_RDWR)
    steps = write(out, work)
    next(steps)
    barrier.wait()
    start = time.monotonic()
    next(steps, None)
    barrier.wait()
    os.fdatasync(out)
    with seconds.get_lock():
        seconds.value = max(seconds.value, time.monotonic() - start)


def yardstick(path, write, works):
    open(path, "xb").close()
    seconds, barrier = Value("d", 0.0), Barrier(len(works))
    p = [Process(target=writer, args=(path, write, work, barrier, seconds)) for work in works]
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
            files = sorted(os.path.join(where, f) for where, _, names in os.walk(tree) for f in names)
            for np in counts:
                share = count // np
                memory = [(i * share * size, share * size, piece) for i in range(np)]
                shares = [(i * share * size, size, files[i * share :][:share]) for i in range(np)]
                what, ours = f"capture, {name}, {np} processes", lambda: capture(dumpcap, tree, scratch + "/run.h5", np)
                race(what, ours, "pwrite from memory", lambda: yardstick(scratch + "/raw", from_memory, memory))
                race(what, ours, "open, read and pwrite", lambda: yardstick(scratch + "/raw", from_files, shares))
            shutil.rmtree(tree)
    finally:
        shutil.rmtree(scratch)


main()
