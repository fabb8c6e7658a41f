# A second capture of the same store is refused while the first one holds it, with or without --force or --resume.
. "$(dirname "$0")/lib.bash"
DC_FAULT=store.mark@0:2=stop $RUN dumpcap -q -o x.h5 "$TREE" >first.out 2>first.err &
first=$!
for _ in $(seq 600); do # until the process that holds the lock has stopped
    holder=$(python3 -c 'import re; m = re.search(rb"pid (\d+)", open("x.h5.part", "rb").read(65536)); print(m.group(1).decode())' 2>/dev/null)
    [ -n "$holder" ] && [ "$(cut -d' ' -f3 "/proc/$holder/stat" 2>/dev/null)" = T ] && break
    sleep 0.05
done
try -o x.h5 "$TREE"
try --resume -o x.h5
try --force -o x.h5 "$TREE"
kill -CONT "$holder"
wait $first
echo "first: exit $?"
cat first.err
dumpcap verify x.h5
ls -A | grep h5
:
