/** A loop for machines and tables: what `dacapo status --json` prints and the views carry. */
import { sayFeatures } from './features.ts';
import {
  checksOf,
  featuresOf,
  hasChoice,
  hasEnded,
  isLive,
  movedBaselineOf,
  promiseOf,
  topFrame,
  workedMs,
  type Frame,
  type LastHearing,
  type Loop,
  type StatusWord,
} from './loop.ts';
import { sayOutcome, sayProtect } from './say.ts';
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
  readonly gate: 'promise' | 'check' | 'features' | 'moved' | 'protected';
  readonly wanted: string;
  readonly holds: boolean | null;
  /** What was seen when it was last tested, in words. */
  readonly seen: string | null;
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
  return hasEnded(loop) ? passes : passes + 1;
}

function gateReports(loop: Loop): GateReport[] {
  const frame = topFrame(loop);
  const { last } = loop;
  const checks = checksOf(frame).map(({ command }): GateReport => {
    const outcome = last?.proofs.find((proof) => proof.command === command)?.outcome;
    const holds = outcome === undefined ? null : outcome.is === 'passed';
    return {
      gate: 'check',
      wanted: command,
      holds,
      seen: outcome === undefined ? null : sayOutcome(outcome),
    };
  });
  const others = [...checks, ...featuresReport(frame, last), ...movedReport(frame, last)];
  return [...promiseReport(frame, last, others), ...others, ...protectedReport(loop)];
}

function promiseReport(frame: Frame, last: LastHearing | null, others: readonly GateReport[]): GateReport[] {
  const wanted = promiseOf(frame);
  if (wanted === null) return [];
  const verdict = last?.verdict;
  const lacks = verdict !== undefined && 'missing' in verdict ? verdict.missing : [];
  const lack = lacks.find(({ gate }) => gate === 'promise');
  // A stale stop is let through before its gates are looked at.
  const judged =
    verdict !== undefined &&
    verdict.is !== 'allow' &&
    !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  // Where any gate is enough, nothing tells whether the promise was given beside the one that held.
  // While a protected file is not as it was, that alone is said.
  const slipped = lacks.some(({ gate }) => gate === 'protected');
  const known =
    judged && !slipped && !(hasChoice(frame) && lack === undefined && others.some(({ holds }) => holds));
  return [
    {
      gate: 'promise',
      wanted,
      holds: known ? lack === undefined : null,
      seen: lack !== undefined && 'seen' in lack ? lack.seen : null,
    },
  ];
}

function featuresReport(frame: Frame, last: LastHearing | null): GateReport[] {
  const gate = featuresOf(frame);
  if (gate === null) return [];
  const proof = last?.features ?? null;
  const holds = proof === null ? null : proof.is === 'read' && proof.facts.next === null;
  return [
    {
      gate: 'features',
      wanted: `every item of ${gate.file} passes`,
      holds,
      seen: sayFeatures(gate.file, proof ?? gate.begun),
    },
  ];
}

function movedReport(frame: Frame, last: LastHearing | null): GateReport[] {
  const baseline = movedBaselineOf(frame);
  if (baseline === null) return [];
  const seen = last?.sights.find(({ gate }) => gate === 'moved');
  return [
    {
      gate: 'moved',
      wanted: `${baseline.file} is in ${baseline.folder}`,
      holds: seen?.holds ?? null,
      seen: seen?.says ?? null,
    },
  ];
}

function protectedReport({ protect, last }: Loop): GateReport[] {
  if (protect.length === 0) return [];
  const seen = last?.sights.find(({ gate }) => gate === 'protected');
  return [
    {
      gate: 'protected',
      wanted: sayProtect(protect),
      holds: seen?.holds ?? null,
      seen: seen?.says ?? null,
    },
  ];
}
