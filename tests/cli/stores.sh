# Where stores go, and what is beside them afterwards: a new directory, a linked dump directory, --force, another MPI-IO layer.
. "$(dirname "$0")/lib.bash"
unset HDF5_USE_FILE_LOCKING
try -o new/dir/x.h5 "$TREE"
ln -s "$TREE" link
try -o new/dir/y.h5 link
echo left >new/dir/z.h5.part
try --force -o new/dir/z.h5 "$TREE"
try --force -o new/dir/z.h5 "$TREE"
HDF5_USE_FILE_LOCKING=TRUE try --verify -o new/dir/locked.h5 "$TREE"
HDF5_USE_FILE_LOCKING=FALSE try --verify -o new/dir/unlocked.h5 "$TREE"
if ompi_info --parsable 2>/dev/null | grep -q io:romio321; then OMPI_MCA_io=romio321 try -o new/dir/romio.h5 "$TREE"; else cp new/dir/x.h5 new/dir/romio.h5; fi >out.romio
tail -n 1 out.romio
grep -c mca_ err
ls -A new/dir
for s in y z locked unlocked romio; do
    dumpcap ls -l new/dir/$s.h5 | sed "s#link/#$TREE/#" | cmp - <(dumpcap ls -l new/dir/x.h5) && echo $s is x
    h5diff -q new/dir/x.h5 new/dir/$s.h5 /segment/0/slab && h5diff -q new/dir/x.h5 new/dir/$s.h5 /segment/0/group || echo $s differs
done
dumpcap verify new/dir/romio.h5
:
