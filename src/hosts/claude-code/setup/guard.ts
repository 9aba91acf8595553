/**
 * The guard: a line of POSIX shell in front of Node, for Linux and macOS. A session without a loop then costs two disk
 * accesses and no start of Node. It may start the program in vain, but must never skip an event that the program would
 * answer. So it checks what `concernsNoLoop` in `hearing/hear.ts` checks, in the home of `store/file/home.ts`.
 */
import { shellQuoted } from '../../../core/words/shell-quote.ts';

export type GuardedEvent = 'Stop' | 'UserPromptSubmit' | 'PreToolUse';

export function isGuarded(event: string): event is GuardedEvent {
  return event === 'Stop' || event === 'UserPromptSubmit' || event === 'PreToolUse';
}

/** `program` replaces the shell, so its stdin, stdout and exit code go directly to the host. */
export function guardLine(event: GuardedEvent, program: string, platform: string): string {
  const owned = `[ -e "$d/sessions/$CLAUDE_CODE_SESSION_ID" ]`;
  const other = {
    Stop: `[ -e "\${CLAUDE_PROJECT_DIR:-.}/.claude/ralph-loop.local.md" ]`,
    // A loop that waits for its first prompt. A pattern without a match stays as it is written, and no such file exists.
    UserPromptSubmit: `{ set -- "$d"/ready/*; [ -e "$1" ]; }`,
    // A tool call concerns only a session with a loop.
    PreToolUse: 'false',
  }[event];
  return `${home(platform)}; ${NOWHERE} || ${owned} || ${other} || exit 0; exec node ${shellQuoted(program)}`;
}

/** Without HOME the program asks the system for the user's folder. A shell can't, so it starts the program. */
const NOWHERE = '[ -z "$HOME$DACAPO_HOME" ]';

/** Sets `d`. Relative paths are ignored. */
function home(platform: string): string {
  const states =
    platform === 'darwin'
      ? 'd="$HOME/Library/Application Support"'
      : 'd=$XDG_STATE_HOME; case $d in /*) ;; *) d=$HOME/.local/state ;; esac';
  return `${states}; d=$d/dacapo; case $DACAPO_HOME in /*) d=$DACAPO_HOME ;; esac`;
}
