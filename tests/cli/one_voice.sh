# A mistake on the command line is said once, by one process, whatever the number of processes.
$RUN dumpcap --no-such-option 2>&1
$RUN dumpcmp --threshold nonsense 2>&1
$RUN dumpcmp /nowhere.h5 2>&1
