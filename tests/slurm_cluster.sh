# tests/slurm_cluster.sh - sourced: a private Slurm of one node and eight pretended cores, with a munged of its own, in one
# directory. cluster_start DIR (false when it cannot), cluster_stop.

cluster_conf() { # DIR, port of slurmctld, port of slurmd
    cat <<CONF
ClusterName=dumpcap
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$2
SlurmdPort=$3
AuthType=auth/munge
AuthInfo=socket=$1/munge.socket,cred_expire=5
SchedulerParameters=bf_interval=2,sched_interval=2
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

cluster_start() {
    cluster=$1
    mkdir -p "$cluster/state" "$cluster/spool" && chmod 755 "$cluster/.." "$cluster" || return 1
    export SLURM_CONF=$cluster/slurm.conf
    cluster_conf "$cluster" $((20000 + $$ % 10000)) $((30000 + $$ % 10000)) >"$SLURM_CONF"
    head -c 1024 /dev/urandom >"$cluster/munge.key" && chmod 400 "$cluster/munge.key"
    munged --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
        --log-file="$cluster/munged.log" --seed-file="$cluster/munge.seed" 2>"$cluster/munged.err" || return 1
    slurmctld -c && slurmd || return 1
    for _ in $(seq 50); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.2
    done
    return 1
}

cluster_stop() {
    [ -n "${cluster-}" ] || return 0
    scancel --quiet --user="$(id -un)" 2>/dev/null
    for _ in $(seq 100); do
        [ -n "$(squeue -h 2>/dev/null)" ] || break
        sleep 0.1
    done
    for daemon in slurmd slurmctld munged; do
        [ -s "$cluster/$daemon.pid" ] && kill "$(cat "$cluster/$daemon.pid")" 2>/dev/null
    done
    for _ in $(seq 50); do
        [ -e "$cluster/slurmctld.pid" ] || [ -e "$cluster/slurmd.pid" ] || break
        sleep 0.1
    done
}
