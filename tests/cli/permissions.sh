# An ordinary user: a directory that cannot be written to, dump files and directories that cannot be read.
. "$(dirname "$0")/lib.bash"
chmod 777 . && cp -r "$TREE" tree && chmod -R a+rX tree
as_user test -x "$(command -v dumpcap)" -a -r tree 2>/dev/null || { echo "another user cannot reach the build directory"; exit 77; }
RUN="as_user $RUN"
mkdir readonly && chmod 555 readonly
try -o readonly/x.h5 tree
try -o readonly/new/x.h5 tree
file=$(find tree -name 'Conv2D.*' | sort | head -n 1)
chmod 000 "$file"
try -o x.h5 tree
sed -E '/^stored|GB/d; s#: [^ ]*/#: .../#' out
chmod 000 "$(find tree -type d | sort | tail -n 1)"
try -o y.h5 tree
sed -nE '/gave no/,$ { /GB/d; s#: [^ ]*/#: .../#; p }' out
dumpcap verify x.h5 | sed -E 's/[0-9]+ tensors good/N tensors good/'
chmod 000 x.h5
as_user dumpcap verify x.h5
echo "exit $?"
chmod -R u+rwx tree
:
