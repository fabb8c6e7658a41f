# Files that are not quite right: a tensor with too few bytes is damaged (exit 1), surplus bytes are said, absent bytes counted;
# statistics are of elements, not of what fills their last byte.
. "$(dirname "$0")/lib.bash"
/usr/bin/python3 - <<'PY'
import os, struct
def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])
def field(number, kind, value):
    return varint(number << 3 | kind) + (varint(len(value)) + value if kind == 2 else varint(value))
os.makedirs("tree/20240613143502/0/m/1/0")
def dump(op, elements, size, data, dtype=1, name=None):
    output = field(1, 0, dtype) + field(2, 0, 2) + field(3, 2, field(1, 2, varint(elements))) + field(6, 0, size)
    header = field(2, 0, 1700000000000000) + field(3, 2, output) + field(6, 2, (name or op).encode())
    with open(f"tree/20240613143502/0/m/1/0/Add.{op}.1.1.1700000000000000", "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header + data)
dump("good", 2, 8, bytes(8))
dump("cut", 4, 8, bytes(8))
dump("surplus", 2, 8, bytes(12))
dump("absent", 2, 8, b"")
dump("packed", 6, 1, b"\xff", 29)
dump("control", 2, 8, bytes(8), name="two\nlines\x1b[31m")
PY
try -o a.h5 tree
head -n 3 out
dumpcap ls a.h5
echo "--- six bits of a byte: the other two are no elements"
dumpcap ls -l a.h5 | grep -A 1 packed
echo "--- reasons that differ in numbers alone are told as one"
good=tree/20240613143502/0/m/1/0/Add.good.1.1.1700000000000000
for n in 9 12 20 30; do head -c $n $good >${good%/*}/Add.cut$n.1.1.1700000000000000; done
touch -d '1 hour ago' ${good%/*}/*
try -o b.h5 tree
grep -v ' s, ' out
