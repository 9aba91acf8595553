/** The examples in the help: every command has at least one, which a person can type. */
import { chosenNames } from '../../hosts/names.ts';
import { LOOP_FOLDER } from '../../views/places.ts';
import { fit, WIDTH } from './terminal.ts';

/** The column in which the rest of an example begins that is too long for the terminal. */
const REST = 6;

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  dacapo: [
    'dacapo start "Fix the failing tests" --check "npm test" --max-iterations 20',
    'dacapo watch                follow all loops, with keys to answer and steer',
    'dacapo explain              why it continued',
    'dacapo cancel               end it, from any terminal',
  ],
  start: [
    'dacapo start "Make the parser handle nested lists" --check "npm test"',
    'dacapo start --prompt-file PROMPT.md --completion-promise "ALL DONE" --max-cost 5',
    'dacapo start "Fix the linter warnings" --check "npm run lint" --protect "tests/**" -- --model opus',
  ],
  run: [
    `dacapo run "Fix the failing tests" --check "npm test" --allowed-tools "${chosenNames().tool}" --max-cost 5`,
    'dacapo run --prompt-file PROMPT.md --features feature_list.json --commit --max-iterations 30',
    'git log -5 | dacapo run - --check "make test" --worktree',
    'dacapo run --loop RALPH_20260105_abc123 --model opus',
  ],
  worker: [
    'dacapo worker --capacity 2',
    'dacapo worker --labels linux,gpu --accept "https://example.org/team/*"',
  ],
  fleet: [
    'dacapo fleet list',
    'dacapo fleet cancel RALPH_20260105_abc123',
    'dacapo fleet answer ask-abc123-1 "Use the second one."',
  ],
  'fleet submit': [
    'dacapo fleet submit "Fix the failing tests" --repo https://example.org/project.git --ref main --check "npm test" --commit',
    'dacapo fleet submit "Fix this issue, with a test for it." --repo . --items todo.md --loops 5 --check "make test"',
  ],
  ready: [
    'dacapo ready "Fix the failing tests" --check "npm test"',
    'dacapo ready --prompt-file PROMPT.md --completion-promise "ALL DONE"',
    `dacapo ready ${LOOP_FOLDER}`,
  ],
  adopt: ['dacapo adopt', `dacapo adopt ${LOOP_FOLDER}`],
  status: ['dacapo status', 'dacapo status abc123', 'dacapo status --all --json'],
  list: ['dacapo list', 'dacapo list --all'],
  watch: ['dacapo watch', 'dacapo watch --all', 'dacapo watch abc123'],
  ui: ['dacapo ui', 'dacapo ui --port 8377 --no-open'],
  stats: ['dacapo stats', 'dacapo stats --all --json'],
  report: ['dacapo report', 'dacapo report abc123 -o report.html', 'dacapo report abc123 --json'],
  logs: ['dacapo logs -f', 'dacapo logs abc123 --agent', 'dacapo logs --hook'],
  explain: ['dacapo explain', 'dacapo explain abc123'],
  features: ['dacapo features', 'dacapo features feature_list.json'],
  hooks: [
    `dacapo hooks add '{"type": "max-files", "files": 20}' --name few-files`,
    'dacapo hooks disable few-files',
    'dacapo hooks --metrics',
  ],
  checkpoints: ['dacapo checkpoints', 'dacapo checkpoints abc123 --json'],
  approvals: ['dacapo approvals', 'dacapo approvals --all --json'],
  approve: [
    'dacapo approve ask-abc123-1',
    'dacapo approve ask-abc123-1 --note "Only to the staging server."',
  ],
  reject: ['dacapo reject ask-abc123-1 --note "Not before the tests of the parser pass."'],
  answer: ['dacapo answer ask-abc123-2 "Take the blue one."'],
  cancel: ['dacapo cancel', 'dacapo cancel abc123', 'dacapo cancel --all'],
  pause: ['dacapo pause', 'dacapo pause abc123'],
  steer: ['dacapo steer abc123 "Leave the old API alone for now."'],
  amend: [
    'dacapo amend --check "npm run lint"',
    'dacapo amend abc123 --max-iterations 40 --max-cost 10',
    'dacapo amend --remove-check "npm test" --check "npm test -- --run"',
  ],
  resume: [
    'dacapo resume',
    'dacapo resume abc123 --max-iterations 40',
    'dacapo resume abc123 --checkpoint 2',
  ],
  rollback: [
    'dacapo rollback                 which points there are',
    'dacapo rollback 3 --dry-run     what a return to iteration 3 would change',
    'dacapo rollback 3',
  ],
  init: ['dacapo init --dry-run', 'dacapo init', 'dacapo init --scope user --statusline'],
  uninstall: ['dacapo uninstall --dry-run', 'dacapo uninstall --scope user'],
  trust: ['dacapo trust', 'dacapo trust --remove'],
  notify: [
    'dacapo notify                                who is told, and of what',
    'dacapo notify --test                         send a test to all of them',
    'dacapo notify --test desktop                 to this one alone',
    'dacapo notify --test https://ntfy.sh/topic   to an address that is in no config yet',
  ],
  doctor: ['dacapo doctor', 'dacapo doctor --probe'],
  demo: ['dacapo demo', 'dacapo demo --agent scripted'],
  prune: ['dacapo prune --dry-run', 'dacapo prune --older-than 7d'],
  hook: ['dacapo hook --protocol exit-code < event.json'],
  mcp: [
    'dacapo mcp                    for a client that starts it itself',
    'dacapo mcp --http --json      for one that connects over HTTP',
  ],
  statusline: ['dacapo statusline --own "~/bin/my-status-line"'],
  completion: ['eval "$(dacapo completion bash)"     in ~/.bashrc', 'dacapo completion fish | source'],
};

export function examplesOf(command: string): string[] {
  const lines = EXAMPLES[command]?.flatMap((line) => fit(`  ${line}`, WIDTH, REST));
  return lines === undefined ? [] : [['Examples:', ...lines].join('\n')];
}
