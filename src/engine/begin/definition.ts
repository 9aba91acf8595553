/** Turns a start request into the definition that the journal keeps: gates, limits, checks. */
import type { Definition, FrameRecord, Gate, Items } from '#law/record/definition.ts';
import { hash } from '#base/hash.ts';
import { measuresGate } from '#law/measures.ts';
import { ANSWER_MS } from '#law/waiting/requests.ts';
import type { StartRequest } from '#input/arguments.ts';
import { hasItems } from '#input/options.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { proveFeatures, readItemFile } from '#evidence/lists/file.ts';
import { itemsAsked } from '#evidence/lists/items.ts';
import { baseline } from '#evidence/proofs/moved.ts';
import type { Configured } from '#evidence/proofs/stop-hooks/configure.ts';
import { HOOK_MS, HOOKS_MS } from '#evidence/proofs/stop-hooks/own-gates.ts';
import { asBegun } from '#evidence/views/imported.ts';
import { checkingOf, type AskedGates } from '../asked/gates.ts';
import type { ToBegin } from '../asked/items.ts';
import { configProves } from '../asked/measures.ts';
import type { Baseline, Prepared } from './prepare.ts';

/** The default time limit: a night and a day of work. */
const WORK_MS = 24 * 3_600_000;
/** An agent that has tried the same thing ten times will try it forever. */
const USUAL_MAX_STALLS = 10;
const MAX_NOTE_CHARS = 300;

export function definitionOf({ request, project, imported }: ToBegin, prepared: Prepared): Definition {
  const { configured, protection, baseline } = prepared;
  const asked = frameFor({ request, project }, prepared, baseline);
  const { item: _, ...frame } = imported === undefined ? asked : asBegun(asked, imported);
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
    stalls: request.maxStalls === undefined ? USUAL_MAX_STALLS : request.maxStalls,
    stallsAsked: request.maxStalls !== undefined,
    passes: imported?.passes ?? 0,
    views: request.views,
    protect: request.protect,
    baseline: protection?.digest ?? null,
    unmatched: protection?.unmatched ?? [],
    tree: baseline.tree,
    ...approvalsOf(request, prepared),
    ...(baseline.ground !== null && { ground: baseline.ground.ground }),
    notify: request.notify,
  };
}

function approvalsOf(request: StartRequest, { rules, configured }: AskedGates) {
  const { approveDone, approvalTimeoutMs, approvalPolicy, approvals } = request;
  const found = configured?.found;
  const timeoutMs = approvalTimeoutMs ?? found?.approvalTimeoutMs ?? null;
  const done = approveDone || found?.approveDone === true;
  const policy = found?.approvalPolicy === 'person' ? 'person' : approvalPolicy;
  if (rules.length === 0 && !done && timeoutMs === null && policy === 'file' && approvals === null) return {};
  return {
    approvals: { rules: [...rules], done, timeoutMs: timeoutMs ?? ANSWER_MS, policy, folder: approvals },
  };
}

type BaselineKnown = Pick<Baseline, 'checks' | 'measures'>;

/** The frame that a request asks for. Its prompt is not stored yet. */
export function frameFor(order: ToBegin, asked: AskedGates, known: BaselineKnown): FrameRecord {
  const { request } = order;
  const { measures } = known;
  return {
    mode: request.mode,
    prompt: hash(request.prompt),
    gates: gatesOf(order, asked, known),
    require: request.require,
    atLeast: request.minIterations,
    ...(request.confirm !== null && { confirm: request.confirm }),
    ...(measures.length > 0 && { measures }),
    iterations: request.maxIterations,
    items: readItems(order),
    item: null,
  };
}

/** A file is read once more for what the person should know about it. */
function readItems({ request, project }: ToBegin): Items | null {
  const items = hasItems(request) ? itemsAsked(request) : null;
  if (items === null || items.from.is === 'command') return items;
  const list = readItemFile(items.from.file, project);
  const notes = list.ok ? list.notes.map((words) => oneLine(words, MAX_NOTE_CHARS)) : [];
  return notes.length === 0 ? items : { ...items, notes };
}

function gatesOf(order: ToBegin, { configured, checks, reviews }: AskedGates, known: BaselineKnown): Gate[] {
  const { request, project } = order;
  const { mode, promise, features, watchFile, doneFolder } = request;
  const gates: Gate[] = [...promiseGate(request, configured)];
  if (promise === null && mode !== 'loop' && !hasItems(request)) gates.push({ kind: 'signal' });
  for (const check of checks) {
    const begun = known.checks.get(check.command);
    gates.push(begun === undefined ? check : { ...check, begun });
  }
  if (features !== null)
    gates.push({ kind: 'features', file: features, begun: proveFeatures(features, project) });
  if (watchFile !== null && doneFolder !== null)
    gates.push({ kind: 'moved', baseline: baseline(watchFile, doneFolder, project) });
  return [
    ...gates,
    ...(known.measures.length > 0 ? measuresGate(known.measures) : []),
    ...hooksGate(configured),
    ...reviews,
  ];
}

/** Gates of the config that show the task done replace the default promise. */
function promiseGate({ promise, promiseByDefault }: StartRequest, configured: Configured | null): Gate[] {
  if (promise === null || (promiseByDefault && configProves(configured))) return [];
  return [{ kind: 'promise', text: promise }];
}

function hooksGate(configured: Configured | null): Gate[] {
  if (configured === null || configured.found.hooks.length === 0) return [];
  const { found, mark } = configured;
  const names = found.hooks.map(({ name }) => name);
  const [timeoutMs, allMs] = [found.hookTimeoutMs ?? HOOK_MS, found.hooksTimeoutMs ?? HOOKS_MS];
  return [{ kind: 'hooks', names, timeoutMs, allMs, mark }];
}
