# Tasks that a launcher started and that do not know of each other are refused; the first says so for all. A batch script's own
# variables are no sign of that.
try() {
    env "$@" 2>&1
    echo "exit $?"
}
mkdir empty
try SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 dumpcap empty
try SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 dumpcap empty
try SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 dumpcmp empty --golden empty
try SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=1 dumpcmp empty --golden empty
try SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 dumpcap -q empty
ls
