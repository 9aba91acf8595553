/** A loop is made: its definition, its owner, its view. The same for the slash command, the command line and adoption. */
import type { By, Definition, EventOf, Gate } from '../core/events.ts';
import { hash } from '../core/hash.ts';
import { hasEnded, type Loop } from '../core/loop.ts';
import type { StartRequest } from '../core/arguments.ts';
import { sayStatus, title } from '../core/words-to-person.ts';
import type { Sender } from '../hosts/host.ts';
import { keepListing } from '../journal/listings.ts';
import { keepPrompt } from '../journal/prompts.ts';
import { sessionEntry } from '../journal/sessions.ts';
import { makeLoop, openLoop, type OpenLoop } from '../journal/store.ts';
import { proveFeatures } from '../proofs/features.ts';
import { baseline } from '../proofs/moved.ts';
import type { Listed } from '../proofs/protected.ts';
import { bind } from './ownership.ts';
import { makeView } from './view.ts';
import type { World } from './world.ts';

/** By default a check may take this long; all checks of one stop stay under the hook's own time-out. */
const CHECK_MS = 300_000;
/** Bounded by default: a night and a day of work. */
const WORK_MS = 24 * 3_600_000;
/** How many different loops may want the same id before something else must be wrong. */
const TRIES = 20;

export interface StartOrder {
  readonly request: StartRequest;
  readonly project: string;
  readonly host: string;
  readonly hand: By;
  /** The session that asks for it, where there is one: a second delivery of the same start is known by it. */
  readonly from: Sender | null;
  /** How that session comes to own it; null: whoever takes it up first will. */
  readonly owns: 'command' | 'start' | 'adopt' | null;
  /** With a view? `dacapo start` and the slash command have one; adoption brings its own. */
  readonly view: boolean;
  /** What its protected files are now; absent: it has none. */
  readonly protection?: Listed | null;
}

export type Started =
  | { readonly is: 'started'; readonly open: OpenLoop }
  /** This start was delivered before: someone else has made the loop. */
  | { readonly is: 'again' }
  | { readonly is: 'refused'; readonly why: string; readonly loop: Loop };

export function startLoop(order: StartOrder, world: World): Started {
  const held = order.from === null || order.owns === null ? null : heldBy(order.from, world);
  if (held !== null)
    return isOrigin(held, order)
      ? { is: 'again' }
      : {
          is: 'refused',
          why: `this session has loop ${title(held)} already: it ${sayStatus(held)}`,
          loop: held,
        };
  for (let salt = 0; salt < TRIES; salt++) {
    const id = loopId(order, salt, world);
    const made = makeLoop(world.home, createdEvent(id, order, world), (dir) => {
      keepPrompt(dir, order.request.prompt);
      if (order.protection) keepListing(dir, order.protection.digest, order.protection.content);
    });
    if (made !== 'taken') return { is: 'started', open: furnish(made, order, world) };
    if (wasMadeByThis(id, order, world)) return { is: 'again' };
  }
  throw new Error('no free loop id was found');
}

function furnish(open: OpenLoop, order: StartOrder, world: World): OpenLoop {
  if (order.from !== null && order.owns !== null)
    bind(open, order.from, order.owns, order.from.prompt, world);
  if (order.view) makeView(open, world);
  open.keep();
  return open;
}

function createdEvent(id: string, order: StartOrder, world: World): EventOf<'created'> {
  const sender = order.from;
  return {
    type: 'created',
    at: world.now(),
    id,
    project: order.project,
    host: order.host,
    definition: definitionOf(order),
    by: { hand: order.hand, session: sender?.session ?? null, prompt: sender?.prompt ?? null },
  };
}

function definitionOf({ request, project, protection }: StartOrder): Definition {
  return {
    name: request.name,
    mode: 'loop',
    driver: request.mode,
    prompt: hash(request.prompt),
    gates: gatesOf(request, project),
    require: request.require,
    atLeast: request.minIterations,
    iterations: request.maxIterations,
    timeMs: request.timeoutMs ?? WORK_MS,
    staleMs: request.staleAfterMs,
    protect: request.protect,
    baseline: protection?.digest ?? null,
  };
}

function gatesOf(
  { promise, checks, features, watchFile, doneFolder }: StartRequest,
  project: string,
): Gate[] {
  const gates: Gate[] = promise === null ? [] : [{ kind: 'promise', text: promise }];
  for (const command of checks) gates.push({ kind: 'check', command, timeoutMs: CHECK_MS });
  if (features !== null)
    gates.push({ kind: 'features', file: features, begun: proveFeatures(features, project) });
  if (watchFile !== null && doneFolder !== null)
    gates.push({ kind: 'moved', baseline: baseline(watchFile, doneFolder, project) });
  return gates;
}

/** The same delivery gives the same id, so a second one finds the folder taken; without a prompt id, time tells starts apart. */
function loopId(order: StartOrder, salt: number, world: World): string {
  const now = world.now();
  const sender = order.from;
  const delivery = sender?.prompt
    ? `${sender.session} ${sender.prompt}`
    : `${now} ${world.process} ${Math.random()}`;
  return `RALPH_${now.slice(0, 10).replaceAll('-', '')}_${hash(`${delivery} ${order.request.prompt} ${salt}`).slice(-6)}`;
}

function wasMadeByThis(id: string, order: StartOrder, world: World): boolean {
  const open = openLoop(world.home, id);
  // Not readable yet: the other delivery is just making it.
  if (open === null) return true;
  const loop = open.loop();
  open.close();
  return isOrigin(loop, order);
}

function isOrigin(loop: Loop, order: StartOrder): boolean {
  const sender = order.from;
  return (
    sender !== null &&
    sender.prompt !== null &&
    loop.origin.session === sender.session &&
    loop.origin.prompt === sender.prompt
  );
}

function heldBy(sender: Sender, world: World): Loop | null {
  const entry = sessionEntry(world.home, sender.session);
  const open = entry === null ? null : openLoop(world.home, entry.loop);
  if (open === null) return null;
  const loop = open.loop();
  open.close();
  return hasEnded(loop) || loop.owner?.session !== sender.session ? null : loop;
}
