/** A loop in one short line, for the status bar of a host: `3/50 · npm test ✗ · 12 min · $0.42`. */
import { oneLine } from '../core/words/sanitize.ts';
import { hasEnded, topFrame, workedMs, type Loop } from '../core/loop.ts';
import { report, iterationShown, type GateReport } from './report.ts';
import { sayUsd } from './usage.ts';

const GATES_SHOWN = 3;
const LABEL = 24;
const MINUTE_MS = 60_000;

/** `sessionUsd`: what the host says that the session has cost, for a loop whose money nobody counts. Null: nothing to show. */
export function statusLine(loop: Loop, now: string, sessionUsd: number | null): string | null {
  if (hasEnded(loop)) return null;
  const most = topFrame(loop).iterations;
  const iteration = `${iterationShown(loop)}${most === null ? '' : `/${most}`}`;
  const { is } = loop.status;
  const costUsd = loop.spent.costUsd > 0 ? loop.spent.costUsd : (sessionUsd ?? 0);
  return [
    is === 'running' ? iteration : `${is} ${iteration}`,
    ...gateWords(report(loop, now).gates),
    sayMinutes(workedMs(loop, now)),
    ...(costUsd > 0 ? [sayUsd(costUsd)] : []),
  ].join(' · ');
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
