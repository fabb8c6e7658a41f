#!/usr/bin/python3
"""tests/dump_tree.py - dump trees of as many float32 tensors as you like, for benchmarks and long captures.

  dump_tree.py DIR FILES BYTES [--holes]     --holes: the tensors' bytes are holes, quick to make
"""
import os, random, struct, sys


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def head(op, size):
    """The bytes before those of one float32 ND tensor, output 0 of op."""
    output = field(1, 1) + field(2, 2) + field(3, field(1, varint(size // 4))) + field(6, size)
    message = field(1, b"2.0") + field(2, 1700000000000000) + field(3, output) + field(6, op.encode())
    return struct.pack("<Q", len(message)) + message


def make(root, files, size, holes=False, devices=8):
    data = b"" if holes else struct.pack("<4096f", *random.Random(1).choices([x / 97 for x in range(-999, 999)], k=4096))
    data *= size // len(data) + 2 if data else 1
    for i in range(files):
        where = f"{root}/20240613143502/{i % devices}/m/1/0"
        os.makedirs(where, exist_ok=True)
        start = head(f"op{i}", size)
        with open(f"{where}/Add.op{i}.{i}.1.1700000000000000", "wb") as f:
            f.write(start + data[i % 4096 * 4 :][:size])
            f.truncate(len(start) + size)


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "--holes" in sys.argv)
