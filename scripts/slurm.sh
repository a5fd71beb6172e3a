#!/bin/sh
# A Slurm of one node on this machine, with accounting, for tests and for trying things out.
#
# usage: slurm.sh up DIR
#        slurm.sh down DIR
#
# `up` wants a folder that is empty or not there. Everything that Slurm writes goes below it; it runs
# as the calling user, on ports that were free. Its commands find it by its settings:
#
#     export SLURM_CONF=DIR/slurm.conf
#
# `down` stops jobs and servers; their logs stay in DIR/log. Where `up` fails, what it had started is
# stopped again.
#
# Wants Debian's slurmctld, slurmd, slurmdbd, slurm-client, munge and mariadb-server.
set -eu

case "${1:-} $#" in
'up 2' | 'down 2') ;;
*)
    echo 'usage: slurm.sh up|down DIR' >&2
    exit 2
    ;;
esac

PATH=$PATH:/usr/sbin:/sbin
umask 077
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
# What the servers answer to is only for who may enter the folder.
export SLURM_CONF="$dir/slurm.conf"
export MYSQL_UNIX_PORT="$dir/db.sock"
node=$(uname -n | cut -d . -f 1)
me=$(id -un)

fail() {
    # The reason comes last: it is what a caller that wants one line takes.
    if [ -s "${2:-}" ]; then tail -n 5 "$2" >&2; fi
    echo "slurm.sh: $1" >&2
    exit 1
}

# Starts a server and notes its process. It has a session of its own: Ctrl-C is not meant for it.
start() {
    setsid "$@" </dev/null >>"$dir/log/$1.out" 2>&1 &
    echo "$! $(born $!)" >>"$dir/processes"
}

# When a process started, in ticks since boot. With its number it names one process only.
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# Whether a process has ended, even if its parent has not asked for the result yet.
ended() { ! grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"; }

listened_to() { grep -qs ":$(printf %04X "$1") 0*:0000 0A" /proc/net/tcp /proc/net/tcp6; }

# A port at which nobody listens, below those that the kernel hands out.
free_port() {
    port=$((20000 + ($$ * 7 + $1 * 3907) % 12000))
    while listened_to "$port"; do port=$((port + 1)); done
    echo "$port"
}

# Waits until a command succeeds, for so many seconds at most.
await() {
    tries=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

node_is_idle() { timeout 5 sinfo -h -o %T | grep -qx idle; }
no_job_runs() { jobs=$(timeout 5 squeue -h) && [ -z "$jobs" ]; }

start_database() {
    mariadb-install-db --no-defaults --user="$me" --datadir="$dir/db" --skip-test-db \
        --auth-root-authentication-method=normal >"$dir/log/install-db.out" 2>&1 ||
        fail 'the database could not be made' "$dir/log/install-db.out"
    start mariadbd --no-defaults --user="$me" --datadir="$dir/db" --socket="$dir/db.sock" \
        --skip-networking --pid-file="$dir/db.pid" --innodb-buffer-pool-size=64M \
        --innodb-flush-log-at-trx-commit=0
    await 30 mariadb-admin --no-defaults --user=root --socket="$dir/db.sock" ping ||
        fail 'the database does not answer' "$dir/log/mariadbd.out"
}

start_munge() {
    head -c 128 /dev/urandom >"$dir/munge/key"
    start munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
        --pid-file="$dir/munge/pid" --log-file="$dir/log/munged.log" --seed-file="$dir/munge/seed"
    await 10 test -S "$dir/munge/socket" || fail 'munged does not start' "$dir/log/munged.out"
}

write_settings() {
    port_of_controller=$(free_port 1)
    port_of_node=$(free_port 2)
    port_of_accounting=$(free_port 3)
    # It refuses settings that others can read.
    cat >"$dir/slurmdbd.conf" <<END
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
DbdHost=$node
DbdAddr=127.0.0.1
DbdPort=$port_of_accounting
SlurmUser=$me
PidFile=$dir/slurmdbd.pid
LogFile=$dir/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
StorageLoc=slurm
END
    cat >"$dir/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port_of_controller
SlurmdPort=$port_of_node
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmUser=$me
SlurmdUser=$me
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
KillWait=2
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$port_of_accounting
AccountingStoragePass=$dir/munge/socket
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
}

up() {
    for program in slurmctld slurmd slurmdbd sbatch sacctmgr munged mariadbd mariadb-install-db setsid; do
        command -v "$program" >/dev/null || fail "there is no $program"
    done
    [ -z "$(ls -A "$dir")" ] || fail "$dir is not empty"
    # A socket's path has room for 107 bytes; munged puts a name of its own beside its socket.
    [ "${#dir}" -le 80 ] || fail "$dir is too long a path for sockets: 80 bytes at most"
    case $dir in
    *[!A-Za-z0-9._/-]*) fail "$dir: Slurm takes only letters, digits and ._/- in its settings" ;;
    esac
    trap 'down' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir "$dir/db" "$dir/munge" "$dir/state" "$dir/spool" "$dir/log"
    write_settings
    start_munge
    start_database
    start slurmdbd -D
    await 30 listened_to "$port_of_accounting" ||
        fail 'slurmdbd does not start' "$dir/log/slurmdbd.log"
    # The controller wants to be known when it starts.
    { sacctmgr -i add cluster one && sacctmgr -i add account tests &&
        sacctmgr -i add user "$me" account=tests; } >"$dir/log/sacctmgr.out" 2>&1 ||
        fail 'sacctmgr failed' "$dir/log/sacctmgr.out"
    start slurmctld -D -c
    start slurmd -D -c
    await 30 node_is_idle || fail 'the node does not get idle' "$dir/log/slurmd.log"
    trap - EXIT HUP INT TERM
    echo "export SLURM_CONF=$SLURM_CONF"
}

# The servers that still run, the youngest first.
running() {
    sed '1!G;h;$!d' "$dir/processes" | while read -r process since; do
        [ -z "$since" ] || [ "$(born "$process")" != "$since" ] || echo "$process"
    done
}

down() {
    [ -e "$dir/processes" ] || return 0
    if [ -e "$dir/slurmctld.pid" ]; then
        timeout 5 scancel --user="$me" 2>/dev/null || :
        await 5 no_job_runs || :
    fi
    servers=$(running)
    for server in $servers; do kill "$server" 2>/dev/null || :; done
    for server in $servers; do
        await 15 ended "$server" || kill -KILL "$server" 2>/dev/null || :
    done
    rm -f "$dir/processes"
}

"$1"
