/**
 * What an agent does right now, as its worker reports it. No loop depends on these lines: one that does not
 * fit is left out.
 */
import {
  amount,
  flag,
  instant,
  isRecord,
  list,
  maybe,
  oneOf,
  orNull,
  record,
  text,
  whole,
  type Shape,
} from '#base/shape.ts';
import type { RunEvent } from '#engine/run-event.ts';
import { statusWord } from '#input/statuses.ts';

const gate = record({ gate: text, wanted: text, holds: orNull(flag), seen: orNull(text) });
const asked = record({ id: text, kind: oneOf('approval', 'question', 'completion', 'acceptance') });

const LINES: Readonly<Record<RunEvent['is'], Shape<unknown>>> = {
  begins: record({ loop: text, text }),
  'iteration-begins': record({
    iteration: whole,
    iterations: orNull(whole),
    model: orNull(text),
    session: text,
    feature: orNull(text),
    item: orNull(text),
  }),
  says: record({ text }),
  tool: record({ id: text, name: text, summary: text }),
  'tool-ended': record({ id: text, failed: flag, text, lines: whole }),
  subagent: record({ name: text, what: text }),
  'host-retry': record({ attempt: whole, why: text, inMs: amount }),
  'checks-begin': record({ commands: list(text) }),
  'check-ended': record({
    command: text,
    passed: orNull(flag),
    measured: maybe(flag),
    ms: amount,
    tail: text,
  }),
  judged: record({
    verdict: oneOf('continue', 'complete', 'escalate', 'exhaust', 'allow'),
    words: text,
    gates: list(gate),
    missing: list(text),
  }),
  waits: record({ for: text, until: orNull(instant), why: text, request: maybe(asked) }),
  'goes-on': record({ why: maybe(text) }),
  usage: record({
    costUsd: orNull(amount),
    tokens: whole,
    contextTokens: orNull(whole),
    contextWindow: orNull(whole),
    isReckoned: flag,
    isEstimate: maybe(flag),
  }),
  warning: record({ text }),
  committed: record({ sha: text, files: whole }),
  fault: record({ class: text, why: text }),
  ends: record({
    status: statusWord,
    reason: text,
    iterations: whole,
    workedMs: amount,
    next: orNull(text),
  }),
};

const KINDS: ReadonlyMap<string, Shape<unknown>> = new Map(Object.entries(LINES));

export function isNewsLine(value: unknown): value is RunEvent {
  if (!isRecord(value) || !text(value['is']) || !instant(value['at'])) return false;
  return KINDS.get(value['is'])?.(value) === true;
}
