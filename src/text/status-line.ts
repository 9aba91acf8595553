/** A loop in one short line, for the status bar of a host: `3/50 · npm test ✗ · 12 min · $0.42`. */
import { oneLine } from '../core/words/sanitize.ts';
import { hasEnded, needsPerson, topFrame, workedMs, type Loop, type Status } from '../core/loop.ts';
import { report, iterationShown, type GateReport } from './report.ts';
import { sayUsd } from '../core/words/figures.ts';

const GATES_SHOWN = 3;
const LABEL = 24;
const MINUTE_MS = 60_000;

/**
 * `sessionUsd`: the host's figure for the cost of the session, for a loop whose cost is not counted. Null: nothing to
 * show.
 */
export function statusLine(loop: Loop, now: string, sessionUsd: number | null): string | null {
  // An error that no retry can fix: the host shows nothing of ours until the person types something.
  if (hasEnded(loop)) return needsPerson(loop) ? 'loop ended, needs you: dacapo explain' : null;
  const most = topFrame(loop).iterations;
  const iteration = `${iterationShown(loop)}${most === null ? '' : `/${most}`}`;
  const { status } = loop;
  const costUsd = loop.spent.costUsd > 0 ? loop.spent.costUsd : (sessionUsd ?? 0);
  return [
    status.is === 'running' ? iteration : `${sayState(status)} ${iteration}`,
    ...gateWords(report(loop, now).gates),
    sayMinutes(workedMs(loop, now)),
    ...(costUsd > 0 ? [sayUsd(costUsd)] : []),
  ].join(' · ');
}

/** The one state in which nothing moves until the person acts says so. */
function sayState(status: Status): string {
  return status.is === 'waiting' && status.for === 'approval' ? 'waiting for you' : status.is;
}

function gateWords(gates: readonly GateReport[]): string[] {
  const words = gates.slice(0, GATES_SHOWN).map((gate) => `${labelOf(gate)} ${markOf(gate)}`);
  const more = gates.length - words.length;
  return more > 0 ? [...words, `+${more}`] : words;
}

function labelOf({ gate, wanted, name }: GateReport): string {
  return gate === 'check' ? oneLine(name ?? wanted, LABEL) : gate;
}

function markOf({ holds }: GateReport): string {
  if (holds === null) return '…';
  return holds ? '✓' : '✗';
}

function sayMinutes(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
