# A store that h5repack compressed says how to unpack it; unpacked, it is whole again.
dumpcap -q -o run.h5 "$TREE" >/dev/null || exit 3
h5repack -f SHUF -f GZIP=1 -l CHUNK=65536 run.h5 packed.h5
dumpcap verify packed.h5 2>&1
echo "exit $?"
h5repack -f NONE -l CONTI packed.h5 again.h5
dumpcap verify again.h5
echo "exit $?"
