/** The flags of `dacapo run` about its passes. They may be mixed with those of the start command. */
import { flagsOf, type Flag } from './table.ts';
import { mapReading, readCount, readDuration, readName, type Reading } from './values.ts';
import { DEFAULT_PLAN, type Plan } from '../core/record/plan.ts';
import { refuse } from '../core/refusal.ts';

const NO_PAUSE = /^0+(?:ms|s|m|h)?$/;
const EVERY = /^(?<count>\d+)(?<features>f)?$/;

const { one, many, alone } = flagsOf<Plan>();

export const PLAN_FLAGS: readonly Flag<Plan>[] = [
  alone(
    '--fresh',
    () => ({ context: DEFAULT_PLAN.context }),
    'a new session for each iteration (the default)',
  ),
  one(
    '--fresh-every N|Nf',
    'context',
    readEvery,
    'a new session after N iterations, or after N features that came to pass',
  ),
  alone(
    '--continue',
    // `--compact-every` may come before it.
    ({ context }) => ({ context: context.is === 'same' ? context : { is: 'same', compactEvery: null } }),
    'one session for all iterations',
  ),
  one(
    '--compact-every N',
    'context',
    (text) => mapReading(readCount(text), (compactEvery) => ({ is: 'same', compactEvery })),
    'one session, whose context is made smaller after every N iterations',
  ),
  one('--pause DURATION', 'pauseMs', readPause, 'between two iterations (default 1s; 0 for none)'),
  one(
    '--iteration-timeout DURATION',
    'passMs',
    readDuration,
    'end an iteration after this long (default 1h)',
  ),
  one(
    '--silence-timeout DURATION',
    'silenceMs',
    readDuration,
    'end an iteration in which nothing was heard for this long (default 20m)',
  ),
  one('--max-calls-per-hour N', 'callsPerHour', readCount, 'begin at most N iterations in an hour'),
  one('--model MODEL', 'model', readName, 'for iterations whose feature names none'),
  one('--fallback-model MODEL', 'fallbackModel', readName, 'when the other one is overloaded'),
  one(
    '--permission-mode MODE',
    'permissionMode',
    readName,
    'what the agent may do without being asked; passed on to the host (default: edits, unless your settings name one)',
  ),
  many(
    '--allowed-tools TOOLS',
    'tools',
    readTools,
    'tools that need no permission, separated by commas; passed on to the host',
  ),
  alone('--commit', () => ({ commit: 'own' }), 'one commit for each iteration, of what it changed'),
  alone('--commit-all', () => ({ commit: 'all' }), 'the same, with what was not committed before'),
  one('--branch NAME', 'branch', readName, 'work on this branch (created if needed)'),
  alone('--no-notes', () => ({ notes: false }), 'offer the agents no file for their notes to each other'),
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
  return { ok: true, value: tools.map((tool) => tool.trim()).filter(Boolean) };
}
