# Mistakes on the command line: one line each, exit code 2.
try() {
    "$@"
    echo "exit $?"
}
try dumpcap --no-such-option
try dumpcap --reume
try dumpcap
try dumpcap /nowhere/at/all
try dumpcap ls
try dumpcap lst run.h5
try dumpcap verfy run.h5
try dumpcap ls /nowhere/at/all.h5
try dumpcap -c /nowhere/acl.json .
try dumpcap --step 5-3 .
try dumpcmp
try dumpcmp /nowhere.h5 --golden .
try dumpcap --version | head -n 1
