/** Parts of the help that are made from tables, so that they can't go out of date. */
import { FLAGS } from '../../flags/table.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { wrap } from '../../screen/width.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { RUN_FLAGS } from '../begin/run-line.ts';
import { WIDTH } from './terminal.ts';

/** In columns: below this a line that the terminal breaks is easier to read. */
const NARROWEST = 20;

export const EXAMPLES = `Examples:
  dacapo start "Fix the failing tests" --check "npm test" --max-iterations 20
  dacapo run "Fix the failing tests" --check "npm test" --allowed-tools "Bash(npm test)" --max-cost 5
  dacapo start "Port the parser to Rust" --completion-promise "ALL PORTED" -- --model opus
  dacapo status               how it stands
  dacapo logs -f              watch it
  dacapo explain              why it went on
  dacapo cancel               end it, from any terminal`;

export const EXIT_CODE_HELP = `Exit codes:
${EXIT_CODES.map(({ code, meaning }) => `  ${code}  ${meaning}`).join('\n')}`;

export const FLAG_HELP = flagHelp('Flags:', FLAGS);

/** Of the same flags, those that mean something in a run. */
export const RUN_FLAG_HELP = flagHelp(
  'Flags:',
  FLAGS.filter(({ flag }) => flag !== '--nest' && flag !== '--mode').map(({ flag, value, help }) =>
    flag === '--timeout' ? { flag, value, help: `${help} (default 1h)` } : { flag, value, help },
  ),
);

/** `dacapo run` alone. */
export const PLAN_HELP = flagHelp('How the passes are made:', [...PLAN_FLAGS, ...RUN_FLAGS]);

/** What is told of a flag keeps its column, as long as one is left for it. */
function hanging(text: string, column: number): string[] {
  const room = WIDTH - column - 1;
  return room < NARROWEST || room === Number.POSITIVE_INFINITY ? [text] : wrap(text, room);
}

function flagHelp(
  heading: string,
  flags: readonly { readonly flag: string; readonly value: string | null; readonly help: string }[],
): string {
  const left = flags.map(({ flag, value }) => (value === null ? flag : `${flag} ${value}`));
  const column = Math.max(...left.map(({ length }) => length)) + 2;
  const lines = flags.flatMap(({ help }, index) =>
    hanging(help, column + 2).map(
      (line, n) => `  ${(n === 0 ? (left[index] ?? '') : '').padEnd(column)}${line}`,
    ),
  );
  return [heading, ...lines].join('\n');
}
