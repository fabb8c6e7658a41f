#!/usr/bin/python3
"""tests/bench/bench_capture.py - capture throughput as a ratio to pwrite of the same bytes to one shared file.

  bench_capture.py BIN_DIR [SCRATCH_DIR]

Two mixes: large tensors (64 x 8 MiB) and small ones (16,000 x 16 KiB). Each run of dumpcap is followed by a run of the
baseline: as many processes write the same number of bytes from memory into one new file, in pieces of 256 KiB (small mix:
staged, 1 MiB), then fdatasync. dumpcap reads the dump files, hashes and summarises besides, and syncs too; its time is its own
figure, without mpirun's start. Runs are interleaved; medians and their ratio are printed.
"""
import os, re, shutil, statistics, struct, subprocess, sys, tempfile, time
from multiprocessing import Barrier, Process, Value

import numpy

RUNS = 5


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, kind, value):
    return varint(number << 3 | kind) + (varint(len(value)) + value if kind == 2 else varint(value))


def write_dump(path, op, data):
    shape = field(1, 2, varint(len(data) // 4))
    output = field(1, 0, 1) + field(2, 0, 2) + field(3, 2, shape) + field(6, 0, len(data))
    header = field(1, 2, b"2.0") + field(2, 0, 1700000000000000) + field(3, 2, output) + field(6, 2, op.encode())
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header + data)


def make_tree(root, count, size):
    data = numpy.random.default_rng(1).standard_normal((size + 16384) // 4, dtype=numpy.float32).tobytes()
    for i in range(count):
        where = f"{root}/20240613143502/{i % 8}/m/1/0"
        os.makedirs(where, exist_ok=True)
        write_dump(f"{where}/Add.op{i}.{i}.1.1700000000000000", f"op{i}", data[i % 4096 * 4 :][:size])


def writer(path, offset, size, piece, barrier, seconds):
    data = memoryview(bytearray(os.urandom(piece)))
    fd = os.open(path, os.O_RDWR)
    barrier.wait()
    start = time.monotonic()
    for at in range(0, size, piece):
        os.pwrite(fd, data[: min(piece, size - at)], offset + at)
    barrier.wait()
    os.fdatasync(fd)
    seconds.value = max(seconds.value, time.monotonic() - start)


def baseline(path, total, processes, piece):
    open(path, "wb").close()
    seconds, barrier, share = Value("d", 0.0), Barrier(processes), total // processes
    p = [Process(target=writer, args=(path, i * share, share, piece, barrier, seconds)) for i in range(processes)]
    [x.start() for x in p]
    [x.join() for x in p]
    os.unlink(path)
    return seconds.value


def capture(dumpcap, tree, store, processes):
    run = [] if processes == 1 else ["mpirun", "-q", "--oversubscribe", "-np", str(processes)]
    out = subprocess.run(run + [dumpcap, "-q", "--force", "--no-views", "-o", store, tree], check=True, capture_output=True, text=True)
    os.unlink(store)
    return float(re.search(r": ([0-9.]+) s,", out.stdout).group(1))


def main():
    bin_dir = sys.argv[1]
    scratch = tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None)
    try:
        for name, count, size, piece in (("large", 64, 8 << 20, 256 << 10), ("small", 16000, 16 << 10, 1 << 20)):
            tree = f"{scratch}/{name}"
            make_tree(tree, count, size)
            for processes in (1, 2):
                ours, raw = [], []
                for _ in range(RUNS + 1):
                    ours.append(capture(f"{bin_dir}/dumpcap", tree, f"{scratch}/run.h5", processes))
                    raw.append(baseline(f"{scratch}/raw", count * size, processes, piece))
                a, b = statistics.median(ours[1:]), statistics.median(raw[1:])
                best = min(raw[1:]) / min(ours[1:])
                print(f"capture {name:5} np {processes}: dumpcap {a:.3f} s, pwrite {b:.3f} s, ratio {b / a:.2f} (of minima {best:.2f})")
    finally:
        shutil.rmtree(scratch)


main()
