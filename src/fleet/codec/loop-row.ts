/**
 * What a worker and a person read of the row of a loop. The submitter parsed the request once; from then on
 * it is data, and it is read here as untrusted.
 */
import { isId, orNull, record, text, whole, type Shape } from '#base/shape.ts';
import { sayNames } from '#law/words/phrases.ts';
import { adapterNamed } from '#hosts/tables/adapters.ts';
import { runRequestShape, unknownRequestFields } from '#input/request-shape.ts';
import type { RunRequest } from '#input/run-request.ts';
import { ref, UnfitRecord, workShape } from './rows.ts';
import { takesShape } from '../takes.ts';

export interface SubmittedRequest extends RunRequest {
  /** The name of the host that works on it. */
  readonly host: string;
}

const hasHost = record({ host: text });

/** Git gets the branch of its set as a name. The work tree is the worker's to choose. */
export const submittedRequest: Shape<SubmittedRequest> = (value): value is SubmittedRequest =>
  hasHost(value) &&
  runRequestShape(value) &&
  (value.plan.part === undefined || ref(value.plan.part.onto)) &&
  value.plan.worktreeOf === null;

/** Throws `UnfitRecord` where a newer program has asked for more than this one knows. */
export function assertKnownRequest(id: string, asked: SubmittedRequest): void {
  if (adapterNamed(asked.host) === null)
    throw new UnfitRecord(id, `this dacapo has no host ${JSON.stringify(asked.host)}`, true);
  const unknown = unknownRequestFields(asked);
  if (unknown.length > 0)
    throw new UnfitRecord(
      id,
      `a newer Da Capo has asked for more than this one knows (${sayNames(unknown)})`,
      true,
    );
}

export const LOOP_ROW = {
  ...workShape,
  id: isId,
  epoch: whole,
  events: whole,
  account: text,
  setup: orNull(text),
  waits_for: orNull(text),
  trouble: orNull(text),
  takes: takesShape,
  request: submittedRequest,
};

export const loopRow = record(LOOP_ROW);
