/** The only start sequence: everything that can refuse it comes first. Then the loop is made. */
import type { Actor } from '#law/record/events.ts';
import { keepHeldOut } from '#evidence/proofs/held-out.ts';
import { hash } from '#base/hash.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { lookAtLists } from '#evidence/guard/removed-items.ts';
import type { Sender } from '#hosts/port/arrival.ts';
import { keepListing } from '#evidence/proofs/changes.ts';
import { keepGround } from '#evidence/proofs/ground/keep.ts';
import { keepOwnGates } from '#evidence/proofs/stop-hooks/own-gates.ts';
import { keepEvidence, moveTrees } from '#store/evidence.ts';
import { keepPrompt } from '#store/prompts.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { pushBegun } from '#evidence/views/imported.ts';
import { makeViews } from '#evidence/views/registry.ts';
import { progressFile } from '#evidence/views/progress/view.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { takeBaseline, discard, prepare, unprepared, type Prepared, type ToPrepare } from './prepare.ts';
import { definitionOf } from './definition.ts';
import { awaitPrompt, bind } from './bind.ts';
import { loopsOf, withLoop } from '../look/loops.ts';
import { pushItem } from '../asked/items.ts';

/** After this many id collisions with other loops, something else must be wrong. */
const MAX_ID_TRIES = 20;

export interface StartOrder extends ToPrepare {
  readonly actor: Actor;
  /**
   * The session that asks for the loop, if there is one. By it we recognise a second delivery of the same
   * start.
   */
  readonly from: Sender | null;
  /**
   * How that session comes to own the loop. Null: the first session that gets the prompt will own it, or a
   * run.
   */
  readonly owns: 'command' | 'mcp' | 'start' | 'adopt' | null;
  readonly view: boolean;
}

export type Started =
  | { readonly is: 'started'; readonly open: OpenLoop; readonly proofs: readonly CheckProof[] }
  /** This start was delivered before, and the other delivery has made the loop. */
  | { readonly is: 'again' }
  | StartRefused;

export interface StartRefused extends Refusal {
  readonly is: 'refused';
  /** The loop that is in the way, if there is one. A front end may know a better next step than ending it. */
  readonly inTheWay: Loop | null;
}

export async function start(order: StartOrder, runtime: Runtime): Promise<Started> {
  const prepared = await prepare(order, runtime);
  if (!prepared.ok) return refuseStart(prepared);
  try {
    const twin = waitingTwin(order, prepared, runtime);
    // The checks take a while. A start that is refused should not run them.
    const runsChecks = prepared.checks.length + prepared.measures.length > 0;
    const early = twin ?? (runsChecks ? (taken(order, runtime) ?? secondDelivery(order, runtime)) : null);
    if (early !== null) return early;
    const time = order.actor === 'session' ? 'short' : 'full';
    const baseline = await takeBaseline(order, prepared, time, runtime);
    return baseline.ok ? startLoop(order, runtime, { ...prepared, baseline }) : refuseStart(baseline);
  } finally {
    discard(prepared);
  }
}

function refuseStart(refusal: Refusal, inTheWay: Loop | null = null): StartRefused {
  return { ...refusal, is: 'refused', inTheWay };
}

/** Two runs of the checks at once may disturb each other, so only one delivery of a start runs them. */
function secondDelivery({ from, request }: StartOrder, { store }: Runtime): Started | null {
  const prompt = from?.prompt ?? null;
  if (from === null || prompt === null || request.checks.length + request.measures.length === 0) return null;
  return store.once.isNews(`${from.session} ${prompt} started`) ? null : { is: 'again' };
}

/** For a caller without a session's prompt: only such a prompt can be delivered twice. */
export function startedOnce(started: Started): Exclude<Started, { is: 'again' }> {
  if (started.is === 'again') throw new Error('a start without a prompt is never delivered twice');
  return started;
}

/**
 * Refuses a second loop that waits for the same first prompt: the prompt could not say which of them it
 * begins.
 */
function waitingTwin(order: StartOrder, { item }: Prepared, runtime: Runtime): StartRefused | null {
  if (!waitsForPrompt(order)) return null;
  const id = runtime.store.ready.find(order.project, item?.text ?? order.request.prompt);
  const loop = id === null ? null : withLoop(id, runtime, (open) => open.loop());
  if (loop?.status.is !== 'pending') return null;
  const why = `Loop ${loop.id} waits for this very prompt already.`;
  const next = `Give the prompt, or end it first: dacapo cancel ${loop.id}`;
  return refuseStart(refuse('waits-already', why, next), loop);
}

function waitsForPrompt({ from, owns, request }: StartOrder): boolean {
  return (from === null || owns === null) && request.driver === 'hook';
}

export function startLoop(
  order: StartOrder,
  runtime: Runtime,
  prepared: Prepared = unprepared(order.request),
): Started {
  try {
    return claim(order, prepared, runtime);
  } finally {
    discard(prepared);
  }
}

function taken(order: StartOrder, runtime: Runtime): Started | null {
  const held = order.from === null || order.owns === null ? null : heldBy(order.from, runtime);
  if (held === null) return refuseProgress(order, runtime);
  return isOrigin(held, order)
    ? { is: 'again' }
    : refuseFor(held, 'session-taken', `this session has loop ${title(held)} already`);
}

function claim(order: StartOrder, prepared: Prepared, runtime: Runtime): Started {
  const refusal = taken(order, runtime);
  if (refusal !== null) return refusal;
  const { request, project, host, actor, from, own, imported } = order;
  const definition = definitionOf(order, prepared);
  const by = { actor, session: from?.session ?? null, prompt: from?.prompt ?? null };
  for (let salt = 0; salt < MAX_ID_TRIES; salt++) {
    const id = (salt === 0 && imported?.id) || loopId(order, salt, runtime);
    const created = { type: 'created', at: runtime.now(), id, project, host, definition, by } as const;
    const made = runtime.store.make(created, (loop) => {
      const { blobs } = loop;
      keepPrompt(blobs, request.prompt);
      if (prepared.rubric !== null) keepPrompt(blobs, prepared.rubric.text);
      if (own !== undefined) keepOwnGates(blobs, own);
      if (request.heldOut.length > 0) keepHeldOut(blobs, prepared.heldOut.all());
      for (const { name, bytes } of imported?.copies ?? []) keepEvidence(blobs, name, bytes);
      const { protection, configured, baseline } = prepared;
      const marks = configured?.marks ?? baseline.marks;
      if (marks !== null) moveTrees(loop, marks);
      if (protection !== null) keepListing(blobs, protection.digest, protection.content);
      if (baseline.ground?.packed) keepGround(blobs, baseline.ground.packed);
    });
    if (made !== 'taken') {
      const open = finishStart(made, order, prepared, runtime);
      return { is: 'started', open, proofs: prepared.baseline.proofs };
    }
    if (wasMadeByThis(id, order, runtime)) return { is: 'again' };
  }
  throw new Error('no free loop id was found');
}

function refuseFor(loop: Loop, code: string, why: string): StartRefused {
  return refuseStart(refuse(code, `${why} (${sayStatus(loop)}).`, `dacapo cancel ${loop.id} ends it.`), loop);
}

function finishStart(open: OpenLoop, order: StartOrder, { item }: Prepared, runtime: Runtime): OpenLoop {
  if (order.imported?.inner !== undefined) pushBegun(open, order.imported.inner, order.actor, runtime);
  if (item !== null) {
    pushItem(open, item, { by: order.actor, prompt: null }, runtime);
    lookAtLists(open, runtime);
  }
  const { request, from, owns } = order;
  if (from !== null && owns !== null) bind(open, from, { how: owns, prompt: from.prompt }, runtime);
  const places = { vault: request.vault, loopFolder: null, ...order.imported?.places };
  if (order.view) {
    // A power cut must not leave a view of a loop that nobody knows.
    open.journal.settle();
    makeViews(open, request.views, places, runtime);
  }
  open.keep();
  if (waitsForPrompt(order)) awaitPrompt(open, runtime);
  return open;
}

/** Two loops with one progress file would keep overwriting each other's three lines. */
function refuseProgress(order: StartOrder, runtime: Runtime): StartRefused | null {
  const { project, imported } = order;
  if (!order.view || !order.request.views.includes('progress')) return null;
  const file = progressFile(project, { loopFolder: imported?.places?.loopFolder ?? null }, runtime);
  const loop = loopsOf(project, runtime).find(
    (other) =>
      !hasEnded(other) && other.files.views.some((view) => view.kind === 'progress' && view.file === file),
  );
  if (loop === undefined || isOrigin(loop, order)) return null;
  return refuseFor(loop, 'file-taken', `${file} is kept by loop ${title(loop)} already`);
}

/** The same delivery gives the same id, so that a second one finds the folder taken. */
function loopId(order: StartOrder, salt: number, runtime: Runtime): string {
  const now = runtime.now();
  const { from } = order;
  const unique = () => `${now} ${runtime.process} ${Math.random()}`;
  const delivery = from?.prompt ? `${from.session} ${from.prompt}` : unique();
  const id = hash(`${delivery} ${order.request.prompt} ${salt}`).slice(-6);
  return `RALPH_${now.slice(0, 10).replaceAll('-', '')}_${id}`;
}

function wasMadeByThis(id: string, order: StartOrder, runtime: Runtime): boolean {
  const loop = withLoop(id, runtime, (open) => open.loop());
  // Not readable yet: if this start can be delivered twice, the other delivery is just making the loop.
  return loop === null ? (order.from?.prompt ?? null) !== null : isOrigin(loop, order);
}

function isOrigin({ session: { origin } }: Loop, { from }: StartOrder): boolean {
  return (from?.prompt ?? null) !== null && origin.session === from?.session && origin.prompt === from.prompt;
}

function heldBy(sender: Sender, runtime: Runtime): Loop | null {
  const entry = runtime.store.sessions.find(sender.session);
  const loop = entry === null ? null : withLoop(entry.loop, runtime, (open) => open.loop());
  return loop === null || hasEnded(loop) || loop.session.owner?.session !== sender.session ? null : loop;
}
