/** Turns a start request into the definition that the journal keeps: gates, limits, checks. */
import type { Definition, FrameRecord, Gate, Items } from '../../core/record/definition.ts';
import { hash } from '../../core/hash.ts';
import { ANSWER_MS } from '../../core/waiting/requests.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { ALL_CHECKS_MS, hasItems } from '../../flags/options.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { proveFeatures, readItemFile } from '../../lists/file.ts';
import { itemsAsked } from '../../lists/items.ts';
import { baseline } from '../../proofs/moved.ts';
import type { Configured } from '../../proofs/stop-hooks/configure.ts';
import { HOOK_MS, HOOKS_MS } from '../../proofs/stop-hooks/own-gates.ts';
import { asBegun, type ImportedStart } from '../../views/imported.ts';
import { exposedBy } from './check-program.ts';
import type { AskedGates, Baseline, Prepared } from './prepare.ts';

/** The default time limit: a night and a day of work. */
const WORK_MS = 24 * 3_600_000;
/** An agent that has tried the same thing ten times will try it forever. */
const STALLS = 10;
/** Each word about a list goes to the person and into the journal. */
const NOTE = 300;

export function definitionOf(
  request: StartRequest,
  project: string,
  prepared: Prepared,
  imported: ImportedStart | undefined,
): Definition {
  const { configured, protection, checks, rules, baseline } = prepared;
  const commands = checks.map(({ command }) => command);
  const asked = frameFor(request, project, prepared, baseline.checks);
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
    stalls: request.maxStalls === undefined ? STALLS : request.maxStalls,
    stallsAsked: request.maxStalls !== undefined,
    passes: imported?.passes ?? 0,
    views: request.views,
    protect: request.protect,
    baseline: protection?.digest ?? null,
    unmatched: protection?.unmatched ?? [],
    tree: baseline.tree,
    ...approvalsOf(request, rules, configured),
    exposed: commands.length === 0 ? [] : exposedBy(commands, request.protect, project),
    notify: request.notify,
  };
}

/** What the person asked for here, and what the project's config asks for. */
function approvalsOf(
  request: StartRequest,
  rules: readonly string[],
  configured: Configured | null,
): Pick<Definition, 'approvals'> {
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

/** The frame that a request asks for. Its prompt is not stored yet. */
export function frameFor(
  request: StartRequest,
  project: string,
  asked: AskedGates,
  known: Baseline['checks'],
): FrameRecord {
  return {
    mode: request.mode,
    prompt: hash(request.prompt),
    gates: gatesOf(request, project, asked, known),
    require: request.require,
    atLeast: request.minIterations,
    iterations: request.maxIterations,
    items: hasItems(request) ? itemsOf(request, project) : null,
    item: null,
  };
}

/** A file is read once more for what the person should know about it. */
function itemsOf(request: StartRequest, project: string): Items | null {
  const items = itemsAsked(request);
  if (items === null || items.from.is === 'command') return items;
  const list = readItemFile(items.from.file, project);
  const notes = list.ok ? list.notes.map((words) => oneLine(words, NOTE)) : [];
  return notes.length === 0 ? items : { ...items, notes };
}

export function checkingOf(request: StartRequest, configured: Configured | null): Definition['checking'] {
  const all = request.checksTimeoutMs ?? configured?.found.checksTimeoutMs ?? ALL_CHECKS_MS;
  return {
    parallel: request.parallel ?? configured?.found.parallel ?? 1,
    // A config serves both drivers: a time-out that only the other driver can grant is cut here.
    timeoutMs: request.driver === 'hook' ? Math.min(all, ALL_CHECKS_MS) : all,
  };
}

function gatesOf(
  request: StartRequest,
  project: string,
  { configured, checks }: AskedGates,
  known: Baseline['checks'],
): Gate[] {
  const { mode, promise, features, watchFile, doneFolder } = request;
  const gates: Gate[] = [...promiseGate(request, configured)];
  if (promise === null && mode !== 'loop' && !hasItems(request)) gates.push({ kind: 'signal' });
  for (const check of checks) {
    const begun = known.get(check.command);
    gates.push(begun === undefined ? check : { ...check, begun });
  }
  if (features !== null)
    gates.push({ kind: 'features', file: features, begun: proveFeatures(features, project) });
  if (watchFile !== null && doneFolder !== null)
    gates.push({ kind: 'moved', baseline: baseline(watchFile, doneFolder, project) });
  return [...gates, ...hooksGate(configured)];
}

/**
 * The default promise is not needed if the config brings checks. Stop hooks do not replace it, since they may only
 * watch.
 */
function promiseGate({ promise, promiseByDefault }: StartRequest, configured: Configured | null): Gate[] {
  if (promise === null || (promiseByDefault && (configured?.found.checks.length ?? 0) > 0)) return [];
  return [{ kind: 'promise', text: promise }];
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
