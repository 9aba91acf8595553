/** Events, loops and stops for tests of the core, each with what the test does not care about filled in. */
import { decide, factsOf } from '#law/decide.ts';
import { featuresOf, movedBaselineOf, requirementsOf, type CheckGate } from '#law/gates.ts';
import { checksWanted, standingOf } from '#law/standing.ts';
import { fold } from '#law/fold/index.ts';
import type { Definition, Gate, FeaturesProof, MovedProof } from '#law/record/definition.ts';
import { JOURNAL_VERSION, type Event, type EventOf } from '#law/record/events.ts';
import type { CheckOutcome, CheckProof } from '#law/record/verdict.ts';
import { featuresResult } from '#evidence/proofs/items.ts';
import { type Loop } from '#law/loop.ts';
import { movedResult } from '#evidence/proofs/moved.ts';
import { readSaid, type Tag } from '#law/proof/promise.ts';
import type { Proofs, Said, Stop } from '#law/stop.ts';

const BEGAN = Date.parse('2026-01-05T10:00:00.000Z');

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The instant that is `ms` after the loop began. */
export function after(ms: number): string {
  return new Date(BEGAN + ms).toISOString();
}

const LIST = 'feature_list.json';

export const PROMISE: Gate = { kind: 'promise', text: 'COMPLETE' };

/** A check that failed before the first pass: then its passing is news. */
export function check(command: string): Gate {
  return { kind: 'check', name: null, command, timeoutMs: 300_000, begun: 'failed' };
}

/** Null: it was not run before the first pass. */
export function checkBegun(command: string, begun: 'passed' | 'failed' | null): Gate {
  return { kind: 'check', name: null, command, timeoutMs: 300_000, ...(begun && { begun }) };
}

/** A list of `total` items, the first `passing` of which pass. */
export function list(passing: number, total = 3): FeaturesProof {
  const next = { id: String(passing + 1), description: `Feature ${passing + 1}`, steps: [], model: null };
  const facts = { name: LIST, format: 'feature-list', passing, total } as const;
  return { is: 'read', facts: { ...facts, next: passing === total ? null : next } };
}

export const UNREADABLE = { is: 'unreadable', why: `${LIST} is empty` } as const satisfies FeaturesProof;

export function features(begun = list(0)): Gate {
  return { kind: 'features', file: LIST, begun };
}

/** An invoice that is done when it lies in Done/. */
export const MOVE = {
  kind: 'moved',
  baseline: {
    file: 'Needs_Action/INVOICE_client.md',
    folder: 'Done/',
    watched: { is: 'file', size: 10, modifiedMs: 1, hash: 'h' },
    there: null,
    twins: [],
    warning: null,
  },
} as const satisfies Gate;

export const MOVED = {
  is: 'moved',
  how: 'name',
  to: '/project/Done/INVOICE_client.md',
} as const satisfies MovedProof;
export const NOT_MOVED = { is: 'not-moved', origin: 'there' } as const satisfies MovedProof;

export function created(definition: Partial<Definition> = {}, at = after(0)): EventOf<'created'> {
  return {
    type: 'created',
    at,
    id: 'RALPH_20260105_abc123',
    project: '/project',
    host: 'claude-code',
    definition: {
      name: null,
      mode: 'loop',
      driver: 'hook',
      prompt: 'hash-of-prompt',
      gates: [PROMISE],
      require: 'all',
      atLeast: 0,
      iterations: 50,
      items: null,
      timeMs: 24 * HOUR,
      staleMs: 2 * HOUR,
      checking: { parallel: 1, timeoutMs: 540_000 },
      config: null,
      costUsd: null,
      tokens: null,
      stalls: null,
      stallsAsked: false,
      passes: 0,
      views: ['markdown'],
      protect: [],
      baseline: null,
      ...definition,
    },
    by: { actor: 'session', session: 's1', prompt: 'p1' },
    version: JOURNAL_VERSION,
  };
}

export function bound(over: Partial<EventOf<'bound'>> = {}): EventOf<'bound'> {
  return { type: 'bound', at: after(0), session: 's1', process: 100, prompt: 'p1', how: 'command', ...over };
}

export function claim(n: number, over: Partial<EventOf<'stop'>> = {}): EventOf<'stop'> {
  const at = over.at ?? after(n * MINUTE);
  const process = 1_000 + n;
  return {
    type: 'stop',
    n,
    session: 's1',
    prompt: 'p1',
    words: `words ${n}`,
    process,
    started: at,
    continuedByHook: false,
    ...over,
    at,
  };
}

type Verdict = EventOf<'verdict'>['verdict'];

export const GO_ON: Extract<Verdict, { is: 'continue' }> = {
  is: 'continue',
  missing: [{ gate: 'promise', wanted: 'COMPLETE', seen: null }],
  shells: [],
  capped: false,
  popped: [],
  item: null,
};

export function verdict(n: number, over: Partial<EventOf<'verdict'>> = {}): EventOf<'verdict'> {
  return {
    type: 'verdict',
    at: after(n * MINUTE + SECOND),
    n,
    verdict: GO_ON,
    proofs: [],
    gateResults: [],
    features: null,
    cap: null,
    toolUsed: true,
    queue: { offset: 0, waiting: 0 },
    used: null,
    context: null,
    tree: null,
    stalls: 1,
    preview: null,
    ...over,
  };
}

/** One whole pass: claimed and continued. */
export function pass(n: number): Event[] {
  return [claim(n), verdict(n)];
}

export function passes(count: number): Event[] {
  return Array.from({ length: count }, (_, k) => pass(k + 1)).flat();
}

export function told(...events: Event[]): Loop {
  const loop = events.reduce<Loop | null>(fold, null);
  if (loop === null) throw new Error('these events tell of no loop');
  return loop;
}

/** A loop that runs, its owner at work on the prompt `p1`. */
export function running(definition: Partial<Definition> = {}, ...more: Event[]): Loop {
  return told(created(definition), bound(), ...more);
}

export function stop(over: Partial<Stop> = {}): Stop {
  return {
    session: 's1',
    prompt: 'p1',
    message: 'Working on it.',
    background: [],
    queue: { offset: 0, waiting: 0 },
    toolUsed: true,
    used: null,
    context: null,
    cap: null,
    toolResetsCap: true,
    attended: true,
    continuedByHook: false,
    ...over,
  };
}

export function tag(text: string, over: Partial<Tag> = {}): Tag {
  return { name: 'promise', text, where: 'prose', place: 'line', ...over };
}

/** What these tags say in a loop that waits for the promise COMPLETE, or in this one. */
export function saying(tags: readonly Tag[], loop: Loop = running()): Said | null {
  return readSaid(tags, loop.frame);
}

export const NO_PROOFS: Proofs = { said: null, checks: [], gateResults: [], features: null };

/** What may be seen at a stop: of a file that moved, what its proof says. */
export type Seen = Partial<Omit<Proofs, 'gateResults' | 'said'>> & {
  readonly tags?: readonly Tag[];
  readonly moved?: MovedProof;
};

/** The proofs that this loop makes of it. */
export function proofsOf(loop: Loop, { tags = [], moved, ...seen }: Seen): Proofs {
  const frame = loop.frame;
  const file = featuresOf(frame)?.file;
  const begun = movedBaselineOf(frame);
  const gateResults = [
    ...(file === undefined || !seen.features ? [] : [featuresResult(file, seen.features, null)]),
    ...(begun === null || moved === undefined ? [] : [movedResult(begun, moved)]),
  ];
  return { ...NO_PROOFS, ...seen, said: saying(tags, loop), gateResults };
}

export function proof(command: string, outcome: CheckOutcome): CheckProof {
  return { name: null, command, outcome, ms: 5, evidence: null };
}

/** The verdict on the frame at work. `tree`: the mark of the work tree, where one is wanted. */
export function decided(
  loop: Loop,
  at: Stop,
  proofs: Proofs,
  now: string,
  tree: string | null = null,
): Verdict {
  return decide(loop, factsOf(loop, at, proofs, tree), now);
}

/** Which checks a stop wants run, after this was seen without them. */
export function checksFor(loop: Loop, proofs: Proofs): readonly CheckGate[] {
  return checksWanted(requirementsOf(loop.frame), standingOf(loop.frame, proofs));
}
