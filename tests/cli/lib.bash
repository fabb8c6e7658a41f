# tests/cli/lib.bash - sourced by command-line tests. $TREE: a dump tree of 2 ranks and 1 step; read only.
# try ARGUMENT...: run dumpcap -q by $RUN; print the arguments, what it says on stderr without "[p0] ", and the exit code.
try() {
    echo "\$ dumpcap $*" | tidy
    $RUN dumpcap -q "$@" >out 2>err
    echo "exit $?" >code
    tidy <err
    cat code
}
# What differs from run to run.
tidy() { sed -E "s/\[p[0-9]+\] //; s#$TREE#TREE#g; s/host [^,]*, pid [0-9]+/host H, pid N/; s/[0-9.]+ GB/N GB/g"; }
# As an ordinary user: dumpcap's own checks of permissions are of no use to root.
as_user() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$PWD" "$@"
    fi
}
# attribute MODE PARTS RANGES: for make-dump, of an operator that FFTS+ cut: [[[{lower,higher},...]],...] of "0-1x0-3 1-2x0-3"
attribute() {
    local list
    list=$(sed -E 's/([0-9]+)-([0-9]+)/{"lower":\1,"higher":\2}/g; s/x/,/g; s/[^ ]+/[[&]]/g; s/ /,/g' <<<"$3")
    export ATTR="{\"threadMode\":$1,\"slice_instance_num\":$2,\"input_tensor_slice\":[$list],\"output_tensor_slice\":[$list]}"
}
