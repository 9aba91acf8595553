/** The words behind `dacapo run`: a prompt or a loop, the flags of start, the flags of the plan, then `--` and the host's own. */
import { parseStartWords, type StartRequest } from '../../flags/arguments.ts';
import { splitFlagWord } from '../../flags/words.ts';
import type { Reading } from '../../flags/values.ts';
import { FLAGS } from '../../flags/table.ts';
import { oneLine } from '../../core/sanitize.ts';
import { nearest } from '../../flags/did-you-mean.ts';
import { PLAN_FLAGS, pickPlan, type PlanPicked } from '../../flags/plan-table.ts';
import type { Plan } from '../../core/plan.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { HeadlessHost } from '../../hosts/host.ts';

export interface RunLine {
  /** `run`: a new loop. `go-on`: one that is there; null: the only one that could be meant. */
  readonly what:
    | { readonly is: 'run'; readonly request: StartRequest; readonly plan: Plan }
    | { readonly is: 'go-on'; readonly loop: string | null };
  /** What is said of the plan here goes before what was said earlier. */
  readonly planned: (before: Plan) => Reading<PlanPicked>;
  readonly worktree: boolean;
  readonly as: 'view' | 'quiet' | 'json';
}

const LOOP = /^--loop(?:=(.*))?$/s;
const SWITCHES = ['--json', '--quiet', '--worktree'] as const;
type Switch = (typeof SWITCHES)[number];

/** Flags of the host that choose the session or the output: that is ours to do. */
const OURS = [
  '-p',
  '--print',
  '--output-format',
  '--input-format',
  '--verbose',
  '--session-id',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--fork-session',
  '--max-budget-usd',
];

export function readRunLine(
  words: readonly string[],
  defaults: Plan,
  host: Pick<HeadlessHost, 'permissionModes'>,
): Reading<RunLine> {
  const cut = words.indexOf('--');
  const ours = cut === -1 ? words : words.slice(0, cut);
  const extra = cut === -1 ? [] : words.slice(cut + 1);
  const taken = extra.find((word) => OURS.includes(word.replace(/=[^]*$/, '')));
  if (taken !== undefined)
    return refuse('host-flag', `${taken} can't be passed on: dacapo run sets it itself.`, 'Leave it out.');
  const switches = new Set(ours.filter(isSwitch));
  const rest = ours.filter((word) => !isSwitch(word));
  const planned = (before: Plan): Reading<PlanPicked> => {
    const picked = pickPlan(rest, extra.length === 0 ? before : { ...before, extra });
    return picked.ok
      ? { ok: true, value: { ...picked.value, given: picked.value.given || extra.length > 0 } }
      : picked;
  };
  const picked = planned(defaults);
  if (!picked.ok) return picked;
  const unknown = unknownMode(picked.value.plan, host);
  if (unknown !== null) return unknown;
  const line = {
    planned,
    worktree: switches.has('--worktree'),
    as: switches.has('--json') ? 'json' : switches.has('--quiet') ? 'quiet' : 'view',
  } as const;
  const loop = loopIn(picked.value.rest);
  if (!loop.ok) return loop;
  if (loop.value !== undefined)
    return { ok: true, value: { ...line, what: { is: 'go-on', loop: loop.value } } };
  const request = parseStartWords(picked.value.rest);
  if (!request.ok) return inARun(request, picked.value.rest);
  if (request.nest)
    return refuse(
      'nest-in-a-run',
      "--nest can't be given here: a run is in nobody's session.",
      'Leave it out; dacapo start --nest puts a task inside a loop.',
    );
  if (request.driver === 'hook' && picked.value.rest.some((word) => /^--mode(?:=|$)/.test(word)))
    return refuse(
      'mode-of-a-run',
      "dacapo run has a new agent for each iteration, so it can't do --mode hook.",
      'Leave --mode out; dacapo start goes on in one session.',
    );
  const { context } = picked.value.plan;
  if (context.is === 'new' && context.of === 'features' && request.features === null)
    return refuse(
      'features-of-none',
      `--fresh-every ${context.every}f counts features, and there is no list of them.`,
      `Give one with --features FILE, or count iterations: --fresh-every ${context.every}.`,
    );
  return { ok: true, value: { ...line, what: { is: 'run', request, plan: picked.value.plan } } };
}

/** The start command knows only its own flags, and speaks of itself. */
function inARun(refusal: Refusal, words: readonly string[]): Refusal {
  if (refusal.code === 'unknown-flag') return unknownFlag(words, refusal);
  if (refusal.code !== 'no-prompt') return refusal;
  return {
    ...refusal,
    next: 'Say what is to be done: dacapo run "PROMPT". dacapo run --help lists the flags.',
  };
}

/** Else it is the host that refuses it, when everything is made. What only a newer host knows still gets through. */
function unknownMode(
  { permissionMode: mode }: Plan,
  { permissionModes: known }: Pick<HeadlessHost, 'permissionModes'>,
): Refusal | null {
  if (mode === null || known.length === 0 || known.includes(mode)) return null;
  const near = nearest(mode, known);
  const typed = JSON.stringify(oneLine(mode, 60));
  return refuse(
    'permission-mode',
    `--permission-mode is ${known.slice(0, -1).join(', ')} or ${known.at(-1)}, not ${typed}${near === null ? '' : `; the nearest one is ${near}`}.`,
    'Leave it out for what is safe unattended. One that only a newer host knows goes behind --: -- --permission-mode MODE.',
  );
}

function unknownFlag(words: readonly string[], refusal: Refusal): Refusal {
  const known = [...FLAGS, ...PLAN_FLAGS].map(({ flag }): string => flag).concat(SWITCHES, '--loop');
  const typed = words
    .map((word) => splitFlagWord(word)?.name)
    .find((name) => name !== undefined && !known.includes(name));
  if (typed === undefined) return refusal;
  const near = nearest(typed, known);
  return {
    ...refusal,
    message: `${oneLine(typed, 60)} is not a flag of this command${near === null ? '' : `; the nearest one is ${near}`}.`,
    next: 'Flags of claude go behind --; words of the prompt go in quotes; dacapo run --help lists our flags.',
  };
}

/** Undefined: a prompt is given. A loop that is there has its definition already. */
function loopIn(words: readonly string[]): Reading<string | null | undefined> {
  if (words.length === 0) return { ok: true, value: null };
  const at = words.findIndex((word) => LOOP.test(word));
  if (at === -1) return { ok: true, value: undefined };
  const behind = LOOP.exec(words[at] ?? '')?.[1];
  const id = behind ?? words[at + 1];
  const beyond = words.toSpliced(at, behind === undefined ? 2 : 1);
  if (id === undefined || id === '')
    return refuse('missing-value', '--loop has no value.', 'Write --loop ID; dacapo list shows the ids.');
  if (beyond.length > 0)
    return refuse(
      'loop-defined',
      `${JSON.stringify(beyond[0])} can't be given with --loop: that loop has its prompt, gates and limits already.`,
      'With --loop only the flags of the passes can be given; dacapo run --help lists them.',
    );
  return { ok: true, value: id };
}

function isSwitch(word: string): word is Switch {
  return SWITCHES.some((one) => one === word);
}
