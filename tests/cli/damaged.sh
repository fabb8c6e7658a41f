# Files that are no stores, or damaged ones: one line that names the file, exit code 2, no crash.
. "$(dirname "$0")/lib.bash"
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import h5py' 2>/dev/null && python=$p && break; done
[ -n "$python" ] || { echo "needs python3-h5py"; exit 77; }
export HDF5_USE_FILE_LOCKING=FALSE
RUN=
try -o good.h5 "$TREE"
all() { # the serial commands on a damaged copy, whose errors are shown up to what HDF5 says
    for command in ls verify views; do try $command "$1" | sed -E 's/ \(HDF5: .*\)/ (HDF5: ...)/'; done
}
echo "just text" >text.h5 && all text.h5
: >empty.h5 && all empty.h5
all missing.h5
mkdir dir.h5 && all dir.h5
head -c 100000 good.h5 >truncated.h5 && all truncated.h5
cp good.h5 garbage.h5 && head -c 4096 /dev/zero | tr '\0' '\245' | dd of=garbage.h5 bs=1 seek=2048 conv=notrunc status=none && all garbage.h5
cat >damage.py <<'END'
import h5py, numpy, shutil
u64 = numpy.uint64
def damage(name, change):
    shutil.copy("good.h5", name)
    with h5py.File(name, "r+") as f:
        change(f, f["/segment/0/index"])
def values(f, i):
    for column, value in dict(op=2**32 - 2, shape=2**31, run=2**31 - 1, direction=255, step=-5, state=7).items():
        i[column][:] = value
def unwritten(f, i):
    f.attrs["complete"] = u64(0)
    i["slab_offset"][:] = 2**61
    i["state"][:] = 0
damage("later.h5", lambda f, i: f.attrs.__setitem__("format_version", u64(3)))
damage("earlier.h5", lambda f, i: f.attrs.__setitem__("format_version", u64(1)))
damage("other.h5", lambda f, i: f.attrs.__setitem__("format", "something"))
damage("unplanned.h5", lambda f, i: [f.attrs.__setitem__(n, u64(0)) for n in ("planned", "complete")])
damage("rows.h5", lambda f, i: f["/segment/0"].attrs.__setitem__("rows", u64(2**63)))
damage("groups.h5", lambda f, i: f["/segment/0"].attrs.__setitem__("groups", u64(2**64 - 1)))
damage("column.h5", lambda f, i: i.__delitem__("state"))
damage("strings.h5", lambda f, i: f["/segment/0/strings/offset"].__setitem__(5, 2**40))
damage("first_row.h5", lambda f, i: f["/segment/0/group/first_row"].__setitem__(1, 2**40))
damage("offset.h5", lambda f, i: i["slab_offset"].__setitem__(slice(None), 2**61))
damage("bytes.h5", lambda f, i: i["bytes"].__setitem__(3, 2**63))
damage("values.h5", values)
damage("x.h5.part", unwritten)
END
"$python" damage.py
for s in earlier later other unplanned rows groups column strings; do all $s.h5; done
try verify first_row.h5
try verify offset.h5 | tail -n 2 && tail -n 1 out
try verify bytes.h5 | tail -n 2
try ls -l values.h5
try --resume -o x.h5
:
