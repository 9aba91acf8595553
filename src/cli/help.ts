/** Parts of the help that are made from tables, so that they can't go out of date. */
import { FLAGS, usageOf } from '../core/flags.ts';
import { EXIT_CODES } from './exit-codes.ts';

export const EXAMPLES = `Examples:
  dacapo start "Fix the failing tests" --check "npm test" --max-iterations 20
  dacapo start "Port the parser to Rust" --completion-promise "ALL PORTED" -- --model opus
  dacapo status               how it stands
  dacapo logs -f              watch it
  dacapo explain              why it went on
  dacapo cancel               end it, from any terminal`;

export const EXIT_CODE_HELP = `Exit codes:
${EXIT_CODES.map(({ code, meaning }) => `  ${code}  ${meaning}`).join('\n')}`;

const left = FLAGS.map(usageOf);
const column = Math.max(...left.map(({ length }) => length)) + 2;

export const FLAG_HELP = `Flags:
${FLAGS.map(({ help }, index) => `  ${(left[index] ?? '').padEnd(column)}${help}`).join('\n')}`;
