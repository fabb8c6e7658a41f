# What dumpcap refuses, and how: one line, exit code 2, nothing made, nothing lost.
. "$(dirname "$0")/lib.bash"
mkdir empty directory && echo text >file
try -o x.h5 empty
try -o x.h5 missing
try -o x.h5 file
try --frobnicate "$TREE"
try -o directory "$TREE"
try -o directory/ "$TREE"
try --align 100 -o x.h5 "$TREE"
try --piece 2G -o x.h5 "$TREE"
try -c file -o x.h5 "$TREE"
try --resume -o x.h5
try --resume --original-path /data/dump -o x.h5
try -o file/x.h5 "$TREE"
echo precious >old.h5
try -o old.h5 "$TREE"
cat old.h5
echo left >left.h5.part
try -o left.h5 "$TREE"
try --resume -o left.h5
try --force -c file -o left.h5 "$TREE"
cat left.h5.part
ls -A | grep -v -e '^out$' -e '^err$' -e '^code$' -e '\.got$'
:
