/**
 * Frames inside frames: what the end of the frame at work means for those around it. An inner frame that has
 * ended is popped, and the one around it continues in the same stop. A list of items gives out its next item.
 */
import type { NextItem } from './record/definition.ts';
import type { ContinueVerdict, Missing, Popped, Verdict, GateResult } from './record/verdict.ts';
import { type Frame, type Loop } from './loop.ts';
import { sayEscalation } from './words/phrases.ts';
import { standingOf } from './standing.ts';

export type ItemsSeen =
  | { readonly is: 'next'; readonly item: NextItem }
  /** No item is left. `gateResults` are of the list's own gates. */
  | { readonly is: 'none'; readonly gateResults: readonly GateResult[] }
  /** `broken`: the agent can correct the list. */
  | { readonly is: 'unreadable'; readonly why: string; readonly broken?: boolean };

/** The frame whose list of items this stop needs, and the items that have had their turn. */
export interface ItemsWanted {
  readonly frame: Frame;
  readonly items: NonNullable<Frame['items']>;
  readonly handled: readonly string[];
}

/** Null: this stop is decided without a list. */
export function itemsWanted(loop: Loop, verdict: Verdict): ItemsWanted | null {
  const { frame } = loop;
  const outcome = outcomeOf(verdict);
  if (frame.items !== null && frame.promptGiven && (verdict.is === 'continue' || outcome === 'complete'))
    return { frame, items: frame.items, handled: frame.handled };
  const outer = loop.around.at(-1);
  if (outer === undefined || outer.items === null || outcome === null) return null;
  const handled = frame.item === null ? outer.handled : [...outer.handled, frame.item.id];
  return { frame: outer, items: outer.items, handled };
}

/**
 * `verdict`: on the frame at work. `seen`: the list that `itemsWanted` asked for. `goesOn`: the verdict that
 * continues a frame around it. A claim in an inner frame claims nothing for that frame: its pass continues,
 * and nothing is spent.
 */
export function settleFrames(
  loop: Loop,
  verdict: Verdict,
  seen: ItemsSeen | null,
  goesOn: ContinueVerdict,
): Verdict {
  const wanted = itemsWanted(loop, verdict);
  const popped: Popped[] = [];
  const back = seen?.is === 'unreadable' ? backToAgent(loop, verdict, seen) : null;
  if (back !== null) return { ...goesOn, missing: [back] };
  const around = [...loop.around];
  let { frame } = loop;
  let judged = verdict;
  for (;;) {
    if (frame === wanted?.frame && seen !== null) {
      const own = popped.length > 0 ? null : judged;
      judged = orUndone(listJudged(wanted, seen, own, goesOn), frame, popped.at(-1));
    }
    const outcome = outcomeOf(judged);
    const outer = around.pop();
    if (outcome === null || outer === undefined)
      return popped.length === 0 || judged.is === 'allow' ? judged : { ...judged, popped };
    popped.push(poppedOf(frame, judged, outcome, popped.at(-1)?.iterations));
    frame = outer;
    judged = goesOn;
  }
}

/**
 * If the agent broke the list, it gets one chance to correct it before its item is over. After that a person
 * has to look.
 */
function backToAgent(
  { last }: Loop,
  verdict: Verdict,
  { why, broken }: Extract<ItemsSeen, { is: 'unreadable' }>,
): Missing | null {
  if (broken !== true || verdict.is !== 'complete') return null;
  const says = `${why}. Correct the list, and keep all of its items`;
  const told = last !== null && 'missing' in last.verdict ? last.verdict.missing : [];
  return told.some((item) => item.gate === 'features' && item.says === says)
    ? null
    : { gate: 'features', says };
}

/**
 * The outcome of a verdict that ends only its frame. Null: it ends the whole loop (time, staleness, a veto, a
 * request for a person) or nothing.
 */
function outcomeOf(verdict: Verdict): Popped['outcome'] | null {
  switch (verdict.is) {
    case 'complete':
      return 'complete';
    case 'exhaust':
      return verdict.limit === 'iterations' || verdict.limit === 'items' ? 'exhaust' : null;
    case 'escalate':
      return ['blocked', 'stuck', 'undone'].includes(verdict.why.is) ? 'escalate' : null;
    case 'continue':
    case 'allow':
      return null;
  }
}

/** `own`: the verdict on the list's own frame, if that is the one at work. */
function listJudged(
  { frame, items, handled }: ItemsWanted,
  seen: ItemsSeen,
  own: Verdict | null,
  goesOn: ContinueVerdict,
): Verdict {
  switch (seen.is) {
    case 'unreadable':
      return { is: 'escalate', why: { is: 'unreadable', why: seen.why }, missing: [] };
    case 'next':
      return handled.length >= items.most
        ? { is: 'exhaust', limit: 'items', missing: [] }
        : { ...goesOn, item: seen.item };
    case 'none': {
      if (own !== null) return own;
      const proofs = { said: null, checks: [], gateResults: seen.gateResults, features: null };
      const { holds, missing } = standingOf(frame, proofs);
      return holds ? { is: 'complete' } : { ...goesOn, missing };
    }
  }
}

/**
 * A list is done when its items are done. It is not enough that each had its turn, and an item that left the
 * list had none. `last`: the frame that this stop popped off the list.
 */
function orUndone(verdict: Verdict, { inner, gone }: Frame, last: Popped | undefined): Verdict {
  if (verdict.is !== 'complete') return verdict;
  const items = inner.exhaust + inner.escalate + (last === undefined || last.outcome === 'complete' ? 0 : 1);
  if (items + gone.count === 0) return verdict;
  const why = { is: 'undone', items, ...(gone.count > 0 && { gone: gone.count }) } as const;
  return { is: 'escalate', why, missing: [] };
}

/**
 * `inside`: iterations spent in the frame that this stop popped off it. Absent: this frame is the one at
 * work.
 */
function poppedOf(
  frame: Frame,
  verdict: Verdict,
  outcome: Popped['outcome'],
  inside: number | undefined,
): Popped {
  return {
    mode: frame.mode,
    outcome,
    why: whyOf(verdict),
    item: frame.item?.title ?? null,
    // The stop ends a pass of the frame at work only.
    iterations: frame.passes + frame.inner.iterations + (inside ?? 1),
  };
}

function whyOf(verdict: Verdict): string {
  if (verdict.is === 'escalate') return sayEscalation(verdict.why);
  if (verdict.is === 'exhaust')
    return verdict.limit === 'items' ? 'max items reached' : 'max iterations reached';
  return 'done';
}
