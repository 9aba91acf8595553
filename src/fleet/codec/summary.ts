/** What a list of loops reads of each row. */
import {
  amount,
  flag,
  instant,
  isId,
  isRecord,
  list,
  maybe,
  oneOf,
  orNull,
  record,
  text,
  whole,
  type Infer,
  type Shape,
} from '#base/shape.ts';
import { DONE_BY } from '#law/proof/done.ts';
import { statusWord } from '#input/statuses.ts';
import type { OpenRequest } from '#engine/requests/answer.ts';
import type { LoopStatus } from '#telling/loop-status.ts';
import { workShape } from './rows.ts';

/** A field for each of the type: the compiler finds the one that is missing. */
type ShapesOf<T> = { readonly [K in keyof Required<T>]: Shape<unknown> };

const gate = record({
  gate: text,
  wanted: text,
  name: maybe(text),
  holds: orNull(flag),
  seen: orNull(text),
});

const frame = record({
  mode: text,
  iteration: whole,
  max_iterations: orNull(whole),
  item: orNull(isRecord),
  inner: isRecord,
});

const REPORT = {
  id: isId,
  name: orNull(text),
  host: text,
  status: statusWord,
  reason: text,
  doneBy: orNull(list(oneOf(...DONE_BY))),
  proven: orNull(flag),
  ground: orNull(oneOf('unchanged', 'old', 'changed')),
  ground_changed: list(text),
  waits_for: orNull(text),
  waits_until: orNull(instant),
  iteration: whole,
  max_iterations: orNull(whole),
  session_id: orNull(text),
  gates: list(gate),
  frames: list(frame),
  driver: oneOf('hook', 'fresh'),
  project: text,
  worked_seconds: amount,
  cost_usd: amount,
  max_cost_usd: orNull(amount),
  tokens: whole,
  max_tokens: orNull(whole),
  stalls: whole,
  max_stalls: orNull(whole),
  context_tokens: orNull(whole),
  context_window: orNull(whole),
  started_at: instant,
  updated_at: instant,
} satisfies ShapesOf<LoopStatus>;

const report = record(REPORT) as Shape<unknown> as Shape<LoopStatus>;

const REQUEST = {
  id: text,
  loop: isId,
  name: orNull(text),
  project: text,
  kind: text,
  what: text,
  tool: orNull(text),
  why: text,
  asked_at: instant,
  expires_at: instant,
} satisfies ShapesOf<OpenRequest>;

const request = record(REQUEST) as Shape<unknown> as Shape<OpenRequest>;

const { repo, branch, point } = workShape;

/** What a list of loops needs of each row. `trouble`: why the last try came to nothing. */
export const loopSummaryRow = record({
  id: isId,
  account: text,
  needs: list(text),
  repo,
  worker: orNull(text),
  branch,
  point,
  /** The beginning of its prompt. */
  task: orNull(text),
  status: statusWord,
  report,
  requests: list(request),
  waits_for: orNull(
    oneOf('worker', 'limit', 'retry', 'pause', 'approval', 'rate', 'cost', 'loops', 'circuit', 'check'),
  ),
  trouble: orNull(text),
  ready_at: orNull(instant),
  is_due: flag,
  at_work: flag,
});
export type LoopSummaryRow = Infer<typeof loopSummaryRow>;
