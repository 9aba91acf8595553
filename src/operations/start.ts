/** A loop is made: its definition, its owner, its view. The same for the slash command, the command line and adoption. */
import type { Definition, FrameFields, Gate } from '../core/definition.ts';
import type { By, EventOf } from '../core/events.ts';
import { ALL_CHECKS_MS, hasItems, viewsOf } from '../flags/options.ts';
import { hash } from '../core/hash.ts';
import { hasEnded, type Loop } from '../core/loop.ts';
import type { StartRequest } from '../flags/arguments.ts';
import { itemsAsked, type FirstItem } from '../lists/items.ts';
import { sayStatus } from '../text/status.ts';
import { title } from '../text/to-person.ts';
import type { Sender } from '../hosts/arrival.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { keepListing } from '../proofs/listings.ts';
import { keepPrompt } from '../store/file/prompts.ts';
import { sessionEntry } from '../store/file/sessions.ts';
import { makeLoop, openLoop, type OpenLoop } from '../store/open-loop.ts';
import { proveFeatures } from '../lists/file.ts';
import { baseline } from '../proofs/moved.ts';
import { asBegun, pushBegun, type Begun } from '../views/begun.ts';
import { loopsOf } from './find.ts';
import { bind } from './ownership.ts';
import { HOOK_MS, HOOKS_MS, type Configured } from '../proofs/stop-hooks/configured.ts';
import { lookAtLists } from '../guard/removed-items.ts';
import { progressFile } from '../views/progress/view.ts';
import type { Protection } from './protection.ts';
import { pushItem } from './push-item.ts';
import { makeViews } from '../views/markdown/view.ts';
import type { World } from '../store/runtime.ts';

/** By default a check may take this long; all checks of one stop stay under the hook's own time-out. */
const CHECK_MS = 300_000;
/** Bounded by default: a night and a day of work. */
const WORK_MS = 24 * 3_600_000;
/** An agent that tries the same ten times tries it for ever. */
const STALLS = 10;
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
  /** The first of its work items, where it has some (`firstItem`). */
  readonly item?: FirstItem | null;
  /** With a view? `dacapo start` and the slash command have one; adoption brings its own. */
  readonly view: boolean;
  /** What it takes from the project's config and the user's own stop hooks; absent: nothing. */
  readonly configured?: Configured | null;
  /** What its protected files are now (`protectionFor`); absent: it has none. */
  readonly protection?: Protection | null;
  /** What a loop brings along that was begun elsewhere. */
  readonly begun?: Begun;
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
  const holder = progressHolder(order, world);
  if (holder !== null)
    return {
      is: 'refused',
      why: `${holder.file} is kept by loop ${title(holder.loop)} already: it ${sayStatus(holder.loop)}`,
      loop: holder.loop,
    };
  for (let salt = 0; salt < TRIES; salt++) {
    const id = (salt === 0 && order.begun?.id) || loopId(order, salt, world);
    const made = makeLoop(world.home, createdEvent(id, order, world), (dir) => {
      keepPrompt(dir, order.request.prompt);
      for (const { name, bytes } of order.begun?.copies ?? []) keepEvidence(dir, name, bytes);
      if (order.protection) keepListing(dir, order.protection.digest, order.protection.content);
    });
    if (made !== 'taken') return { is: 'started', open: furnish(made, order, world) };
    if (wasMadeByThis(id, order, world)) return { is: 'again' };
  }
  throw new Error('no free loop id was found');
}

function furnish(open: OpenLoop, order: StartOrder, world: World): OpenLoop {
  pushBegun(open, order.begun?.inner ?? [], order.hand, world);
  if (order.item) {
    pushItem(open, order.item, order.hand, null, world);
    lookAtLists(open, world);
  }
  if (order.from !== null && order.owns !== null)
    bind(open, order.from, order.owns, order.from.prompt, world);
  const { vault } = order.request;
  if (order.view)
    makeViews(open, viewsOf(order.request), { vault, loopFolder: null, ...order.begun?.places }, world);
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

function definitionOf({ request, project, begun, protection, configured = null }: StartOrder): Definition {
  const { item: _, ...frame } = asBegun(frameFor(request, project, configured), begun);
  return {
    ...frame,
    name: request.name,
    driver: request.driver,
    timeMs: request.timeoutMs ?? WORK_MS,
    staleMs: request.staleAfterMs,
    checking: checkingOf(request, configured),
    config: configured?.config ?? null,
    costUsd: request.maxCostUsd,
    tokens: request.maxTokens,
    stalls: request.maxStalls === undefined ? STALLS : request.maxStalls,
    stallsAsked: request.maxStalls !== undefined,
    passes: begun?.passes ?? 0,
    views: viewsOf(request),
    protect: request.protect,
    baseline: protection?.digest ?? null,
    unmatched: protection?.unmatched ?? [],
  };
}

/** What is asked for at one level. Its prompt is yet to be kept. */
export function frameFor(
  request: StartRequest,
  project: string,
  configured: Configured | null = null,
): FrameFields {
  return {
    mode: request.mode,
    prompt: hash(request.prompt),
    gates: gatesOf(request, project, configured),
    require: request.require,
    atLeast: request.minIterations,
    iterations: request.maxIterations,
    items: itemsAsked(request),
    item: null,
  };
}

function checkingOf(request: StartRequest, configured: Configured | null): Definition['checking'] {
  const all = request.checksTimeoutMs ?? configured?.found.checksTimeoutMs ?? ALL_CHECKS_MS;
  return {
    parallel: request.parallel ?? configured?.found.parallel ?? 1,
    // A config serves both drivers: what only one of them can grant is cut for the other.
    timeoutMs: request.driver === 'hook' ? Math.min(all, ALL_CHECKS_MS) : all,
  };
}

function gatesOf(request: StartRequest, project: string, configured: Configured | null): Gate[] {
  const { mode, promise, features, watchFile, doneFolder } = request;
  const gates: Gate[] = [...promiseGate(request, configured)];
  if (promise === null && mode !== 'loop' && !hasItems(request)) gates.push({ kind: 'signal' });
  gates.push(...checkGates(request, configured));
  if (features !== null)
    gates.push({ kind: 'features', file: features, begun: proveFeatures(features, project) });
  if (watchFile !== null && doneFolder !== null)
    gates.push({ kind: 'moved', baseline: baseline(watchFile, doneFolder, project) });
  return [...gates, ...hooksGate(configured)];
}

/** The promise that stands in for a gate is not needed where the config brings checks; stop hooks may only watch. */
function promiseGate({ promise, promiseByDefault }: StartRequest, configured: Configured | null): Gate[] {
  if (promise === null || (promiseByDefault && (configured?.found.checks.length ?? 0) > 0)) return [];
  return [{ kind: 'promise', text: promise }];
}

/** What the person typed, then what the config names. The same command twice is one check, under its name. */
function checkGates(request: StartRequest, configured: Configured | null): Gate[] {
  const found = configured?.found;
  const each = request.checkTimeoutMs ?? found?.checkTimeoutMs ?? CHECK_MS;
  const named = (found?.checks ?? []).map(({ name, command, timeoutMs }): Gate => {
    return { kind: 'check', name, command, timeoutMs: timeoutMs ?? each };
  });
  const typed = [...new Set(request.checks)]
    .filter((command) => found?.checks.every((check) => check.command !== command) ?? true)
    .map((command): Gate => ({ kind: 'check', name: null, command, timeoutMs: each }));
  return [...typed, ...named];
}

function hooksGate(configured: Configured | null): Gate[] {
  if (configured === null || configured.found.hooks.length === 0) return [];
  const { hooks, hookTimeoutMs, hooksTimeoutMs } = configured.found;
  return [
    {
      kind: 'hooks',
      names: hooks.map(({ name }) => name),
      timeoutMs: hookTimeoutMs ?? HOOK_MS,
      allMs: hooksTimeoutMs ?? HOOKS_MS,
      mark: configured.mark,
    },
  ];
}

/** Two loops would write the same three lines over and over. */
function progressHolder(order: StartOrder, world: World): { loop: Loop; file: string } | null {
  const { project, begun } = order;
  if (!order.view || !viewsOf(order.request).includes('progress')) return null;
  const file = progressFile(project, { loopFolder: begun?.places?.loopFolder ?? null }, world);
  const loop = loopsOf(project, world).find(
    (other) => !hasEnded(other) && other.views.some((view) => view.kind === 'progress' && view.file === file),
  );
  return loop === undefined || isOrigin(loop, order) ? null : { loop, file };
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
  // Not readable yet: the other delivery is just making it, where there can be one.
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
