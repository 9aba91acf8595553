/** A loop at a glance: everything that a list of loops shows, as plain values. Pure. */
import { featuresOf } from '#law/gates.ts';
import { hasEnded, iterationsInAll, needsPerson, workedMs, planOf } from '#law/loop.ts';
import type { Loop, StatusWord } from '#law/loop.ts';
import { orNull, record, text, type Infer } from '#base/shape.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { inFleet, inTerminal } from '../audience.ts';
import type { GateStatus } from '../gate-status.ts';
import { statusOf, type LoopStatus } from '../loop-status.ts';
import { nextSteps, sayNextSteps } from '../next-step.ts';
import { isCounted } from '../person/limits.ts';
import { clean, cleanLine } from './clean.ts';
import { countOf } from './story.ts';

export type LoopCard = Readonly<ReturnType<typeof cardOf>>;

export type CardTone = 'working' | 'waiting' | 'resting' | 'needs-you' | 'done' | 'failed' | 'over';

export type CardGate = ReturnType<typeof gateOf>;
export type CardRequest = ReturnType<typeof requestsOf>[number];

/** What the folded loop does not know. `seen`: what its agent last wrote, and with which model. */
export interface CardDetails {
  readonly task: string;
  readonly seen: { readonly words: string | null; readonly model: string | null };
  readonly proving: readonly string[];
  readonly fleet: FleetFacts | null;
}

/**
 * What a fleet knows of its loop beside the journal. `status` and `reason`: as of its row, which knows who
 * waits for what.
 */
export type FleetFacts = Infer<typeof fleetFacts>;
export const fleetFacts = record({
  account: text,
  worker: orNull(text),
  reason: text,
  status: (value): value is StatusWord => text(value),
});

const MAX_LABEL_CHARS = 60;

/** `loop`: as it is shown, after a look at its processes. */
export function cardOf(loop: Loop, { task, seen, proving, fleet }: CardDetails, now: string) {
  const shown = statusOf(loop, now);
  const { frame } = loop;
  const worked = workedMs(loop, now);
  const status = fleet?.status ?? shown.status;
  const ended = hasEnded({ status: { is: status } });
  const requests = ended ? [] : requestsOf(loop, now);
  const needsYou = requests.length > 0 || (needsPerson(loop) && status === shown.status);
  const tone = needsYou ? 'needs-you' : TONES[status];
  const endedAt = ended ? shown.updated_at : null;
  const features = loop.last?.features ?? featuresOf(frame)?.begun ?? null;
  return {
    id: shown.id,
    name: shown.name,
    project: shown.project,
    /** The project that a person knows it by: a work tree of its own has a name that nobody chose. */
    belongsTo: planOf(loop).worktreeOf ?? shown.project,
    host: shown.host,
    driver: shown.driver,
    /** In one line: its name, or else the beginning of its prompt. */
    task,
    status,
    /** The status in words that follow the id: "is running, iteration 3 of 50". */
    says: fleet?.reason ?? shown.reason,
    tone,
    /** Where a list shows it: what needs a person first, then what works, rests, has ended. */
    group: groupOf(tone, ended),
    hasEnded: ended,
    /** The open pass of the frame at work; for an ended loop, the last pass that ended. */
    iteration: shown.iteration,
    iterations: shown.max_iterations,
    /** Of all frames together: those that have ended. */
    iterationsInAll: iterationsInAll(loop),
    item: frame.item,
    features: countOf(features),
    gates: shown.gates.map(gateOf),
    /** The calls that need a person's approval: permission rules of the host. */
    asksBefore: loop.people.approvals?.rules.map(clean) ?? [],
    ...usageOf(loop, shown),
    context: loop.session.context,
    workedMs: worked,
    maxWorkedMs: loop.limits.timeMs,
    /** Paused, interrupted, waiting for a person, a limit or background work. */
    waitedMs: Math.max(0, Date.parse(endedAt ?? now) - Date.parse(loop.startedAt) - worked),
    /** The working time grows as you look. */
    isWorking: loop.clock.since !== null,
    lastWords: seen.words,
    proving,
    requests,
    /** The model that wrote last, or else the one that the person chose; null: not known. */
    model: seen.model ?? planOf(loop).model,
    startedAt: shown.started_at,
    updatedAt: shown.updated_at,
    endedAt,
    next: sayNextSteps(nextSteps(loop, now, 'onlooker'), fleet === null ? inTerminal : inFleet),
    /** Who works on it in a fleet, and for whom; null: it is a loop of this machine. */
    fleet: fleet && `on ${clean(fleet.worker ?? 'no worker')}, account ${clean(fleet.account)}`,
  } as const;
}

function usageOf(loop: Loop, shown: LoopStatus) {
  return {
    /** False: nobody counts what it uses, so its cost and tokens are unknown and not zero. */
    isCounted: isCounted(loop),
    costUsd: shown.cost_usd,
    /** The cost is estimated from tokens: the host tells none. */
    estimated: loop.spent.estimated === true,
    maxCostUsd: shown.max_cost_usd,
    tokens: shown.tokens,
    maxTokens: shown.max_tokens,
  };
}

function groupOf(tone: CardTone, ended: boolean) {
  if (tone === 'needs-you' || tone === 'working') return tone;
  return ended ? 'ended' : 'resting';
}

function requestsOf(loop: Loop, now: string) {
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

function gateOf({ gate, wanted, name, holds, seen }: GateStatus) {
  const said = gate === 'promise' || gate === 'signal' ? 'promise' : gate;
  return {
    kind: gate,
    /** Short: the name or command of a check, the kind of any other gate. */
    label: cleanLine(gate === 'check' ? (name ?? wanted) : said, MAX_LABEL_CHARS),
    wanted,
    is: holds === null ? 'open' : holds ? 'held' : 'failing',
    seen,
  } as const;
}

const TONES: Readonly<Record<StatusWord, CardTone>> = {
  running: 'working',
  waiting: 'waiting',
  pending: 'waiting',
  paused: 'resting',
  interrupted: 'resting',
  completed: 'done',
  exhausted: 'failed',
  stuck: 'failed',
  aborted: 'failed',
  escalated: 'needs-you',
  cancelled: 'over',
};
