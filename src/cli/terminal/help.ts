/** The parts of the help that are made from tables, so that they stay up to date. */
import { inGroups } from '../../flags/groups.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { FLAGS, usageOf, type FlagShape } from '../../flags/table.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../begin/run-line.ts';
import { PROMPT_FLAGS } from '../begin/prompt-source.ts';
import { READY_FLAGS } from '../begin/ready-line.ts';
import { START_FLAGS } from '../begin/start-line.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { fit, hanging, WIDTH } from './terminal.ts';

/** With less room beside the flags, their descriptions go below them. */
const NARROWEST = 30;
const BELOW = 6;

type Shown = Pick<FlagShape, 'flag' | 'value' | 'help'>;

export const EXIT_CODE_HELP = `Exit codes:
${EXIT_CODES.map(({ code, meaning }) => hanging(`  ${code}  `, meaning, WIDTH)).join('\n')}`;

/** What most people need. `--help all` shows the rest. */
const DAILY_FLAGS = `--check --features --protect --approve --max-iterations --timeout --max-cost
  --model --allowed-tools --commit --worktree --notify --dry-run`.split(/\s+/);

const BEGINNINGS: Readonly<Record<string, readonly Shown[]>> = {
  start: [...START_FLAGS, ...loopFlags('24h', '--mode')],
  ready: [...READY_FLAGS, ...loopFlags('24h', '--nest')],
  run: [...PROMPT_FLAGS, LOOP_FLAG, ...loopFlags('1h', '--nest', '--mode'), ...PLAN_FLAGS, ...RUN_FLAGS],
};

/** The help has two sizes: what most people need, and with `--help all` everything. */
export type HelpSize = 'daily' | 'all';

export function helpSizeOf(words: readonly string[]): HelpSize {
  return words.includes('all') ? 'all' : 'daily';
}

/** The flags of a command that begins a loop. */
export function flagsHelp(command: string, size: HelpSize): string {
  const flags = BEGINNINGS[command] ?? [];
  const shown = size === 'all' ? flags : flags.filter(({ flag }) => DAILY_FLAGS.includes(flag));
  const rest = `\n\ndacapo ${command} --help all shows all ${flags.length} flags${command === 'ready' ? '' : ' and the exit codes'}.`;
  return flagHelp(shown) + (size === 'all' ? '' : rest);
}

/** The flags of a loop, without those that this command refuses. A session and a run have different time limits. */
function loopFlags(timeout: string, ...refused: readonly string[]): Shown[] {
  return FLAGS.filter(({ flag }) => !refused.includes(flag)).map(({ flag, value, help }) => ({
    flag,
    value,
    help: flag === '--timeout' ? `${help} (default ${timeout})` : help,
  }));
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
