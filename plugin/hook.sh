#!/bin/sh
# What `dacapo init` registers where there is a POSIX shell. A host calls it at every stop, prompt and tool call, and in
# most sessions there is nothing to do. Then it ends, in a fraction of the time that Node takes to start.
#
#   sh hook.sh stop|wake|prompt|session
#
# It looks at the files that the hook program itself would look at first: the entry of this session, loops that wait
# for a prompt, the state file of the project. Whatever it can't tell, it leaves to the program.

plugin=${0%/*}

is_at_rest() {
  # A home of its own may be inside the project, and then it does not count. The program knows.
  [ -z "${DACAPO_HOME-}" ] || return 1
  [ -n "${CLAUDE_PROJECT_DIR-}" ] || return 1
  case ${HOME-} in /*) ;; *) return 1 ;; esac
  case ${CLAUDE_CODE_SESSION_ID-} in '' | *[!0-9A-Za-z_-]*) return 1 ;; esac
  if [ "$1" = stop ] || [ "$1" = wake ]; then
    is_absent "$CLAUDE_PROJECT_DIR/.claude/ralph-loop.local.md" || return 1
  fi
  # Two of them are the folder of another platform, and not there. To look is cheaper than to ask which one this is.
  is_home_at_rest "$1" "$HOME/.local/state/dacapo" || return 1
  is_home_at_rest "$1" "$HOME/Library/Application Support/dacapo" || return 1
  case ${XDG_STATE_HOME-} in
    /*) is_home_at_rest "$1" "$XDG_STATE_HOME/dacapo" || return 1 ;;
  esac
}

is_home_at_rest() {
  if is_absent "$2"; then return 0; fi
  [ -x "$2" ] || return 1
  is_absent "$2/sessions" || [ -x "$2/sessions" ] || return 1
  is_absent "$2/sessions/$CLAUDE_CODE_SESSION_ID" || return 1
  if [ "$1" = prompt ] && ! is_absent "$2/ready"; then
    [ -r "$2/ready" ] || return 1
    for waiting in "$2"/ready/*; do
      is_absent "$waiting" || return 1
    done
  fi
}

is_absent() { [ ! -e "$1" ] && [ ! -h "$1" ]; }

if is_at_rest "$1"; then
  # The host writes its payload, however long. If nobody read it, its write would fail.
  exec cat > /dev/null
fi

case $1 in
  wake) exec node "$plugin/dist/wake.cjs" ;;
  *) exec node "$plugin/dist/hook.cjs" ;;
esac
