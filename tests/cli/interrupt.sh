# TERM finishes what is being written, says how far it came, exits 2, and --resume goes on from there.
. "$(dirname "$0")/lib.bash"
DC_FAULT=store.mark@0:2=term try -o x.h5 "$TREE" | sed -E 's/interrupted, [0-9]+ of/interrupted, N of/'
stored=$(sed -E 's/.*interrupted, ([0-9]+) of ([0-9]+).*/\1 \2/' err)
[ "${stored% *}" -ge 64 ] && [ "${stored% *}" -lt "${stored#* }" ] && echo "some are stored"
dumpcap ls x.h5.part | tail -n 1 | sed -E 's/[0-9.]+ MB/N MB/'
try -o x.h5 "$TREE"
try --resume -o x.h5
dumpcap verify x.h5
try -o ref.h5 "$TREE"
h5diff -q x.h5 ref.h5 /segment && echo same
# What does not read back is stored again by --resume.
DC_FAULT=verify.hash@0:3 try --verify -o v.h5 "$TREE" | sed -E 's/rank.*[0-9]: its/TENSOR: its/'
try --verify --resume -o v.h5
h5diff -q v.h5 ref.h5 /segment && echo same
DC_FAULT=pstore.claim@0=term try -o y.h5 "$TREE"
ls -A | grep h5
:
