/**
 * What the loop itself has changed. Its store lists the spans of its work in order: each pass of its agents,
 * interrupted ones included, and each rollback. Changes between two spans were made by somebody else.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfAny } from '#base/files/read.ts';
import { isRefusal } from '#base/refusal.ts';
import { pathsBetween, type TreePair } from '../lists.ts';
import type { StoredRepository } from '../repository.ts';
import { parseAs, orNull, record, text, whole, type Infer } from '#base/shape.ts';

/**
 * A work tree at one moment, with what was checked out and staged. `staged` is null if the index was in
 * conflict.
 */
export const state = record({ tree: text, head: orNull(text), staged: orNull(text) });
export type TreeState = Infer<typeof state>;

const workSpan = record({
  /** The iteration that the span belongs to, counted over the whole loop; 0 for a rollback. */
  iteration: whole,
  from: state,
  to: text,
});
export type WorkSpan = Infer<typeof workSpan>;

export function readWorkSpans(store: string): WorkSpan[] {
  const lines = readTextIfAny(fileIn(store))?.split('\n') ?? [];
  return lines.flatMap((line) => parseAs(workSpan, line) ?? []);
}

export function addWorkSpan(store: string, { iteration, from: { tree, head, staged }, to }: WorkSpan): void {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  // Begins with a newline, so that a line torn by a crash stays separate.
  appendFileSync(fileIn(store), `\n${JSON.stringify({ iteration, from: { tree, head, staged }, to })}`);
}

/**
 * The spans of an iteration that is not over (interrupted, or retried after a fault), and all that came
 * after.
 */
export function workSpansSince(all: readonly WorkSpan[], iteration: number): WorkSpan[] {
  const first = all.findIndex((one) => one.iteration === iteration);
  return first === -1 ? [] : all.slice(first);
}

/** The gaps in which somebody else worked: from the end of each span to the next one, and to `now`. */
export function gapsAfter(workSpans: readonly WorkSpan[], now: string): TreePair[] {
  return workSpans.map(({ to }, i) => [to, workSpans[i + 1]?.from.tree ?? now]);
}

function fileIn(store: string): string {
  return join(store, 'stretches.jsonl');
}

/** Files that the loop changed since a point, and that others changed. Null: a tree of that time is lost. */
export async function handsSince(
  repository: StoredRepository,
  target: { readonly tree: string; readonly stretches: number },
  now: string,
) {
  const workSpans = readWorkSpans(repository.store).slice(target.stretches);
  const begun = workSpans[0]?.from.tree ?? now;
  const loop = await pathsBetween(
    repository,
    workSpans.map(({ from, to }) => [from.tree, to]),
  );
  const others = await pathsBetween(repository, [[target.tree, begun], ...gapsAfter(workSpans, now)]);
  return isRefusal(loop) || isRefusal(others) ? null : { loop, others };
}
