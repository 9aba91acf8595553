/** A loop for machines and tables: what `dacapo status --json` prints and the views carry. */
import {
  checksOf,
  featureFileOf,
  isLive,
  movedBaselineOf,
  promiseOf,
  topFrame,
  workedMs,
  type Loop,
  type StatusWord,
} from './loop.ts';
import { sayStatus } from './words-to-person.ts';

export interface Report {
  readonly id: string;
  readonly name: string | null;
  readonly status: StatusWord;
  readonly reason: string;
  /** The open pass; for an ended loop, the last one that ended. */
  readonly iteration: number;
  readonly max_iterations: number | null;
  readonly session_id: string | null;
  readonly gates: readonly GateReport[];
  readonly driver: string;
  readonly project: string;
  readonly worked_seconds: number;
  readonly started_at: string;
  readonly updated_at: string;
}

export interface GateReport {
  readonly gate: 'promise' | 'check' | 'features' | 'moved';
  readonly wanted: string;
  readonly holds: boolean | null;
}

/** Asked of a process that owns a loop. Where nobody can look, it is taken to live. */
export type IsAlive = (process: number, since: string) => boolean;

export function report(loop: Loop, now: string, isAlive?: IsAlive): Report {
  const shown = asShown(loop, isAlive);
  const frame = topFrame(shown);
  return {
    id: shown.id,
    name: shown.name,
    status: shown.status.is,
    reason: sayStatus(shown),
    iteration: iterationShown(shown),
    max_iterations: frame.iterations,
    session_id: shown.owner?.session ?? null,
    gates: gateReports(shown),
    driver: shown.driver,
    project: shown.project,
    worked_seconds: Math.round(workedMs(shown, now) / 1000),
    started_at: shown.startedAt,
    updated_at: shown.updatedAt,
  };
}

/**
 * No loop claims to run that does not: a continue that the host has probably overridden, an owner whose process is gone,
 * a session that has yet to take the loop up. The record stays as it is: the next event of the chain may tell otherwise.
 */
export function asShown(loop: Loop, isAlive: IsAlive = () => true): Loop {
  if (!isLive(loop)) return loop;
  if (loop.awaited) return { ...loop, status: { is: 'pending' }, clock: { ...loop.clock, since: null } };
  if (loop.status.is === 'running' && loop.unconfirmed?.capped) return interrupted(loop, 'capped');
  const process = loop.owner?.process ?? null;
  return process === null || isAlive(process, loop.boundAt) ? loop : interrupted(loop, 'gone');
}

function interrupted(loop: Loop, why: 'capped' | 'gone'): Loop {
  const clock = { workedMs: workedMs(loop, loop.updatedAt), since: null };
  return { ...loop, status: { is: 'interrupted', why, detail: '' }, clock };
}

export function iterationShown(loop: Loop): number {
  const { passes } = topFrame(loop);
  switch (loop.status.is) {
    case 'completed':
    case 'exhausted':
    case 'escalated':
      return passes;
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'interrupted':
    case 'stuck':
    case 'cancelled':
    case 'aborted':
      return passes + 1;
  }
}

function gateReports(loop: Loop): GateReport[] {
  const frame = topFrame(loop);
  const verdict = loop.last?.verdict;
  const missing = verdict !== undefined && 'missing' in verdict ? verdict.missing : [];
  // A stale stop is let through before its gates are looked at.
  const judged =
    verdict !== undefined &&
    verdict.is !== 'allow' &&
    !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  const promise = promiseOf(frame);
  const gates: GateReport[] = [];
  if (promise !== null)
    gates.push({
      gate: 'promise',
      wanted: promise,
      holds: judged ? !missing.some((m) => m.gate === 'promise') : null,
    });
  for (const { command } of checksOf(frame)) {
    const proof = loop.last?.proofs.find((p) => p.command === command);
    gates.push({
      gate: 'check',
      wanted: command,
      holds: proof === undefined ? null : proof.outcome.is === 'passed',
    });
  }
  const file = featureFileOf(frame);
  const features = loop.last?.features ?? null;
  if (file !== null)
    gates.push({
      gate: 'features',
      wanted: `every item of ${file} passes`,
      holds: features === null ? null : features.is === 'read' && features.facts.next === null,
    });
  const baseline = movedBaselineOf(frame);
  const moved = loop.last?.moved ?? null;
  if (baseline !== null)
    gates.push({
      gate: 'moved',
      wanted: `${baseline.file} is in ${baseline.folder}`,
      holds: moved === null ? null : moved.is === 'moved',
    });
  return gates;
}
