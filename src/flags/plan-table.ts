/** The flags of `dacapo run` that say how the passes are made. They may stand anywhere among those of the start command. */
import { readCount, readDuration, readName, type Reading } from './values.ts';
import { canBeValue, splitFlagWord } from './words.ts';
import { DEFAULT_PLAN, type Plan } from '../core/plan.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

export interface PlanFlag {
  readonly flag: `--${string}`;
  /** Null: it stands alone. */
  readonly value: string | null;
  readonly help: string;
  /** Given several times, it means all of them. */
  readonly isList?: true;
  readonly read: (value: string, plan: Plan) => Reading<Plan>;
}

const NO_PAUSE = /^0+(?:ms|s|m|h)?$/;
const EVERY = /^(?<count>\d+)(?<features>f)?$/;

export const PLAN_FLAGS: readonly PlanFlag[] = [
  alone('--fresh', 'a new session for each iteration (the default)', (plan) => ({
    ...plan,
    context: DEFAULT_PLAN.context,
  })),
  {
    flag: '--fresh-every',
    value: 'N|Nf',
    help: 'a new session after N iterations, or after N features that came to pass',
    read: readEvery,
  },
  alone('--continue', 'one session for all iterations', (plan) => ({
    ...plan,
    // `--compact-every` may stand before it.
    context: plan.context.is === 'same' ? plan.context : { is: 'same', compactEvery: null },
  })),
  {
    flag: '--compact-every',
    value: 'N',
    help: 'one session, whose context is made smaller after every N iterations',
    read: (text, plan) =>
      setting(readCount(text), (compactEvery) => ({ ...plan, context: { is: 'same', compactEvery } })),
  },
  {
    flag: '--pause',
    value: 'DURATION',
    help: 'between two iterations (default 1s; 0 for none)',
    read: (text, plan) =>
      NO_PAUSE.test(text)
        ? { ok: true, value: { ...plan, pauseMs: 0 } }
        : setting(orNone(readDuration(text), text), (pauseMs) => ({ ...plan, pauseMs })),
  },
  {
    flag: '--iteration-timeout',
    value: 'DURATION',
    help: 'end an iteration after this long (default 1h)',
    read: (text, plan) => setting(readDuration(text), (passMs) => ({ ...plan, passMs })),
  },
  {
    flag: '--silence-timeout',
    value: 'DURATION',
    help: 'end an iteration in which nothing was heard for this long (default 20m)',
    read: (text, plan) => setting(readDuration(text), (silenceMs) => ({ ...plan, silenceMs })),
  },
  {
    flag: '--max-calls-per-hour',
    value: 'N',
    help: 'begin at most N iterations in an hour',
    read: (text, plan) => setting(readCount(text), (callsPerHour) => ({ ...plan, callsPerHour })),
  },
  {
    flag: '--model',
    value: 'MODEL',
    help: 'for iterations whose feature names none',
    read: (text, plan) => setting(readName(text), (model) => ({ ...plan, model })),
  },
  {
    flag: '--fallback-model',
    value: 'MODEL',
    help: 'when the other one is overloaded',
    read: (text, plan) => setting(readName(text), (fallbackModel) => ({ ...plan, fallbackModel })),
  },
  {
    flag: '--permission-mode',
    value: 'MODE',
    help: 'what the agent may do without being asked; passed on to the host',
    read: (text, plan) => setting(readName(text), (permissionMode) => ({ ...plan, permissionMode })),
  },
  {
    flag: '--allowed-tools',
    value: 'TOOLS',
    isList: true,
    help: 'tools that need no permission, separated by commas; passed on to the host',
    read: (text, plan) => ({ ok: true, value: { ...plan, tools: split(text) } }),
  },
  alone('--commit', 'one commit for each iteration, of what it changed', (plan) => ({
    ...plan,
    commit: 'own',
  })),
  alone('--commit-all', 'the same, with what was not committed before', (plan) => ({
    ...plan,
    commit: 'all',
  })),
  {
    flag: '--branch',
    value: 'NAME',
    help: 'work on this branch, made where there is none',
    read: (text, plan) => setting(readName(text), (branch) => ({ ...plan, branch })),
  },
  alone('--no-notes', 'offer the agents no file for their notes to each other', (plan) => ({
    ...plan,
    notes: false,
  })),
];

export interface PlanPicked {
  readonly plan: Plan;
  /** Whether any of it was said. */
  readonly given: boolean;
  readonly rest: readonly string[];
}

/** Takes the flags of the plan out of words that a shell has split; the rest is the start command's. */
export function pickPlan(words: readonly string[], from: Plan): Reading<PlanPicked> {
  const rest: string[] = [];
  const joined = new Map<string, string>();
  let plan = from;
  let given = false;
  for (let k = 0; k < words.length; k++) {
    const word = words[k] ?? '';
    const split = splitFlagWord(word);
    const flag = PLAN_FLAGS.find((one) => one.flag === split?.name);
    if (split === null || flag === undefined) {
      rest.push(word);
      continue;
    }
    const next = words[k + 1];
    const value =
      flag.value === null ? '' : (split.value ?? (next !== undefined && canBeValue(next) ? next : null));
    if (value === null)
      return refuse(
        'missing-value',
        `${flag.flag} has no value.`,
        `Write ${flag.flag} ${flag.value}, or leave it out.`,
      );
    if (flag.value === null && split.value !== undefined)
      return refuse('unwanted-value', `${flag.flag} takes no value.`, `Write ${flag.flag} alone.`);
    if (flag.value !== null && split.value === undefined) k++;
    const whole = flag.isList === true ? [joined.get(flag.flag), value].filter(Boolean).join(',') : value;
    joined.set(flag.flag, whole);
    const read = flag.read(whole, plan);
    if (!read.ok) return { ...read, message: `${flag.flag} ${read.message}` };
    plan = read.value;
    given = true;
  }
  return { ok: true, value: { plan, given, rest } };
}

function alone(flag: PlanFlag['flag'], help: string, into: (plan: Plan) => Plan): PlanFlag {
  return { flag, value: null, help, read: (_none, plan) => ({ ok: true, value: into(plan) }) };
}

function readEvery(text: string, plan: Plan): Reading<Plan> {
  const { count, features } = EVERY.exec(text)?.groups ?? {};
  const every = Number(count);
  if (count === undefined || every === 0)
    return refuse(
      'bad-number',
      `takes a number such as 3, or 2f for features, not ${JSON.stringify(text)}.`,
      'Leave it out for a new session each time.',
    );
  return {
    ok: true,
    value: { ...plan, context: { is: 'new', every, of: features === undefined ? 'iterations' : 'features' } },
  };
}

/** Here zero is a duration too. */
function orNone(read: Reading<number>, text: string): Reading<number> {
  return read.ok
    ? read
    : { ...read, message: `takes 0 or a duration of up to a year, not ${JSON.stringify(text)}.` };
}

/** At commas, but not at those of a rule, such as Bash(git log a,b). */
function split(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((tool) => tool.trim())
    .filter(Boolean);
}

function setting<T>(read: Reading<T> | Refusal, into: (value: T) => Plan): Reading<Plan> {
  return read.ok ? { ok: true, value: into(read.value) } : read;
}
