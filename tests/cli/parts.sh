# tests/cli/parts.sh - parts of FFTS+ operators are compared with the golden as one tensor
. "$(dirname "$0")/lib.bash"
dir=dump/20240613143502/0/ge_default_20240613143502_1/7/3
golden() { # NAME ROWS COLUMNS: float32 0, 1, 2, ...
    /usr/bin/python3 - "$@" <<'PY'
import struct, sys
name, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, columns)
head += " " * (117 - len(head)) + "\n"
with open(f"golden/{name}.0.1718289302000000.npy", "wb") as f:
    f.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
    f.write(struct.pack(f"<{rows * columns}f", *range(rows * columns)))
PY
}
mkdir golden
for op in hand same lacking twice wrong; do golden $op 12 3; done
golden grid 2 6
# by hand, 12 slices: 10 and 11 come after 9
ranges=$(for k in {0..11}; do printf '%d-%dx0-3 ' $k $((k + 1)); done)
attribute 0 12 "${ranges% }"
for k in {0..11}; do
    BASE=$((3 * k)) make-dump $dir MatMul net_sgt_graph_0_hand_lxslice$k 7 1 17182893020001$k output,float32,ND,1x3 || exit 3
    [ $k = 10 ] && continue
    BASE=$((3 * k)) make-dump $dir MatMul lacking_lxslice$k 8 1 17182893020002$k output,float32,ND,1x3 || exit 3
done
part() { # OP THREAD TIME BASE SHAPE
    SUFFIX=.4.9.$2.0 BASE=$4 make-dump $dir MatMul $1 6 1 17182893020000$3 output,float32,ND,$5 || exit 3
}
# by threads, cut along both dims, columns first
attribute 1 4 "0-1x0-3 1-2x0-3 0-1x3-6 1-2x3-6"
part grid 0 10 0 1x3; part grid 1 13 6 1x3; part grid 2 12 3 1x3; part grid 3 11 9 1x3
# not cut: every thread has it all
attribute 1 2 "0-12x0-3 0-12x0-3"
part same 0 20 0 12x3; part same 1 21 0 12x3
# the bytes are not those of the range
attribute 1 2 "0-6x0-3 6-12x0-3"
part wrong 0 30 0 6x3; part wrong 1 31 18 5x3
# a thread that ran twice: the second execution lacks the other one
attribute 1 2 "0-6x0-3 6-12x0-3"
part twice 0 40 0 6x3; part twice 1 41 18 6x3; part twice 0 42 0 6x3
$RUN dumpcap -q --no-views -o run.h5 dump | grep -v ' s, '
for npu in dump run.h5; do
    $RUN dumpcmp -q $npu --golden golden -o report.$npu | tail -n 1
    echo "exit ${PIPESTATUS[0]}"
    /usr/bin/python3 - report.$npu/result.csv <<'PY'
import csv, sys
for r in csv.DictReader(open(sys.argv[1], newline="")):
    print(*(r[k] for k in "NPUDump GroundTruth Shape Elements MaxAbsoluteError Verdict Reason".split()), sep=" | ")
PY
done
# with another dump each part is compared with its like
$RUN dumpcmp -q run.h5 --golden run.h5 -o report.both | tail -n 1
echo "exit ${PIPESTATUS[0]}"
