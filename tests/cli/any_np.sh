# The store's contents, the report's bytes, the summary and the exit code are the same for 1, 2, 3, 4, 8 and 13 processes.
dumpcap-demo --out run --fault conv2/Conv2D:nan@5 >/dev/null || exit 3
for np in 1 2 3 4 8 13; do
    mpirun="mpirun -q --oversubscribe -np $np"
    [ $np = 1 ] && mpirun=
    mkdir $np && cd $np || exit 4
    $mpirun dumpcap -q -o run.h5 -c ../run/acl.json ../run/dump >/dev/null || echo "dumpcap at $np: $?"
    $mpirun dumpcmp -q run.h5 --golden '../run/golden/rank_{rank}/step_{step}' --graph ../run/graphs >out
    echo "exit $?"
    for file in result.csv alignment.csv result.json report.html out; do cmp ../1/$file $file; done
    cd ..
done
/usr/bin/python3 - <<'PY'
import h5py
def sets(path):
    found = {}
    h5py.File(path, "r")["segment"].visititems(
        lambda name, x: found.__setitem__(name, (x.dtype, x.shape, x[()].tobytes())) if isinstance(x, h5py.Dataset) else None)
    return found
first = sets("1/run.h5")
for np in (2, 3, 4, 8, 13):
    other = sets(f"{np}/run.h5")
    print(np, "same" if first == other else [k for k in first if first[k] != other.get(k)])
PY
