/** A loop in the status bar of a host. */
import { hasEnded, needsPerson, workedMs, type Loop, type Status } from '#law/loop.ts';
import { sayUsd } from '#law/words/figures.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { iterationShown } from './person/status.ts';
import { gateStatuses, type GateStatus } from './gate-status.ts';

const MAX_GATES_SHOWN = 3;
const MAX_LABEL_CHARS = 24;
const MINUTE_MS = 60_000;

/** Such as `3/50 · npm test ✗ · 12 min · $0.42`. `sessionUsd`: for a loop whose cost is not counted. */
export function statusLine(loop: Loop, now: string, sessionUsd: number | null): string | null {
  // An error that no retry can fix: the host shows nothing of ours until the person types something.
  if (hasEnded(loop)) return needsPerson(loop) ? 'loop ended, needs you: dacapo explain' : null;
  const most = loop.frame.iterations;
  const iteration = `${iterationShown(loop)}${most === null ? '' : `/${most}`}`;
  const { status } = loop;
  // The bar may be drawn before the hook has heard of the prompt that a start gives.
  const isAtWork = status.is === 'running' || (status.is === 'pending' && loop.stops === 0);
  const costUsd = loop.spent.costUsd > 0 ? loop.spent.costUsd : (sessionUsd ?? 0);
  return [
    isAtWork ? iteration : `${sayStateShort(status)} ${iteration}`,
    ...sayGateMarks(gateStatuses(loop)),
    sayMinutes(workedMs(loop, now)),
    ...(costUsd > 0 ? [sayUsd(costUsd)] : []),
  ].join(' · ');
}

function sayStateShort(status: Status): string {
  if (status.is === 'pending') return 'continues with your next prompt:';
  return status.is === 'waiting' && status.for === 'approval' ? 'waiting for you' : status.is;
}

function sayGateMarks(gates: readonly GateStatus[]): string[] {
  const words = gates.slice(0, MAX_GATES_SHOWN).map((gate) => `${sayGateLabel(gate)} ${sayHolds(gate)}`);
  const more = gates.length - words.length;
  return more > 0 ? [...words, `+${more}`] : words;
}

function sayGateLabel({ gate, wanted, name }: GateStatus): string {
  return gate === 'check' ? oneLine(name ?? wanted, MAX_LABEL_CHARS) : gate;
}

function sayHolds({ holds }: GateStatus): string {
  if (holds === null) return '…';
  return holds ? '✓' : '✗';
}

function sayMinutes(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
