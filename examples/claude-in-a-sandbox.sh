#!/bin/sh
# Claude Code inside a sandbox program: DACAPO_CLAUDE=./claude-in-a-sandbox.sh dacapo run "…"
# Here bubblewrap: only the work tree, its repository, /tmp and the host's own folder can be written. Without bubblewrap
# nothing starts: there is no fallback to no sandbox.
command -v bwrap >/dev/null || { echo 'bwrap is not installed; nothing was started.' >&2; exit 126; }
state=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
mkdir -p "$state"
# A work tree of git writes to the repository that it belongs to.
repository=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null || pwd)
exec bwrap --ro-bind / / --dev /dev --proc /proc --bind /tmp /tmp --bind "$(pwd)" "$(pwd)" --bind "$repository" "$repository" \
  --bind "$state" "$state" --bind-try "$HOME/.claude.json" "$HOME/.claude.json" --die-with-parent claude "$@"
