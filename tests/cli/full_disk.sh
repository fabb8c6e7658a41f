# Space: too little is refused before anything is made; what is promised is reserved; a limit on file size is said.
. "$(dirname "$0")/lib.bash"
mkdir small
mount -t tmpfs -o size=3m none small 2>/dev/null || { echo "cannot mount a small file system"; exit 77; }
trap 'umount small' EXIT
try -o small/x.h5 "$TREE"
ls -A small
mount -o remount,size=16m small
DC_FAULT=pstore.reserve@0 try -o small/x.h5 "$TREE"
ls -A small
try -o small/x.h5 "$TREE"
dumpcap verify small/x.h5
rm small/x.h5
DC_FAULT=store.mark@0=term try -o small/x.h5 "$TREE" | sed -E 's/[0-9]+ of [0-9]+/N of M/'
head -c 16m /dev/zero >small/fill 2>/dev/null # nothing is free any more, but the store's own space is its own
try --resume -o small/x.h5
dumpcap verify small/x.h5
rm small/fill
printf '#!/bin/sh\nulimit -f 8000\nexec dumpcap "$@"\n' >limited && chmod +x limited
OMPI_MCA_btl=self,tcp $RUN ./limited -q -o limited.h5 "$TREE" 2>&1 | tidy # MPI's shared memory would meet the limit first
ls -A | grep limited.h5
:
