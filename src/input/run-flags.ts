/**
 * The flags that `dacapo run` has beside those of a loop: the plan of its iterations, and what is run where.
 */
import { under } from './flag.ts';
import { mapReading, readCount, readDuration, readName, type Reading } from './values.ts';
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';
import { refuse } from '#base/refusal.ts';

const NO_PAUSE = /^0+(?:ms|s|m|h)?$/;
const EVERY = /^(?<count>\d+)(?<features>f)?$/;

const ONE_SESSION: Plan['context'] = { is: 'same', compactEvery: null };

export const PLAN_FLAGS = {
  ...under('Limits:', {
    '--iteration-timeout DURATION': {
      field: 'passMs',
      read: readDuration,
      help: 'end an iteration after this long (default 1h)',
    },
    '--silence-timeout DURATION': {
      field: 'silenceMs',
      read: readDuration,
      help: 'end an iteration in which the agent was silent for this long (default 20m)',
    },
    '--max-calls-per-hour N': {
      field: 'callsPerHour',
      read: readCount,
      help: 'begin at most N iterations per hour',
    },
    '--reserve PERCENT': {
      read: readReserve,
      help: "leave this much of your subscription's five-hour and weekly windows unused, such as 20%",
    },
  }),
  ...under('Sessions:', {
    '--fresh': {
      field: 'context',
      means: DEFAULT_PLAN.context,
      help: 'a new session for each iteration (the default)',
    },
    '--fresh-every N|Nf': {
      field: 'context',
      read: readEvery,
      help: 'a new session after every N iterations, or with Nf after every N features that were completed',
    },
    '--continue': { field: 'context', means: ONE_SESSION, help: 'one session for all iterations' },
    '--compact-every N': {
      field: 'context',
      read: readCompacted,
      help: 'one session, whose context is compacted after every N iterations',
    },
    '--pause DURATION': {
      field: 'pauseMs',
      read: readPause,
      help: 'wait between two iterations (default 1s; 0 for none)',
    },
    '--no-notes': 'give the agents no file for notes to each other',
  }),
  ...under('The agent:', {
    '--model MODEL': { read: readName, help: 'the model, for iterations whose feature names none' },
    '--fallback-model MODEL': { read: readName, help: 'the model to use when the other one is overloaded' },
    '--permission-mode MODE': {
      read: readName,
      help: 'what the agent may do without asking (default: edit files, unless your settings say otherwise)',
    },
    '--allowed-tools TOOLS': {
      field: 'tools',
      repeatable: true,
      read: readTools,
      help: 'tools that the agent may use without being asked, separated by commas',
    },
  }),
  ...under('Git:', {
    '--commit': { means: 'own', help: 'commit what each iteration changed' },
    '--commit-all': {
      field: 'commit',
      means: 'all',
      help: 'the same, including changes that were uncommitted at the start',
    },
    '--branch NAME': { read: readName, help: 'work on this branch (created if needed)' },
  }),
} as const;

const WRITE_LOOP = 'Write --loop ID; dacapo list shows the ids.';

export const LOOPS_FLAG = under('Lists and nesting:', {
  '--loops N': {
    read: readCount,
    help: 'one loop, branch and work tree per item, N at a time; what is done is merged and checked again',
  },
});

export const RUN_FLAGS = {
  ...under('The task:', {
    '--loop ID': {
      read: readLoop,
      ifMissing: WRITE_LOOP,
      help: 'continue this loop instead of starting a new one',
    },
  }),
  ...LOOPS_FLAG,
  ...under('The agent:', {
    '--fallback-host HOST[,HOST]': {
      field: 'fallbackHosts',
      read: readHosts,
      help: 'hosts that take over, in this order, when the host has reached its usage limit',
    },
  }),
  ...under('Git:', {
    '--worktree': 'work in a separate git work tree; yours stays as it is',
    '--worktree-setup CMD': {
      read: readSetup,
      help: 'prepare that work tree with this command before the first iteration, such as "npm ci"',
    },
  }),
  ...under('What is shown:', {
    '--quiet': 'print only iterations, warnings, faults, long waits and the ending',
  }),
} as const;

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

function readCompacted(text: string): Reading<Plan['context']> {
  return mapReading(readCount(text), (compactEvery) => ({ is: 'same', compactEvery }));
}

/** Unlike other durations, a pause may be zero. */
function readPause(text: string): Reading<number> {
  if (NO_PAUSE.test(text)) return { ok: true, value: 0 };
  const read = readDuration(text);
  return read.ok
    ? read
    : { ...read, message: `takes 0 or a duration of up to a year, not ${JSON.stringify(text)}.` };
}

/** All of a window can't be reserved: no pass could begin. */
function readReserve(text: string): Reading<number> {
  const percent = /^\d{1,2}%?$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (percent > 0) return { ok: true, value: percent };
  return refuse(
    'bad-number',
    `takes a percentage from 1% to 99%, not ${JSON.stringify(text)}.`,
    'Write it like 20%. Leave it out to reserve nothing.',
  );
}

/** Split at commas, but not at those of a rule, such as shell(git log a,b). */
function readTools(text: string): Reading<Plan['tools']> {
  const tools = text.split(/,(?![^(]*\))/);
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
