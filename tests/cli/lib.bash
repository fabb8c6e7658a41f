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
