# A mistake on the command line is said once, by one process, whatever the number of processes.
once() {
    $RUN "$@" 2>&1 | sed 's/\[p0\] //'
    echo "exit ${PIPESTATUS[0]}"
}
once dumpcap --no-such-option
once dumpcap --print-config --no-such-option
once dumpcmp --threshold nonsense
once dumpcmp /nowhere.h5
