# jobs/env.sh - sourced by the other scripts: Open MPI on one machine, also as root, also with more processes than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 # -np 8 on 2 cores
export OMPI_MCA_mpi_yield_when_idle=1      # and then do not spin
export OMPI_MCA_orte_execute_quiet=1       # an exit code is no accident: no banners
