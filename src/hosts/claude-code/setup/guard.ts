/**
 * The guard: a line of POSIX shell in front of Node, for Linux and macOS. A session without a loop then costs two looks at
 * the disk and no start of Node. It may let through what the hook program would only be silent about, never the reverse, so
 * it looks at what the program looks at first (`hearStop`, `hearPrompt`, `concernsNoLoop`), in the home that `journal/home.ts` would find.
 */

export type GuardedEvent = 'Stop' | 'UserPromptSubmit' | 'PreToolUse';

export function isGuarded(event: string): event is GuardedEvent {
  return event === 'Stop' || event === 'UserPromptSubmit' || event === 'PreToolUse';
}

/** `program` takes the place of the shell: its stdin, stdout and exit code are the host's own. */
export function guardLine(event: GuardedEvent, program: string, platform: string): string {
  const owned = `[ -e "$d/sessions/$CLAUDE_CODE_SESSION_ID" ]`;
  const other = {
    Stop: `[ -e "\${CLAUDE_PROJECT_DIR:-.}/.claude/ralph-loop.local.md" ]`,
    // A loop that waits for its first prompt. What matches nothing stays as it is written, and does not exist.
    UserPromptSubmit: `{ set -- "$d"/ready/*; [ -e "$1" ]; }`,
    // A tool concerns nobody but a session with a loop.
    PreToolUse: 'false',
  }[event];
  return `${home(platform)}; ${NOWHERE} || ${owned} || ${other} || exit 0; exec node ${quoted(program)}`;
}

/** Without a HOME the program asks the system for the user's folder, which a shell can't: it must look itself. */
const NOWHERE = '[ -z "$HOME$DACAPO_HOME" ]';

/** Sets `d`. What is relative does not count. */
function home(platform: string): string {
  const states =
    platform === 'darwin'
      ? 'd="$HOME/Library/Application Support"'
      : 'd=$XDG_STATE_HOME; case $d in /*) ;; *) d=$HOME/.local/state ;; esac';
  return `${states}; d=$d/dacapo; case $DACAPO_HOME in /*) d=$DACAPO_HOME ;; esac`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
