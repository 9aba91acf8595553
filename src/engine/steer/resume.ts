/** Reopens a loop that is paused, interrupted or has ended without completing, and says what continues it. */
import { LETTING_GO } from '#engine/refusal-codes.ts';
import type { Actor } from '#law/record/events.ts';
import { hasEnded, isAwaitingCheck, isLive, type Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import { readCheckpoints } from '#evidence/proofs/stop-hooks/checkpoints.ts';
import { promptPlace } from '#store/prompts.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { advise, type Refused } from '#telling/advice.ts';
import { sayCheckpoint } from '#telling/agent/to-agent.ts';
import type { NewLimits } from '#telling/next-step.ts';
import { title, sayStatus } from '#telling/person/status.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { accept, nothingToAccept, type Accepted } from '../trust/trust.ts';
import { lookNow, resumeLoop } from './control.ts';
import { refusePruned, type Choice } from '../look/find.ts';
import { actOnLoop, resolveLoop } from './resolve.ts';
import { awaitPrompt } from '../begin/bind.ts';
import { ownerRuns, readPrompt, knownLoop, isBeingReleased, loopById } from '../look/loops.ts';
import { isAsked, writeBounds, refuseUsedUp } from './amend.ts';
import { refuseToAgents } from '../trust/people-only.ts';
import { existsSync } from 'node:fs';
import { trustIn } from '#evidence/proofs/stop-hooks/config-trust.ts';

export interface ResumeOrder extends Choice {
  readonly by: Actor;
  readonly limits: NewLimits;
  /** The number of a checkpoint to tell the agent about, as `dacapo checkpoints` counts. */
  readonly checkpoint?: string | undefined;
  readonly acceptChanges?: boolean;
}

export interface Resumed {
  readonly ok: true;
  readonly loop: Loop;
  readonly accepted: Accepted | null;
  readonly carriedOn: CarriedOn;
}

export type CarriedOn =
  /** By a `dacapo run` that the caller still has to start. */
  | { readonly by: 'run' }
  /** By the `dacapo run` in another terminal, which was waiting for its host and now continues at once. */
  | { readonly by: 'its-run' }
  /** By the first session that gets this prompt. `file`: where it is stored. */
  | { readonly by: 'prompt'; readonly prompt: string; readonly file: string }
  /** By any prompt in its session, which is open. */
  | { readonly by: 'open-session' }
  /**
   * By its session, once reopened. `ours`: `dacapo start` opened it, with the plugin for that session alone.
   */
  | { readonly by: 'session'; readonly session: string; readonly ours: boolean; readonly prompt: string }
  /** The loop is running, or has ended: nothing is left to do. */
  | { readonly by: 'nobody' };

const NONE = refuse(
  'none-to-resume',
  'No loop of this project can be resumed.',
  advise`${{ verb: 'status' }} shows their status.`,
);

/** Without an id: the loop that is paused or interrupted; if there is none, the newest. */
export function resume(order: ResumeOrder, runtime: Runtime): Resumed | Refused {
  const refusal = refuseAgents(order, runtime);
  if (refusal !== null) return refusal;
  const fits = (open: OpenLoop) => ['paused', 'interrupted'].includes(knownLoop(open, runtime).status.is);
  const found = resolveLoop(order, { fits, orNewest: true }, runtime);
  return actOnLoop(found, { verb: 'resume' }, NONE, (open) => reopen(open, order, runtime));
}

/** Only a person may raise a limit or accept changes to protected files. */
function refuseAgents({ acceptChanges = false, limits }: ResumeOrder, { env }: Runtime): Refused | null {
  if (!acceptChanges && !isAsked(limits)) return null;
  return refuseToAgents(`dacapo resume ${acceptChanges ? '--accept-changes' : 'with new limits'}`, env);
}

/** A person cancelled the loop on purpose, so it is reopened only by name. */
function refuseCancelled({ id }: Choice, loop: Loop): Refused | null {
  if (id !== undefined || loop.status.is !== 'cancelled') return null;
  const why = `The newest loop of this project, ${title(loop)}, was cancelled.`;
  return refuse('cancelled', why, advise`Name it to reopen it: ${{ verb: 'resume', loop: loop.id }}`);
}

function reopen(open: OpenLoop, order: ResumeOrder, runtime: Runtime): Resumed | Refused {
  const { by, limits, acceptChanges = false } = order;
  const before = knownLoop(open, runtime);
  const refusal = refuseCancelled(order, before) ?? whyNotResume(open, before, limits, runtime);
  if (refusal !== null) return refusal;
  const wanted = order.checkpoint;
  const checkpoint = wanted === undefined ? undefined : readCheckpoints(open.blobs)[Number(wanted) - 1];
  const none = `Loop ${title(before)} has no checkpoint ${JSON.stringify(wanted)}.`;
  if (wanted !== undefined && checkpoint === undefined)
    return refuse('no-checkpoint', none, advise`${{ verb: 'checkpoints', loop: before.id }} lists them.`);
  const needless = acceptChanges ? nothingToAccept(open, before) : null;
  if (needless !== null) return needless;
  if (!isLive(before)) carryOn(open, order, runtime);
  else if (limits.iterations !== undefined) amend(open, by, limits.iterations, runtime);
  keepEntry(open.loop(), runtime);
  const pruned = refusePruned(open.look());
  if (pruned !== null) return pruned;
  // Only now: an event that is written after an ending is void.
  writeBounds(open, limits, by, runtime);
  const accepted = acceptChanges ? accept(open, runtime) : null;
  if (accepted?.ok === false) return accepted;
  if (checkpoint !== undefined) {
    const { file } = checkpoint;
    open.write({ type: 'restored', at: runtime.now(), by, file, words: sayCheckpoint(checkpoint) });
    open.keep();
  }
  if (isAwaitingCheck(before) && !acceptChanges) {
    const carriedOn = { by: before.driver === 'fresh' ? ('its-run' as const) : ('nobody' as const) };
    return { ok: true, loop: lookNow(open, runtime), accepted: null, carriedOn };
  }
  if (waitsForItsHost(before) && !acceptChanges) {
    const { session = null, process = null } = open.loop().session.owner ?? {};
    const woken = resumeLoop(open, { by, session, process, prompt: null, iterations: null }, runtime);
    return { ok: true, loop: woken, accepted: null, carriedOn: { by: 'its-run' } };
  }
  const loop = knownLoop(open, runtime);
  // If the loop is running elsewhere, the new limits or accepted changes were all there was to do.
  const isDone = isLive(before) && (acceptChanges || isAsked(limits));
  return { ok: true, loop, accepted, carriedOn: carriedOnBy(open, loop, isDone) };
}

/** A run in another terminal waits for a service or a usage limit, and the wait may be over early. */
function waitsForItsHost({ status, driver }: Loop): boolean {
  return driver === 'fresh' && status.is === 'waiting' && (status.for === 'limit' || status.for === 'retry');
}

/** The process that bound the loop may have died before it wrote the entry: its session hears nothing. */
function keepEntry(loop: Loop, { store }: Runtime): void {
  const { id, project, driver, session } = loop;
  const { owner } = session;
  if (owner === null || driver !== 'hook' || !isLive(loop) || store.sessions.find(owner.session)) return;
  store.sessions.keep(owner.session, { loop: id, process: owner.process, project });
}

function carryOn(open: OpenLoop, { by, limits: { iterations } }: ResumeOrder, runtime: Runtime): void {
  const before = open.loop();
  const { owner } = before.session;
  const session = owner?.session ?? null;
  const process = processThatGoesOn(before, runtime);
  resumeLoop(open, { by, session, process, prompt: null, iterations: iterations ?? null }, runtime);
  if (iterations === null) amend(open, by, null, runtime);
  if (owner === null && before.driver === 'hook') awaitPrompt(open, runtime);
}

/** Null: its session is no longer open, and the next process that opens it goes on. */
function processThatGoesOn(loop: Loop, runtime: Runtime): number | null {
  const { status, driver, session } = loop;
  // A run never goes on by itself: the one that takes the loop up next writes its own process.
  if (driver === 'fresh') return null;
  const process = session.owner?.process ?? null;
  const left = status.is === 'interrupted' && status.why === 'session-end';
  return process !== null && !left && ownerRuns(loop, runtime) ? process : null;
}

function amend(open: OpenLoop, by: Actor, limit: number | null, runtime: Runtime): void {
  const iterations = limit ?? 'unlimited';
  open.write({ type: 'amended', at: runtime.now(), by, prompt: null, iterations });
  showAndKeep(open, runtime);
}

function carriedOnBy(open: OpenLoop, loop: Loop, isDone: boolean): CarriedOn {
  const { status, driver, session } = loop;
  const { owner } = session;
  if (hasEnded(loop)) return { by: 'nobody' };
  if (driver === 'fresh' && !isDone) return { by: 'run' };
  if (owner === null)
    return { by: 'prompt', prompt: readPrompt(open), file: promptPlace(open.blobs, loop.frame.prompt) };
  if (status.is === 'running' || status.is === 'waiting') return { by: 'nobody' };
  if (owner.process !== null) return { by: 'open-session' };
  const first = open.journal.read(0).events.find((event) => event.type === 'bound');
  const prompt = readPrompt(open);
  return { by: 'session', session: owner.session, ours: first?.how === 'start', prompt };
}

function whyNotResume(open: OpenLoop, loop: Loop, limits: NewLimits, runtime: Runtime): Refused | null {
  const { status, driver } = loop;
  const name = `Loop ${title(loop)}`;
  const next = advise`Start a new one: ${{ verb: driver === 'fresh' ? 'begin' : 'start' }}`;
  if (status.is === 'completed')
    return refuse('completed', `${name} is completed: nothing is left to do.`, next);
  if (open.broken() !== null)
    return refuse(
      'broken',
      `${name} can't continue: ${sayStatus(loop)}.`,
      `Its record is ${runtime.store.place(loop.id)}; start a new loop.`,
    );
  const unready = refuseNoFolder(loop) ?? refuseLettingGo(loop, runtime);
  if (unready !== null) return unready;
  const usedUp = refuseUsedUp(loop, name, limits, runtime.now());
  if (usedUp !== null) return usedUp;
  if (status.is === 'exhausted' && status.limit === 'items')
    return refuse(
      'used-up',
      `${name} has reached its maximum number of items, which can't be changed.`,
      advise`${next} --items FILE --max-items N`,
    );
  return refuseConfig(loop, runtime) ?? refuseTaken(loop, runtime);
}

/** Nobody can work in a project that was moved, or whose disk is not mounted. */
export function refuseNoFolder(loop: Loop): Refused | null {
  if (existsSync(loop.project)) return null;
  const why = `The folder of loop ${title(loop)} is gone: ${loop.project}.`;
  return refuse('no-folder', why, advise`Put it back, or end the loop: ${{ verb: 'cancel', loop: loop.id }}`);
}

/** Two runs of one loop would start two agents in the same files. */
export function refuseLettingGo(loop: Loop, runtime: Runtime): Refused | null {
  if (!isBeingReleased(loop, runtime)) return null;
  const why =
    `The run of loop ${title(loop)} is still ending its agent (process ` + `${loop.session.owner?.process}).`;
  return refuse(LETTING_GO, why, 'Try again in a few seconds.');
}

function refuseConfig({ config, project }: Loop, { store }: Runtime): Refused | null {
  const standing = config === null ? null : trustIn(store, project, config.file);
  if (standing === null || standing.is === 'trusted') return null;
  return refuse(`config-${standing.is}`, `${standing.why}.`, `${standing.next}, and try again.`);
}

function refuseTaken({ id, session: { owner } }: Loop, runtime: Runtime): Refused | null {
  const holder = owner === null ? null : runtime.store.sessions.find(owner.session);
  const other = holder === null || holder.loop === id ? null : loopById(holder.loop, runtime);
  if (other === null || hasEnded(other)) return null;
  const why = `Its session has another loop now: ${title(other)} ${sayStatus(other)}.`;
  return refuse('session-taken', why, advise`End that one first: ${{ verb: 'cancel', loop: other.id }}`);
}
