/**
 * Prepares a loop on this machine: its record, its work tree as of the last counted iteration, and its host.
 */
import { sayAdvice, type Refused } from '#telling/advice.ts';
import { inFleet } from '#telling/audience.ts';
import { framesOf, planOf, type Loop } from '#law/loop.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { acpCommand } from '#base/words/acp-host.ts';
import { parseAs, record, whole } from '#base/shape.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { findProgram, NO_HOST } from '#hosts/port/program.ts';
import { NO_PROGRAM, refuseMissing } from '#engine/asked/gates.ts';
import { refuseReviewers } from '#engine/asked/reviews.ts';
import { beginRun, continueRun, type RunBegun, type RunHost, type RunRefused } from '#engine/begin/run.ts';
import { setUpWorktree } from '#engine/begin/run-git.ts';
import { withLoop } from '#engine/look/loops.ts';
import { interruptLoop } from '#engine/steer/control.ts';
import { agreeInTree, PLANTED, recordPlanted } from '#engine/trust/brought.ts';
import { trust, trustHost } from '#engine/trust/trust.ts';
import { RUNNER, SENDER } from '#base/process/package.ts';
import { processRuntime } from '#engine/process-runtime.ts';
import { findHome } from '#store/file/home.ts';
import { writeCopy } from '#store/file/loops.ts';
import type { LoopFile } from '#store/manifest.ts';
import type { Runtime } from '#store/runtime.ts';
import { treeStore } from '#store/evidence.ts';
import { followDeltas, pendingLoop, type KnownState } from '../memory.ts';
import { summaryOf } from '../record.ts';
import type { DrivenOrder, DrivenEnd } from '../worker/protocol.ts';
import { dropTree, makeTree, markReady, returnToPoint } from '../worker/tree.ts';
import { continueJournal } from './barriers.ts';

export type BegunHere = Exclude<Awaited<ReturnType<typeof beginHere>>, DrivenEnd>;

export async function beginHere(order: DrivenOrder, tell: (event: RunEventBody) => void) {
  const { taken } = order;
  const runtime = processRuntime({ env: process.env, runner: RUNNER, sender: SENDER });
  const { host: asked, plan, request } = taken.request;
  const named = [asked, ...(plan.fallbackHosts ?? []), ...request.reviewers.map((one) => one.host)];
  const undeclared = refuseUndeclared(named, order.hosts);
  if (undeclared !== null) return notHere(undeclared);
  const host = hostOf(taken.request);
  const found = findProgram(host, process.env);
  if (!found.ok) return notHere(found.message);
  const on = { host: host.headless, program: found.program };
  const copied = writeRecord(order, runtime);
  const made = await makeTree(taken, order);
  if (!made.ok) return notHere(made.message);
  const unready = made.isNew ? await setUp(order, on, runtime, tell) : null;
  const store = withLoop(taken.id, runtime, treeStore);
  const astray = unready ?? (store === null ? null : await returnToPoint(taken, order, store));
  if (astray !== null) return notHere(astray.message);
  const begun =
    taken.events > 0 ? continueFromRecord(order, on, runtime) : await beginFromRequest(order, on, runtime);
  const refusal = begun.ok ? lacksFor(begun.open.loop(), order.hosts, runtime) : begun;
  if (refusal !== null && (LACKS.includes(refusal.code) || refusal.isHostUnfit))
    return notHere(sayWhy(refusal));
  if (!begun.ok) return endRefused(order, begun, copied, runtime);
  const { open, permissionMode } = begun;
  return { order, open, on, permissionMode, base: made.base, growth: followDeltas(open, copied), runtime };
}

/**
 * What this machine lacks, and another may have: the program of a check, or a reviewer that the config names.
 */
const LACKS: readonly string[] = [NO_PROGRAM, NO_HOST];

/** A loop that another machine has begun. */
function lacksFor(loop: Loop, hosts: readonly string[], { env }: Runtime): RunRefused | null {
  const frames = framesOf(loop);
  const gates = frames.flatMap((frame) => frame.gates);
  const checks = gates.filter((gate) => gate.kind === 'check');
  const commands = [...checks, ...frames.flatMap(({ measures = [] }) => measures)].map((one) => one.command);
  const reviews = gates.filter((gate) => gate.kind === 'review');
  const named = [...reviews.map((gate) => gate.host), ...(planOf(loop).fallbackHosts ?? [])];
  const undeclared = refuseUndeclared(named, hosts);
  if (undeclared !== null) return refuse(NO_HOST, undeclared, DECLARE);
  return refuseMissing(commands, env) ?? refuseReviewers(reviews, env);
}

const DECLARE = 'Start the worker with --host "acp:COMMAND".';

/**
 * An agent by a command is what its submitter wrote. It runs here only if whoever started this worker gave
 * exactly that command, whatever the columns of the row say.
 */
function refuseUndeclared(asked: readonly string[], hosts: readonly string[]): string | null {
  const foreign = asked.find((name) => acpCommand(name) !== null && !hosts.includes(name));
  return foreign === undefined ? null : `this worker was not started with --host ${JSON.stringify(foreign)}`;
}

/** This worker can't work on the loop now. Another one may, or this one after a while. */
function notHere(why: string): DrivenEnd {
  return { shipment: null, release: { until: 'later', why } };
}

function writeRecord({ taken, loopRecord }: DrivenOrder, runtime: Runtime): KnownState {
  const files = withoutOpenSpans(loopRecord);
  if (taken.events === 0) runtime.store.remove(taken.id);
  else writeCopy(findHome(process.env, process.platform), taken.id, loopRecord.events, files);
  return {
    upTo: withLoop(taken.id, runtime, ({ journal }) => journal.end()) ?? 0,
    files: new Map(loopRecord.files.map(({ name, sha256 }) => [name, sha256])),
  };
}

/** Leaves out spans of passes that were not counted: their trees stayed on the machine that lost the loop. */
function withoutOpenSpans({ events, files }: DrivenOrder['loopRecord']): LoopFile[] {
  const counted = events.reduce((last, event) => (event.type === 'recorded' ? event.iteration : last), 0);
  const span = record({ iteration: whole });
  const isCounted = (line: string) => (parseAs(span, line)?.iteration ?? Infinity) <= counted;
  return files.map((part) => {
    if (part.name !== 'git/stretches.jsonl') return part;
    const lines = part.content.split('\n').filter(isCounted);
    return { ...part, content: lines.map((line) => `\n${line}`).join('') };
  });
}

/**
 * Once in every new tree. Whoever starts a worker agrees to run what its repositories bring; `--accept` says
 * which.
 */
async function setUp(
  { taken, tree }: DrivenOrder,
  { host }: RunHost,
  runtime: Runtime,
  tell: (event: RunEventBody) => void,
): Promise<Refusal | null> {
  const ofProject = host.brought?.({ project: tree, env: process.env, platform: process.platform });
  if (ofProject) trustHost(tree, ofProject, runtime);
  const { config } = taken.request.request;
  // Refused where there is none to trust.
  if (config?.is !== 'none') await trust({ project: tree, config: config?.file ?? null }, runtime);
  if (taken.setup !== null) {
    const show = (text: string) => tell({ is: 'warning', text });
    const done = await setUpWorktree(taken.setup, tree, show, runtime);
    if (!done.ok) {
      dropTree(tree);
      return done;
    }
  }
  markReady(tree);
  return null;
}

async function beginFromRequest(
  { taken, tree }: DrivenOrder,
  on: RunHost,
  runtime: Runtime,
): Promise<RunBegun> {
  const { request, plan } = taken.request;
  const order = { request, plan: { ...plan, branch: taken.branch }, project: tree, worktree: null, on };
  return beginRun({ ...order, by: 'terminal', ofFleet: taken.id }, runtime);
}

/** The loop was parked, or its worker is gone: either way nothing else works on it. */
function continueFromRecord(
  { taken, loopRecord, tree }: DrivenOrder,
  on: RunHost,
  runtime: Runtime,
): RunBegun {
  const { id } = taken;
  withLoop(id, runtime, (open) => {
    agreeInTree(open, tree, runtime);
    continueJournal(open, tree, loopRecord.lost, runtime);
    open.keep();
  });
  return continueRun({ choice: { id, root: tree }, planned: null, by: 'terminal', on }, runtime);
}

function sayWhy({ message, next }: Refused): string {
  return `${message} ${sayAdvice(next, inFleet)}`;
}

/** A loop that can't begin ends with the reason. One that can't go on waits for a person. */
function endRefused(order: DrivenOrder, refusal: Refused, copied: KnownState, runtime: Runtime): DrivenEnd {
  const { id, events, request } = order.taken;
  const why = sayWhy(refusal);
  const at = runtime.now();
  const open = events > 0 ? runtime.store.open(id) : pendingLoop(id, request, runtime, order.tree);
  if (open === null) return notHere(why);
  if (refusal.code === PLANTED) recordPlanted(open, hostOf(request).headless, runtime);
  else if (events > 0) interruptLoop(open, 'fault', why, runtime);
  else open.write({ type: 'aborted', at, why: 'begin', detail: why, evidence: null });
  const { confirm: _, ...grown } = followDeltas(open, copied)();
  const shipment = { ...grown, from: events, summary: summaryOf(open, runtime), applied: 0 };
  return { shipment, release: { until: null } };
}
