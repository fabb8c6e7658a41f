# Started as unconnected single processes by a launcher of several tasks: refused; the first task says so for all.
. "$(dirname "$0")/lib.bash"
RUN=
SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0 try -o x.h5 "$TREE"
SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=3 try -o x.h5 "$TREE"
SLURM_PROCID=3 try -o x.h5 "$TREE"
SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0 dumpcmp "$TREE" --golden "$TREE" 2>&1
SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=3 dumpcmp "$TREE" --golden "$TREE" 2>&1
SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=8 try -o x.h5 "$TREE"
ls -A | grep h5
