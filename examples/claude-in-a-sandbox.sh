#!/bin/sh
# Claude Code inside a sandbox program: DACAPO_CLAUDE=./claude-in-a-sandbox.sh dacapo run "…"
# Here bubblewrap: only the work tree, its repository, /tmp, the host's own folder and the records of loops can be
# written. Without bubblewrap nothing starts: there is no fallback to no sandbox.
command -v bwrap >/dev/null || { echo 'bwrap is not installed; nothing was started.' >&2; exit 126; }
state=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
# Da Capo's hook runs inside, and asks for approvals (--approve) by writing to the record of its loop. What decides
# outside (config.json, trust.json, compiled code) stays read-only.
records=${DACAPO_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/dacapo}
mkdir -p "$state" "$records/loops" "$records/sessions" "$records/announced"
# A work tree of git writes to the repository that it belongs to.
repository=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null || pwd)
exec bwrap --ro-bind / / --dev /dev --proc /proc --bind /tmp /tmp \
  --bind "$(pwd)" "$(pwd)" --bind "$repository" "$repository" \
  --bind "$state" "$state" --bind-try "$HOME/.claude.json" "$HOME/.claude.json" \
  --bind "$records/loops" "$records/loops" --bind "$records/sessions" "$records/sessions" \
  --bind "$records/announced" "$records/announced" --die-with-parent claude "$@"
