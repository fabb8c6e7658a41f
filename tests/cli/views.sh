# h5py, h5ls and h5dump see named tensors with real types, shapes and values.
dumpcap-demo --out run --ranks 2 --steps 1 >/dev/null || exit 3
$RUN dumpcap -q -o run.h5 run/dump >/dev/null || exit 4
base=/tensors/rank1/ge_default_1/step0
h5ls run.h5/tensors/rank1/ge_default_1/step0/pool1
h5dump -d "$base/loss/Mean:output:0" run.h5 | sed -n '2,4p'
/usr/bin/python3 - <<'PY'
import glob, struct, h5py, numpy
f = h5py.File("run.h5", "r")
n = 0
def count(name, x):
    global n
    if isinstance(x, h5py.Dataset):
        n += 1
        x[()]
f["tensors"].visititems(count)
print(n, "views of", len(f["segment/0/index/rank"]), "tensors, complete", int(f.attrs["complete"]))
x = f["tensors/rank1/ge_default_1/step0/pool1/AvgPool:output:0"]
print(x.dtype, x.shape, x.attrs["format"])
(path,) = glob.glob("run/dump/*/1/*/*/0/AvgPool*.pool1_AvgPool.*")
raw = open(path, "rb").read()[-x.size * 2:]
print("same bytes" if x[()].tobytes() == raw else "other bytes")
PY
