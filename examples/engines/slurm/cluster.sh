#!/bin/bash
# A Slurm of your own on this machine, to try the recipe: real daemons on 127.0.0.1, several nodes, everything in one folder.
# Needs Debian's packages slurmctld, slurmd, slurm-client and munge; no root and no service.
#
#   cluster.sh up FOLDER [NODES] [FIRST-PORT]    then: export SLURM_CONF=FOLDER/slurm.conf
#   cluster.sh node FOLDER NAME                  start a node again after it died
#   cluster.sh down FOLDER
set -eu
PATH="$PATH:/usr/sbin:/sbin"
folder=$(realpath -m "$2")

await() { # a file or socket, at most 10 s
  for _ in $(seq 100); do [ -e "$1" ] && return; sleep 0.1; done
  echo "cluster.sh: $1 did not come" >&2 && exit 1
}

start_node() {
  mkdir -p "$folder/spool/$1"
  setsid slurmd -D -N "$1" </dev/null >>"$folder/$1.out" 2>&1 &
  echo $! >"$folder/$1.slurmd"
}

up() {
  local nodes=${1:-3} port=${2:-17817}
  mkdir -p "$folder/state" && chmod 755 "$folder"
  head -c 1024 /dev/urandom >"$folder/munge.key" && chmod 600 "$folder/munge.key"
  setsid munged -F --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" </dev/null >"$folder/munge.out" 2>&1 &
  echo $! >"$folder/munge.daemon"
  cat >"$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,sched_interval=5
SlurmdParameters=config_overrides
# A node that is silent for so long is down, and its jobs are requeued.
SlurmdTimeout=${SLURMD_TIMEOUT:-10}
ReturnToService=2
KillWait=${KILL_WAIT:-30}
NodeName=n[1-$nodes] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=${NODE_CPUS:-2}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  await "$folder/munge.socket"
  setsid slurmctld -D </dev/null >"$folder/slurmctld.out" 2>&1 &
  echo $! >"$folder/slurmctld.daemon"
  for k in $(seq "$nodes"); do start_node "n$k"; done
  for _ in $(seq 100); do
    [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = "$nodes" ] && return
    sleep 0.2
  done
  tail -n 5 "$folder"/*.out >&2 && exit 1
}

lives() { # an ended process that nobody has read yet does not
  case "$(ps -o stat= -p "$1")" in '' | Z*) return 1 ;; esac
}

end() { # the daemons of these files, and wait until they are gone
  for file in "$@"; do kill "$(cat "$file")" 2>/dev/null || true; done
  for file in "$@"; do
    for _ in $(seq 50); do lives "$(cat "$file")" || break; sleep 0.1; done
    kill -s KILL "$(cat "$file")" 2>/dev/null || true
  done
}

down() {
  scancel --me 2>/dev/null || true
  for _ in $(seq 100); do [ -z "$(squeue -h --me 2>/dev/null)" ] && break; sleep 0.2; done
  end "$folder"/*.slurmd
  end "$folder"/slurmctld.daemon
  end "$folder"/munge.daemon
}

export SLURM_CONF="$folder/slurm.conf"
case "$1" in
up) up "${3:-}" "${4:-}" ;;
node) start_node "$3" ;;
down) down ;;
*) sed -n '2,8p' "$0" && exit 2 ;;
esac
