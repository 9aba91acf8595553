/**
 * What a stop waits for: a person (rules 9 to 11), a check (rule 12), background work (rule 13). Most stops
 * wait for none.
 */
import { isPlain, workedMs, type Loop } from '../loop.ts';
import type { BackgroundTask, Distress, Facts, Stop } from '../stop.ts';
import type { Missing, Verdict } from '../record/verdict.ts';

/** The longest wait for background agents. A stuck agent must not hold a loop all night. */
const AGENTS_HOLD_MS = 10 * 60_000;
/** Shorter, because a background shell is more often a server than a build. */
const SHELLS_HOLD_MS = 60_000;
/**
 * The longest delay that an agent can give a wake-up for its own work. A later one is a reminder for a
 * person.
 */
const LONGEST_WAKE_MS = 60 * 60_000;
/** The host may be late with a wake-up. */
const LATE_MS = 2 * 60_000;

/**
 * Reports of background agents reach the agent only after an allowed stop. The host then wakes the session.
 * Null: there is nothing to wait for, or we have waited long enough.
 */
export function holdFor(loop: Loop, stop: Stop, now: string): Verdict | null {
  const soon = stop.background.filter((task) => !isFarOff(task, now));
  const agents = soon.filter((task) => task.kind === 'agent');
  const shells = newShells(loop, stop.attended, soon);
  if (agents.length === 0 && shells.length === 0) return null;
  if (loop.session.hold !== null && Date.parse(now) >= Date.parse(loop.session.hold.until)) return null;
  const most = Math.max(agents.length > 0 ? AGENTS_HOLD_MS : SHELLS_HOLD_MS, ...agents.map(wakesIn(now)));
  return { is: 'allow', why: 'background', shells, until: loop.session.hold?.until ?? later(now, most) };
}

function isFarOff({ due }: BackgroundTask, now: string): boolean {
  return due !== undefined && Date.parse(due) - Date.parse(now) > LONGEST_WAKE_MS;
}

function wakesIn(now: string): (task: BackgroundTask) => number {
  return ({ due }) => (due === undefined ? 0 : Date.parse(due) - Date.parse(now) + LATE_MS);
}

function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/**
 * A shell may be a server that never ends. So each shell holds a loop only once, and never in a session that
 * no person can wake.
 */
function newShells(loop: Loop, attended: boolean, tasks: readonly BackgroundTask[]): string[] {
  if (!attended) return [];
  const shells = tasks.filter((task) => task.kind === 'shell').map((task) => task.id);
  return shells.every((id) => loop.session.shellsHeld.includes(id)) ? [] : shells;
}

/** Rule 9: the loop waits for a person. */
const WAIT = { is: 'allow', why: 'approval', shells: [], until: null } as const;

export function waitForAnswer(): Verdict {
  return WAIT;
}

/** The gates hold. `but`: why that is not enough. */
export function waitToConfirm(but = 'The gates hold'): Verdict {
  return { ...WAIT, asks: { kind: 'completion', text: `${but}: is the task done?` } };
}

/** An answer completes the whole loop, so for a frame or an item in one the loop stops. */
export function inDoubt(loop: Loop, doubt: string): Verdict {
  return isPlain(loop)
    ? waitToConfirm(doubt)
    : { is: 'escalate', why: { is: 'unreadable', why: doubt }, missing: [] };
}

/**
 * Rule 11. Distress together with the promise is a contradiction: the agent has to resolve it, not the
 * person. A question, or a task that no gate can show, does not end the loop: it waits for the answer.
 */
export function inDistress({ is, words }: Distress, missing: readonly Missing[]): Verdict | null {
  if (is === 'iterations' || is === 'items') return { is: 'exhaust', limit: is, missing };
  if (is === 'question') return { ...WAIT, asks: { kind: 'question', text: words } };
  const why = words === '' ? '' : `: ${words}`;
  if (is === 'tests_changed') return askAboutTests(why, missing);
  if (is !== 'unverifiable')
    return { is: 'escalate', why: { is: is === 'escalate' ? 'asked' : is, words }, missing };
  const text =
    `The agent says that the gates can't show whether the task is done${why}. Do you accept ` + 'it as done?';
  return { ...WAIT, asks: { kind: 'acceptance', text } };
}

/** Null: more is missing than the tests of the start, and the agent goes on with that. */
function askAboutTests(why: string, missing: readonly Missing[]): Verdict | null {
  const [first, ...more] = missing;
  if (first?.gate !== 'ground' || more.length > 0) return null;
  const text =
    `The agent says that the task asks for other tests${why}. The checks pass with the tests of now, ` +
    'and not with those of the start. Do you accept it as done?';
  return { ...WAIT, asks: { kind: 'acceptance', text } };
}

/** The first wait after a check that says "not yet". Each further one is twice as long. */
const RECHECK_MS = 60_000;
const LONGEST_RECHECK_MS = 5 * 60_000;

/** Rule 12. Null: no check says "not yet", or something else is missing that the agent can work on. */
export function holdForChecks({
  loop,
  proofs: { checks, gateResults },
  standing: { holds, missing },
  now,
}: Facts & { readonly loop: Loop; readonly now: string }): Verdict | null {
  const early = checks.filter(({ outcome }) => outcome.is === 'not-yet');
  const isLate = gateResults.some(({ gate, waits }) => gate === 'ground' && waits === true);
  const isAwaited = (one: Missing) =>
    one.gate === 'check'
      ? early.some(({ command }) => command === one.command)
      : one.gate === 'ground' && isLate;
  if (holds || missing.length === 0 || !missing.every(isAwaited)) return null;
  const { checking, timeMs } = loop.limits;
  const looks = loop.session.awaits?.looks ?? 0;
  const first = checking.recheckMs ?? RECHECK_MS;
  const wait = Math.min(first * 2 ** Math.min(looks, 20), Math.max(first, LONGEST_RECHECK_MS));
  // The last look is when the time is up.
  const left = timeMs === null ? wait : timeMs - workedMs(loop, now);
  return { is: 'allow', why: 'not-yet', shells: [], until: later(now, Math.min(wait, left)) };
}
