/**
 * The only start sequence: check everything that can refuse it, then make the loop with its definition, owner and
 * views. The slash command, the command line and adoption all use it.
 */
import type { Actor, EventOf } from '../../core/record/events.ts';
import { hash } from '../../core/hash.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { lookAtLists } from '../../guard/removed-items.ts';
import type { Sender } from '../../hosts/arrival.ts';
import { keepListing } from '../../proofs/changes.ts';
import { keepOwnGates, type OwnGates } from '../../proofs/stop-hooks/own-gates.ts';
import { keepEvidence, takeTrees } from '../../store/evidence.ts';
import { keepPrompt } from '../../store/prompts.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { pushBegun, type ImportedStart } from '../../views/imported.ts';
import { makeViews } from '../../views/registry.ts';
import { progressFile } from '../../views/progress/view.ts';
import { takeBaseline } from './baseline.ts';
import { definitionOf } from './definition.ts';
import { awaitPrompt } from './await-prompt.ts';
import { loopsOf, withLoop } from '../look/loops.ts';
import { pushItem } from './items.ts';
import { bind } from './bind.ts';
import { discard, prepare, unprepared, type Prepared } from './prepare.ts';

/** After this many id collisions with other loops, something else must be wrong. */
const TRIES = 20;

export interface StartOrder {
  readonly request: StartRequest;
  readonly project: string;
  /** The name of the loop's host. */
  readonly host: string;
  readonly actor: Actor;
  /** The session that asks for the loop, if there is one. By it we recognise a second delivery of the same start. */
  readonly from: Sender | null;
  /** How that session comes to own the loop. Null: the first session that gets the prompt will own it, or a run. */
  readonly owns: 'command' | 'mcp' | 'start' | 'adopt' | null;
  /** Whether to make views. */
  readonly view: boolean;
  /** Stop hooks and rules of this loop alone, as data. */
  readonly own?: OwnGates;
  /** State of a loop that was begun elsewhere. */
  readonly imported?: ImportedStart;
}

export type Started =
  | { readonly is: 'started'; readonly open: OpenLoop }
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
  if (!prepared.ok) return { ...prepared, is: 'refused', inTheWay: null };
  // The checks take a while. A start that is refused should not run them.
  const early =
    waitingTwin(order, prepared, runtime) ??
    (prepared.checks.length === 0 ? null : (taken(order, runtime) ?? secondDelivery(order, runtime)));
  if (early !== null) {
    discard(prepared);
    return early;
  }
  const time = order.actor === 'session' ? 'short' : 'full';
  const baseline = await takeBaseline(order.request, order.project, prepared, time, runtime);
  return startLoop(order, runtime, { ...prepared, baseline });
}

/** Two runs of the checks at once may disturb each other, so only one delivery of a start runs them. */
function secondDelivery({ from, request }: StartOrder, { store }: Runtime): Started | null {
  const prompt = from?.prompt ?? null;
  if (from === null || prompt === null || request.checks.length === 0) return null;
  return store.once.isNews(`${from.session} ${prompt} started`) ? null : { is: 'again' };
}

/** For a caller without a session's prompt: only such a prompt can be delivered twice. */
export function startedOnce(started: Started): Exclude<Started, { is: 'again' }> {
  if (started.is === 'again') throw new Error('a start without a prompt is never delivered twice');
  return started;
}

/** Refuses a second loop that waits for the same first prompt: the prompt could not say which of them it begins. */
function waitingTwin(order: StartOrder, { item }: Prepared, runtime: Runtime): StartRefused | null {
  if (!waitsForPrompt(order)) return null;
  const id = runtime.store.ready.find(order.project, item?.text ?? order.request.prompt);
  const loop = id === null ? null : withLoop(id, runtime, (open) => open.loop());
  if (loop?.status.is !== 'pending') return null;
  const refusal = refuse(
    'waits-already',
    `Loop ${loop.id} waits for this very prompt already.`,
    `Give the prompt, or end it first: dacapo cancel ${loop.id}`,
  );
  return { ...refusal, is: 'refused', inTheWay: loop };
}

function waitsForPrompt({ from, owns, request }: StartOrder): boolean {
  return (from === null || owns === null) && request.driver === 'hook';
}

/** Makes the loop. `prepared` comes from `prepare`, for this same request. */
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

/** Returns null if neither its session nor its files belong to another loop. */
function taken(order: StartOrder, runtime: Runtime): Started | null {
  const held = order.from === null || order.owns === null ? null : heldBy(order.from, runtime);
  if (held !== null)
    return isOrigin(held, order)
      ? { is: 'again' }
      : refuseFor(held, 'session-taken', `this session has loop ${title(held)} already`);
  const holder = progressHolder(order, runtime);
  if (holder !== null)
    return refuseFor(
      holder.loop,
      'file-taken',
      `${holder.file} is kept by loop ${title(holder.loop)} already`,
    );
  return null;
}

function claim(order: StartOrder, prepared: Prepared, runtime: Runtime): Started {
  const refusal = taken(order, runtime);
  if (refusal !== null) return refusal;
  for (let salt = 0; salt < TRIES; salt++) {
    const id = (salt === 0 && order.imported?.id) || loopId(order, salt, runtime);
    const made = runtime.store.make(createdEvent(id, order, prepared, runtime), (loop) => {
      const { blobs } = loop;
      keepPrompt(blobs, order.request.prompt);
      if (order.own !== undefined) keepOwnGates(blobs, order.own);
      for (const { name, bytes } of order.imported?.copies ?? []) keepEvidence(blobs, name, bytes);
      const { protection, configured, baseline } = prepared;
      const marks = configured?.marks ?? baseline.marks;
      if (marks !== null) takeTrees(loop, marks);
      if (protection !== null) keepListing(blobs, protection.digest, protection.content);
    });
    if (made !== 'taken') return { is: 'started', open: finishStart(made, order, prepared, runtime) };
    if (wasMadeByThis(id, order, runtime)) return { is: 'again' };
  }
  throw new Error('no free loop id was found');
}

function refuseFor(loop: Loop, code: string, why: string): StartRefused {
  const refusal = refuse(code, `${why} (${sayStatus(loop)}).`, `dacapo cancel ${loop.id} ends it.`);
  return { ...refusal, is: 'refused', inTheWay: loop };
}

function finishStart(open: OpenLoop, order: StartOrder, { item }: Prepared, runtime: Runtime): OpenLoop {
  if (order.imported?.inner !== undefined) pushBegun(open, order.imported.inner, order.actor, runtime);
  if (item !== null) {
    pushItem(open, item, order.actor, null, runtime);
    lookAtLists(open, runtime);
  }
  if (order.from !== null && order.owns !== null)
    bind(open, order.from, order.owns, order.from.prompt, runtime);
  const { vault } = order.request;
  if (order.view)
    makeViews(open, order.request.views, { vault, loopFolder: null, ...order.imported?.places }, runtime);
  open.keep();
  if (waitsForPrompt(order)) awaitPrompt(open, runtime);
  return open;
}

function createdEvent(
  id: string,
  { request, project, host, actor, from, imported }: StartOrder,
  prepared: Prepared,
  runtime: Runtime,
): EventOf<'created'> {
  return {
    type: 'created',
    at: runtime.now(),
    id,
    project,
    host,
    definition: definitionOf(request, project, prepared, imported),
    by: { hand: actor, session: from?.session ?? null, prompt: from?.prompt ?? null },
  };
}

/** Two loops with one progress file would keep overwriting each other's three lines. */
function progressHolder(order: StartOrder, runtime: Runtime): { loop: Loop; file: string } | null {
  const { project, imported } = order;
  if (!order.view || !order.request.views.includes('progress')) return null;
  const file = progressFile(project, { loopFolder: imported?.places?.loopFolder ?? null }, runtime);
  const loop = loopsOf(project, runtime).find(
    (other) =>
      !hasEnded(other) && other.files.views.some((view) => view.kind === 'progress' && view.file === file),
  );
  return loop === undefined || isOrigin(loop, order) ? null : { loop, file };
}

/**
 * The same delivery gives the same id, so a second one finds the folder taken. Without a prompt id, the time makes ids
 * differ.
 */
function loopId(order: StartOrder, salt: number, runtime: Runtime): string {
  const now = runtime.now();
  const sender = order.from;
  const delivery = sender?.prompt
    ? `${sender.session} ${sender.prompt}`
    : `${now} ${runtime.process} ${Math.random()}`;
  return `RALPH_${now.slice(0, 10).replaceAll('-', '')}_${hash(`${delivery} ${order.request.prompt} ${salt}`).slice(-6)}`;
}

function wasMadeByThis(id: string, order: StartOrder, runtime: Runtime): boolean {
  const open = runtime.store.open(id);
  // Not readable yet: if this start can be delivered twice, the other delivery is just making the loop.
  if (open === null) return (order.from?.prompt ?? null) !== null;
  const loop = open.loop();
  open.close();
  return isOrigin(loop, order);
}

function isOrigin(loop: Loop, order: StartOrder): boolean {
  const sender = order.from;
  return (
    sender !== null &&
    sender.prompt !== null &&
    loop.session.origin.session === sender.session &&
    loop.session.origin.prompt === sender.prompt
  );
}

function heldBy(sender: Sender, runtime: Runtime): Loop | null {
  const entry = runtime.store.sessions.find(sender.session);
  const open = entry === null ? null : runtime.store.open(entry.loop);
  if (open === null) return null;
  const loop = open.loop();
  open.close();
  return hasEnded(loop) || loop.session.owner?.session !== sender.session ? null : loop;
}
