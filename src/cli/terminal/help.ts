/** The parts of the help that are made from tables, so that they stay up to date. */
import { inGroups } from '../../flags/groups.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { FLAGS, usageOf, type FlagShape } from '../../flags/table.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../begin/run-line.ts';
import { PROMPT_FLAGS } from '../begin/prompt-source.ts';
import { READY_FLAGS } from '../begin/ready-line.ts';
import { START_FLAGS } from '../begin/start-line.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { fit, hanging } from './fit.ts';
import { WIDTH } from './terminal.ts';

/** With less room beside the flags, their descriptions go below them. */
const NARROWEST = 30;
const BELOW = 6;

type Shown = Pick<FlagShape, 'flag' | 'value' | 'help'>;

export const EXIT_CODE_HELP = `Exit codes:
${EXIT_CODES.map(({ code, meaning }) => hanging(`  ${code}  `, meaning, WIDTH)).join('\n')}`;

export const START_FLAG_HELP = flagHelp([...START_FLAGS, ...loopFlags('24h', '--mode')]);

export const READY_FLAG_HELP = flagHelp([...READY_FLAGS, ...loopFlags('24h', '--nest')]);

export const RUN_FLAG_HELP = flagHelp([
  ...PROMPT_FLAGS,
  LOOP_FLAG,
  ...loopFlags('1h', '--nest', '--mode'),
  ...PLAN_FLAGS,
  ...RUN_FLAGS,
]);

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
