#!/bin/bash
# The entry of the container: one `dacapo worker`, with the flags of the manifest. Kubernetes signals this process alone.
#
# DACAPO_URL_FILE: the file with the URL of the fleet. DACAPO_GRACE: shorter than terminationGracePeriodSeconds.
trap 'kill -s TERM "$worker" 2>/dev/null' TERM INT
dacapo worker --grace "${DACAPO_GRACE:-50s}" --database - --json "$@" <"${DACAPO_URL_FILE:?names the file with the URL}" &
worker=$!
wait "$worker" # until it ends, or a signal came
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
wait "$worker"
code=$?

case " $* " in
*' --loop '*) exit $code ;; # the Job decides by its podFailurePolicy
esac
# Without a loop of its own it is not to be repeated: 69, there is nothing to take; 75, the loop waits. The scaler
# starts another one when a loop is due.
case $code in
69 | 75) exit 0 ;;
*) exit $code ;;
esac
