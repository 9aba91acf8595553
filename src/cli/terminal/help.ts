/** The parts of the help that are made from tables, so that they stay up to date. */
import { inGroups } from '../../flags/groups.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { FLAGS, usageOf, type FlagShape } from '../../flags/table.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../begin/run-line.ts';
import { PROMPT_FLAGS } from '../begin/prompt-source.ts';
import { READY_FLAGS } from '../begin/ready-line.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { fit, hanging } from './fit.ts';
import { WIDTH } from './terminal.ts';

/** With less room beside the flags, their descriptions go below them. */
const NARROWEST = 30;
const BELOW = 6;

type Shown = Pick<FlagShape, 'flag' | 'value' | 'help'>;

export const EXAMPLES = examples([
  'dacapo start "Fix the failing tests" --check "npm test" --max-iterations 20',
  'dacapo watch                follow all loops, with keys to answer and steer',
  'dacapo explain              why it continued',
  'dacapo cancel               end it, from any terminal',
]);

export const START_EXAMPLES = examples([
  'dacapo start "Make the parser handle nested lists" --check "npm test"',
  'dacapo start --prompt-file PROMPT.md --completion-promise "ALL DONE" --max-cost 5',
  'dacapo start "Fix the linter warnings" --check "npm run lint" --protect "tests/**" -- --model opus',
]);

export const RUN_EXAMPLES = examples([
  'dacapo run "Fix the failing tests" --check "npm test" --allowed-tools "Bash(npm test)" --max-cost 5',
  'dacapo run --prompt-file PROMPT.md --features feature_list.json --commit --max-iterations 30',
  'git log -5 | dacapo run - --check "make test" --worktree',
  'dacapo run --loop RALPH_20260105_abc123 --model opus',
]);

export const READY_EXAMPLES = examples([
  'dacapo ready "Fix the failing tests" --check "npm test"',
  'dacapo ready --prompt-file PROMPT.md --completion-promise "ALL DONE"',
  'dacapo ready .claude/data/ralph-loops/current',
]);

export const WATCH_EXAMPLES = examples(['dacapo watch', 'dacapo watch --all', 'dacapo watch abc123']);

export const UI_EXAMPLES = examples(['dacapo ui', 'dacapo ui --port 8377 --no-open']);

export const APPROVALS_EXAMPLES = examples(['dacapo approvals', 'dacapo approvals --all --json']);

export const APPROVE_EXAMPLES = examples([
  'dacapo approve ask-abc123-1',
  'dacapo approve ask-abc123-1 --note "Only to the staging server."',
]);

export const REJECT_EXAMPLES = examples([
  'dacapo reject ask-abc123-1 --note "Not before the tests of the parser pass."',
]);

export const ANSWER_EXAMPLES = examples(['dacapo answer ask-abc123-2 "Take the blue one."']);

export const STEER_EXAMPLES = examples(['dacapo steer abc123 "Leave the old API alone for now."']);

export const MCP_EXAMPLES = examples([
  'dacapo mcp                    for a client that starts it itself',
  'dacapo mcp --http --json      for one that connects over HTTP',
]);

export const NOTIFY_EXAMPLES = examples([
  'dacapo notify                                who is told, and of what',
  'dacapo notify --test                         send a test to all of them',
  'dacapo notify --test desktop                 to this one alone',
  'dacapo notify --test https://ntfy.sh/topic   to an address that is in no config yet',
]);

export const REPORT_EXAMPLES = examples([
  'dacapo report',
  'dacapo report abc123 -o report.html',
  'dacapo report abc123 --json',
]);

export const STATS_EXAMPLES = examples(['dacapo stats', 'dacapo stats --all --json']);

export const EXIT_CODE_HELP = `Exit codes:
${EXIT_CODES.map(({ code, meaning }) => hanging(`  ${code}  `, meaning, WIDTH)).join('\n')}`;

export const START_FLAG_HELP = flagHelp([...PROMPT_FLAGS, ...FLAGS]);

export const READY_FLAG_HELP = flagHelp([...READY_FLAGS, ...FLAGS]);

/** The flags that apply to a run as well. */
export const RUN_FLAG_HELP = flagHelp([
  ...PROMPT_FLAGS,
  LOOP_FLAG,
  ...FLAGS.filter(({ flag }) => flag !== '--nest' && flag !== '--mode').map(({ flag, value, help }) =>
    flag === '--timeout' ? { flag, value, help: `${help} (default 1h)` } : { flag, value, help },
  ),
  ...PLAN_FLAGS,
  ...RUN_FLAGS,
]);

/** If the terminal is too narrow, wraps a command between words and indents the rest. */
function examples(lines: readonly string[]): string {
  return ['Examples:', ...lines.flatMap((line) => fit(`  ${line}`, WIDTH, BELOW))].join('\n');
}

function flagHelp(flags: readonly Shown[]): string {
  const column = Math.max(...flags.map((flag) => usageOf(flag).length)) + 4;
  return inGroups(flags)
    .map(({ heading, flags: ones }) =>
      [heading, ...ones.map((flag) => flagLine(flag, column, WIDTH))].join('\n'),
    )
    .join('\n\n');
}

function flagLine(flag: Shown, column: number, width: number): string {
  const left = `  ${usageOf(flag)}`;
  return width - column < NARROWEST
    ? [left, ...fit(' '.repeat(BELOW) + flag.help, width)].join('\n')
    : hanging(left.padEnd(column), flag.help, width);
}
