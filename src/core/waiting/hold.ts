/** What a stop waits for: background work (rule 13), or a person. Most stops wait for neither. */
import type { Loop } from '../loop.ts';
import type { BackgroundTask, Stop } from '../stop.ts';
import type { Verdict } from '../record/verdict.ts';

/** The longest wait for background agents. A stuck agent must not hold a loop all night. */
const AGENTS_HOLD_MS = 10 * 60_000;
/** Shorter, because a background shell is more often a server than a build. */
const SHELLS_HOLD_MS = 60_000;
/** The longest delay that an agent can give a wake-up for its own work. A later one is a reminder for a person. */
const LONGEST_WAKE_MS = 60 * 60_000;
/** The host may be late with a wake-up. */
const LATE_MS = 2 * 60_000;

/**
 * Reports of background agents reach the agent only after an allowed stop. The host then wakes the session. Null: there is
 * nothing to wait for, or we have waited long enough.
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
 * A shell may be a server that never ends. So each shell holds a loop only once, and never in a session that no person
 * can wake.
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

export function waitToAnswer(question: string): Verdict {
  return { ...WAIT, asks: { kind: 'question', text: question } };
}

/** The gates hold. `but`: why that is not enough. */
export function waitToConfirm(but = 'The gates hold'): Verdict {
  return { ...WAIT, asks: { kind: 'completion', text: `${but}: is the task done?` } };
}
