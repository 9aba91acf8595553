/**
 * The flags that `dacapo run` has beside those of the start command: the plan of its passes, and what is run
 * where.
 */
import { flagsOf, type Flag } from './flag.ts';
import { mapReading, readCount, readDuration, readName, type Reading } from './values.ts';
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';
import { refuse } from '#base/refusal.ts';

const NO_PAUSE = /^0+(?:ms|s|m|h)?$/;
const EVERY = /^(?<count>\d+)(?<features>f)?$/;

const { one, many, alone } = flagsOf<Plan>();

export const PLAN_FLAGS: readonly Flag<Plan>[] = [
  alone('--fresh', () => ({ context: DEFAULT_PLAN.context })),
  one('--fresh-every N|Nf', 'context', readEvery),
  alone(
    '--continue', // `--compact-every` may come before it.
    ({ context }) => ({ context: context.is === 'same' ? context : { is: 'same', compactEvery: null } }),
  ),
  one('--compact-every N', 'context', (text) =>
    mapReading(readCount(text), (compactEvery) => ({ is: 'same', compactEvery })),
  ),
  one('--pause DURATION', 'pauseMs', readPause),
  one('--iteration-timeout DURATION', 'passMs', readDuration),
  one('--silence-timeout DURATION', 'silenceMs', readDuration),
  one('--max-calls-per-hour N', 'callsPerHour', readCount),
  one('--model MODEL', 'model', readName),
  one('--fallback-model MODEL', 'fallbackModel', readName),
  one('--permission-mode MODE', 'permissionMode', readName),
  many('--allowed-tools TOOLS', 'tools', readTools),
  alone('--commit', () => ({ commit: 'own' })),
  alone('--commit-all', () => ({ commit: 'all' })),
  one('--branch NAME', 'branch', readName),
  alone('--no-notes', () => ({ notes: false })),
];

export interface RunOptions {
  readonly loop: string | null;
  readonly worktree: boolean;
  readonly worktreeSetup: string | null;
  /** How many items of a list get a loop at the same time. Null: one loop works through the list. */
  readonly loops: number | null;
  /** Who carries on when the host is at its usage limit; null: as before. */
  readonly fallbackHosts: readonly string[] | null;
  readonly quiet: boolean;
}

const WRITE_LOOP = 'Write --loop ID; dacapo list shows the ids.';
const run = flagsOf<RunOptions>();

export const RUN_FLAGS: readonly Flag<RunOptions>[] = [
  { ...run.one('--loop ID', 'loop', readLoop), ifMissing: WRITE_LOOP },
  run.alone('--worktree', () => ({ worktree: true })),
  run.one('--worktree-setup CMD', 'worktreeSetup', readSetup),
  run.one('--loops N', 'loops', readCount),
  run.one('--fallback-host HOST[,HOST]', 'fallbackHosts', readHosts),
  run.alone('--quiet', () => ({ quiet: true })),
];

function readEvery(text: string): Reading<Plan['context']> {
  const { count, features } = EVERY.exec(text)?.groups ?? {};
  const every = Number(count);
  if (count !== undefined && every > 0)
    return {
      ok: true,
      value: { is: 'new', every, of: features === undefined ? 'iterations' : 'features' },
    };
  return refuse(
    'bad-number',
    `takes a number such as 3, or 2f for features, not ${JSON.stringify(text)}.`,
    'Leave it out for a new session each time.',
  );
}

/** Unlike other durations, a pause may be zero. */
function readPause(text: string): Reading<number> {
  if (NO_PAUSE.test(text)) return { ok: true, value: 0 };
  const read = readDuration(text);
  return read.ok
    ? read
    : { ...read, message: `takes 0 or a duration of up to a year, not ${JSON.stringify(text)}.` };
}

/** Split at commas, but not at those of a rule, such as shell(git log a,b). */
function readTools(texts: readonly string[]): Reading<Plan['tools']> {
  const tools = texts.join(',').split(/,(?![^(]*\))/);
  const named = tools.map((tool) => tool.trim()).filter(Boolean);
  if (named.length > 0) return { ok: true, value: named };
  return refuse('bad-tools', 'names no tool.', 'Name them: --allowed-tools Bash,Edit. Or leave it out.');
}

/** Which hosts there are is known where the line is read. */
function readHosts(text: string): Reading<string[]> {
  return { ok: true, value: text.split(',').map((name) => name.trim()) };
}

function readSetup(text: string): Reading<string> {
  const next = 'Give the command that prepares the work tree: --worktree-setup "npm ci".';
  const command = text.trim();
  return command === '' ? refuse('bad-setup', 'is empty.', next) : { ok: true, value: command };
}

function readLoop(text: string): Reading<string> {
  return text === '' ? refuse('missing-value', 'has no value.', WRITE_LOOP) : { ok: true, value: text };
}
