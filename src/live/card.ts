/** A loop at a glance: everything that a list of loops shows, as plain values. Pure. */
import { featuresOf } from '../core/gates.ts';
import {
  hasBudget,
  hasEnded,
  iterationsInAll,
  needsPerson,
  topFrame,
  workedMs,
  type Loop,
  type StatusWord,
} from '../core/loop.ts';
import type { Item } from '../core/record/definition.ts';
import { planOf } from '../core/record/plan.ts';
import { openRequestsOf } from '../core/waiting/requests.ts';
import type { RequestKind } from '../core/record/events.ts';
import { report, type GateReport } from '../text/report.ts';
import { nextStep } from '../text/next-step.ts';
import { sayStatus } from '../text/status.ts';
import { clean, cleanLine } from './clean.ts';

export interface LoopCard {
  readonly id: string;
  readonly name: string | null;
  readonly project: string;
  readonly host: string;
  readonly driver: Loop['driver'];
  /** The task in one line: its name, or else the beginning of its prompt. */
  readonly task: string;
  readonly status: StatusWord;
  /** The status in words that follow the id: "is running, iteration 3 of 50". */
  readonly says: string;
  readonly tone: Tone;
  readonly hasEnded: boolean;
  /** The open pass of the frame at work; for an ended loop, the last pass that ended. */
  readonly iteration: number;
  readonly iterations: number | null;
  /** Of all frames together: those that have ended. */
  readonly iterationsInAll: number;
  /** The item at work, in a loop that works through a list. */
  readonly item: Item | null;
  /** How many items of the feature list pass. */
  readonly features: { readonly passing: number; readonly total: number } | null;
  readonly gates: readonly CardGate[];
  /** The calls that need a person's approval: permission rules of the host. */
  readonly asksBefore: readonly string[];
  /** False: nobody counts what it uses, so its cost and tokens are unknown and not zero. */
  readonly isCounted: boolean;
  readonly costUsd: number;
  readonly maxCostUsd: number | null;
  readonly tokens: number;
  readonly maxTokens: number | null;
  readonly context: { readonly tokens: number; readonly window: number | null } | null;
  readonly workedMs: number;
  readonly maxWorkedMs: number | null;
  /** Paused, interrupted, waiting for a person, a limit or background work. */
  readonly waitedMs: number;
  /** The working time grows as you look. */
  readonly isWorking: boolean;
  /** What the agent last said, in one line; null: nothing yet, or it is not known. */
  readonly lastWords: string | null;
  /** The checks that run now. */
  readonly proving: readonly string[];
  readonly requests: readonly CardRequest[];
  /** The model that wrote last, or else the one that the person chose; null: not known. */
  readonly model: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  /** What a person can do next, with the command. */
  readonly next: string;
}

/** How a loop feels, for a colour and an order. */
export type Tone = 'working' | 'waiting' | 'resting' | 'needs-you' | 'done' | 'failed' | 'over';

export interface CardGate {
  readonly kind: GateReport['gate'];
  /** Short: the name or command of a check, the text of a promise, the kind of any other gate. */
  readonly label: string;
  readonly wanted: string;
  readonly is: 'held' | 'open' | 'failing';
  /** The result of the last test, in words. */
  readonly seen: string | null;
}

/** An approval, a question or a completion that a person has to answer. */
export interface CardRequest {
  readonly id: string;
  readonly kind: RequestKind;
  readonly what: string;
  readonly why: string;
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** What the folded loop does not know. */
export interface CardDetails {
  readonly task: string;
  /** What its agent last wrote, and with which model. */
  readonly seen: { readonly words: string | null; readonly model: string | null };
  readonly proving: readonly string[];
}

const LABEL = 60;

/** `loop`: as it is shown, after a look at its processes. */
export function cardOf(loop: Loop, { task, seen, proving }: CardDetails, now: string): LoopCard {
  const { frames: _, gates, iteration, ...told } = report(loop, now);
  const frame = topFrame(loop);
  const worked = workedMs(loop, now);
  const ended = hasEnded(loop);
  const requests = ended ? [] : requestsOf(loop, now);
  const endedAt = ended ? loop.updatedAt : null;
  const features = loop.last?.features ?? featuresOf(frame)?.begun ?? null;
  return {
    id: loop.id,
    name: loop.name,
    project: loop.project,
    host: loop.host,
    driver: loop.driver,
    task,
    status: loop.status.is,
    says: sayStatus(loop),
    tone: ended || requests.length === 0 ? toneOf(loop) : 'needs-you',
    hasEnded: ended,
    iteration,
    iterations: frame.iterations,
    iterationsInAll: iterationsInAll(loop),
    item: frame.item,
    features:
      features?.is === 'read' ? { passing: features.facts.passing, total: features.facts.total } : null,
    gates: gates.map(gateOf),
    asksBefore: loop.people.approvals?.rules.map(clean) ?? [],
    isCounted: loop.driver === 'fresh' || hasBudget(loop) || loop.spent.tokens > 0,
    costUsd: told.cost_usd,
    maxCostUsd: loop.limits.costUsd,
    tokens: loop.spent.tokens,
    maxTokens: loop.limits.tokens,
    context: loop.session.context,
    workedMs: worked,
    maxWorkedMs: loop.limits.timeMs,
    waitedMs: Math.max(0, Date.parse(endedAt ?? now) - Date.parse(loop.startedAt) - worked),
    isWorking: loop.clock.since !== null,
    lastWords: seen.words,
    proving,
    requests,
    model: seen.model ?? planOf(loop).model,
    startedAt: loop.startedAt,
    updatedAt: loop.updatedAt,
    endedAt,
    next: nextStep(loop, now, 'onlooker'),
  };
}

function requestsOf(loop: Loop, now: string): CardRequest[] {
  return openRequestsOf(loop)
    .filter(({ expires }) => Date.parse(expires) > Date.parse(now))
    .map(({ id, kind, what, why, at, expires }) => ({
      id,
      kind,
      what: clean(what.text),
      why: clean(why),
      askedAt: at,
      expiresAt: expires,
    }));
}

function gateOf({ gate, wanted, name, holds, seen }: GateReport): CardGate {
  return {
    kind: gate,
    label: cleanLine(labelOf(gate, name, wanted), LABEL),
    wanted,
    is: holds === null ? 'open' : holds ? 'held' : 'failing',
    seen,
  };
}

function labelOf(gate: GateReport['gate'], name: string | undefined, wanted: string): string {
  if (gate === 'check') return name ?? wanted;
  return gate === 'promise' || gate === 'signal' ? 'promise' : gate;
}

function toneOf(loop: Loop): Tone {
  if (needsPerson(loop)) return 'needs-you';
  switch (loop.status.is) {
    case 'running':
      return 'working';
    case 'waiting':
    case 'pending':
      return 'waiting';
    case 'paused':
    case 'interrupted':
      return 'resting';
    case 'completed':
      return 'done';
    case 'exhausted':
    case 'stuck':
    case 'aborted':
      return 'failed';
    case 'escalated':
      return 'needs-you';
    case 'cancelled':
      return 'over';
  }
}
