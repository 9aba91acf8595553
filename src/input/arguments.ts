/**
 * Parses the start command: what the person asks for, or why it is refused. The prompt is returned unchanged.
 */
import { cutFlags } from './raw-text.ts';
import { parseWords, readFlags, type FlagLine, type FlagValues } from './words.ts';
import { flagsIn, type FlagFields } from './flag.ts';
import { LOOP_FLAGS } from './loop-flags.ts';
import { refuse, type Granted } from '#base/refusal.ts';
import { completed, contradiction, DEFAULTS, type CompleteOptions, type StartOptions } from './options.ts';

export interface StartRequest extends CompleteOptions {
  readonly prompt: string;
}

/** Short: the host shows the person the whole answer, and all flags together fill its screen. */
const HOW = [
  'Say what to do, and how to prove it, for example:',
  '  Make the tests pass --check "npm test" --max-iterations 20',
  'Most used: --completion-promise TEXT, --features FILE, --protect GLOB, --max-cost USD, --approve RULE.',
  'dacapo start --help explains the flags.',
].join('\n');

/** For the raw text after a slash command. */
export function parseStart(raw: string): Granted<StartRequest> {
  if (/^\s*(?:--help|-h)\s*$/.test(raw)) return refuse('help', 'This command starts a loop.', HOW);
  const cut = cutFlags(raw, LOOP_FLAGS);
  if (!cut.ok) return cut;
  const line = parseWords(LOOP_FLAGS, cut.value.flags);
  return line.ok ? startRequest(line.value, cut.value.prompt) : line;
}

/** For a line that may hold flags of other tables too. */
export function startRequest(
  { words, given }: FlagLine,
  prompt: string = words.join(' ').trim(),
  driver: StartOptions['driver'] = DEFAULTS.driver,
): Granted<StartRequest> {
  const read = readFlags(LOOP_FLAGS, given);
  if (!read.ok) return read;
  const options = withDefaults({ driver, ...read.value });
  const wrong = contradiction(options, given);
  if (wrong !== null) return wrong;
  if (prompt.trim() === '') return refuse('no-prompt', 'There is no prompt.', HOW);
  return { ok: true, prompt, ...completed(options) };
}

type LoopFlagFields = FlagFields<typeof LOOP_FLAGS>;

/** The compiler names each flag that has no default here: it would be read, and then nobody would use it. */
export function withDefaults(
  given: Partial<StartOptions> & FieldsWithoutDefault<LoopFlagFields>,
): StartOptions {
  return { ...DEFAULTS, ...given };
}

export type FieldsWithoutDefault<Fields> = { [K in Exclude<keyof Fields, keyof StartOptions>]?: never };

const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['--completion-promise', 'promise'],
  ['--check', 'checks'],
  ['--measure', 'measures'],
  ['--target', 'targets'],
]);

export function fieldOf(flag: string): string {
  return (
    OTHERWISE.get(flag) ?? flag.slice(2).replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase())
  );
}

/**
 * For an object whose fields are named as flags. A value is a text, a number, a flag without a value, or a
 * list of texts. Fields that are named as no flag are left out. `typed`: flags beside them, which override
 * them.
 */
export function readStartFields(
  prompt: string,
  fields: object,
  typed: FlagValues = new Map(),
): Granted<StartRequest> {
  const said = new Map<string, unknown>(Object.entries(fields));
  const given = new Map<string, readonly string[]>();
  for (const { flag } of flagsIn(LOOP_FLAGS)) {
    const value = said.get(fieldOf(flag));
    if (value === undefined || value === false) continue;
    const each: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (each.length > 0) given.set(flag, value === true ? [''] : each.map(String));
  }
  return startRequest({ words: [], given: new Map([...given, ...typed]) }, prompt.trim());
}
