/**
 * Reads a host's stream into the record of a pass, which is bounded however long the stream is, and counts
 * what it used. The streams themselves are kept as evidence.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { estimate, pricesWith } from '#hosts/prices/prices.ts';
import { combined, sumOf } from '#hosts/port/stream.ts';
import type { Denial, Result, StreamEvent, Spent, PassRecord } from '#hosts/port/stream.ts';
import type { Used, Context } from '#law/record/events.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import type { HeadlessHost } from '#hosts/port/headless.ts';
import { readEnd } from '#base/files/read.ts';
import { cutLines } from '#base/process/output.ts';
import { planOf, type Loop } from '#law/loop.ts';
import type { Store } from '#store/store.ts';
import { isCostKnown } from '#law/words/figures.ts';
import { sayContext } from '#telling/person/limits.ts';
import { isCrowded } from '#telling/person/status.ts';
import type { RunEventBody } from '#engine/run-event.ts';

/** Of a last message longer than twice this, we keep the end: a promise stands there. */
const MAX_MESSAGE_CHARS = 1_000_000;
const MAX_DENIALS_KEPT = 20;
/** More refusals than an agent causes between two results. */
const MAX_REFUSALS_KEPT = 200;

const NOTHING_SPENT: Spent = {
  costUsd: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export const EMPTY_RECORD: PassRecord = {
  session: null,
  model: null,
  version: null,
  permissionMode: null,
  message: '',
  messageId: null,
  toolUsed: false,
  context: null,
  compactions: 0,
  retries: 0,
  limit: null,
  windows: [],
  fault: null,
  result: null,
  refused: [],
  denied: [],
  spent: null,
  reckoned: { before: NOTHING_SPENT, last: null },
  turns: 0,
  noise: null,
};

export function recordEvent(record: PassRecord, event: StreamEvent): PassRecord {
  switch (event.is) {
    case 'init': {
      const { session, model, version, permissionMode } = event;
      // A new turn in the same process: the previous result was not the last.
      return { ...record, session, model, version, permissionMode, result: null };
    }
    case 'text':
      return { ...record, ...spoken(record, event), fault: null };
    case 'tool':
      // Text before a tool call is not the last message.
      return { ...record, toolUsed: true, message: '', messageId: null, fault: null };
    case 'context':
      return {
        ...record,
        context: { tokens: event.tokens, window: event.window ?? record.context?.window ?? null },
      };
    case 'usage':
      return { ...record, reckoned: reckonedWith(record.reckoned, event) };
    case 'compacted':
      return { ...record, compactions: record.compactions + 1 };
    case 'retry':
      return { ...record, retries: record.retries + 1 };
    case 'fallback':
      return { ...record, model: event.model ?? record.model };
    case 'rate-limit':
      return { ...record, limit: event, windows: event.windows ?? record.windows };
    case 'fault':
      return { ...record, fault: event };
    case 'noise':
      return { ...record, noise: event.text };
    case 'result':
      return withResult(record, event);
    case 'refused':
      return { ...record, refused: [...record.refused, event.id].slice(-MAX_REFUSALS_KEPT) };
    case 'subagent':
      return event.event.is === 'refused' || event.event.is === 'usage'
        ? recordEvent(record, event.event)
        : record;
    // The result repeats each denial, with its input.
    case 'denied':
    case 'asks':
    case 'answered':
    case 'tool-outcome':
    case 'other':
      return record;
  }
}

function spoken(record: PassRecord, { message, text }: Extract<StreamEvent, { is: 'text' }>) {
  const same = message !== null && message === record.messageId && record.message !== '';
  const whole = same ? `${record.message}\n${text}` : text;
  // We do not cut at every block: each cut copies a megabyte, and a message may come in thousands of blocks.
  const kept = whole.length > 2 * MAX_MESSAGE_CHARS ? whole.slice(-MAX_MESSAGE_CHARS) : whole;
  return { message: kept, messageId: message };
}

function withResult(record: PassRecord, result: Result): PassRecord {
  return {
    ...record,
    result,
    turns: record.turns + result.turns,
    spent: spentWith(record, result),
    // The figure includes all of it.
    reckoned: EMPTY_RECORD.reckoned,
    // The host lists a hook's refusals among its own denials. We leave them out: no permission would allow
    // them.
    denied: firstOf([...record.denied, ...result.denied.filter(({ id }) => !record.refused.includes(id))]),
    context: record.context && { ...record.context, window: result.window ?? record.context.window },
  };
}

/**
 * The totals cover the whole session, and a resumed session has spent before this pass. So we count each
 * result's own part.
 */
function spentWith(record: PassRecord, { since, total }: Result): Spent | null {
  if (total === null) return spentBy({ ...record, result: null });
  if (since === null) return total;
  return record.spent === null ? since : plus(record.spent, since);
}

/**
 * Where a host tells only the total of a session, what was used there before this pass does not count again.
 */
export function sinceEarlier(record: PassRecord, earlier: Spent | null): PassRecord {
  const { spent, result } = record;
  if (earlier === null || spent === null || !result?.total || result.since !== null) return record;
  return { ...record, spent: both(spent, earlier, (all, before) => Math.max(0, all - before)) };
}

/** A message comes in several lines, one for each block. Each line has the usage of the message so far. */
function reckonedWith(
  { before, last }: PassRecord['reckoned'],
  { message, spent }: Extract<StreamEvent, { is: 'usage' }>,
): PassRecord['reckoned'] {
  const others = last === null || last.message === message ? before : plus(before, last);
  return { before: others, last: { message, ...spent } };
}

/** What a pass has used, as far as we know. Null: the stream shows no request to a model. */
export function usedIn(record: PassRecord): Used | null {
  const spent = spentBy(record);
  if (spent === null) return null;
  const { costUsd, tokens, estimate: by } = spent;
  return { costUsd: costUsd ?? 0, tokens: sumOf(tokens), ...(by !== undefined && { estimated: true }) };
}

/**
 * `since`: when the pass began. `earlier`: what its session had used before. `model`: the one that was asked
 * for.
 */
interface PassAccount extends Record<'session' | 'since', string> {
  readonly earlier: Spent | null;
  readonly model: string | null;
}

/**
 * The record of a pass with all that its host tells elsewhere, and with an estimate where the host tells
 * tokens and no cost.
 */
export function accountFor(
  record: PassRecord,
  { host, env }: { readonly host: HeadlessHost; readonly env: Environment },
  { session, since, earlier, ...asked }: PassAccount,
  { limits, config }: Pick<Loop, 'limits'> & Pick<Store, 'config'>,
): PassRecord {
  const told = host.spentSince?.(session, since, env);
  const own = told ? { ...record, spent: told } : sinceEarlier(record, earlier);
  const spent = spentBy(own);
  if (spent === null || sumOf(spent.tokens) === 0) return own;
  // A model without a price in the host's own list costs nothing there. It may really be free, so we do not
  // guess.
  const isTold = spent.costUsd !== null;
  const isBounded = limits.costUsd !== null;
  if (isTold && (spent.costUsd > 0 || !isBounded)) return own;
  const model = own.model ?? host.modelOf?.(session, env) ?? asked.model;
  const cost = estimate(model, spent.tokens, pricesWith(config), isBounded && !isTold);
  if (cost === null) return { ...own, model };
  const by = cost.isDearest ? 'dearest' : 'priced';
  const { reckoned } = EMPTY_RECORD;
  return { ...own, model, reckoned, spent: { ...spent, costUsd: cost.costUsd, estimate: by } };
}

/** If the host had no time to report the cost, we add up the usage of its messages. */
export function spentBy({ spent, result, reckoned: { before, last } }: PassRecord): Spent | null {
  if (result !== null || last === null) return spent;
  const reckoned = plus(before, last);
  return spent === null ? reckoned : plus(spent, reckoned);
}

/** Each denial once: an agent often tries a denied call again. */
function firstOf(denied: readonly Denial[]): readonly Denial[] {
  const each = new Map(denied.map((denial) => [`${denial.tool} ${denial.summary}`, denial]));
  return [...each.values()].slice(0, MAX_DENIALS_KEPT);
}

function plus(a: Spent, b: Spent): Spent {
  return both(a, b, (one, other) => one + other);
}

function both(a: Spent, b: Spent, by: (one: number, other: number) => number): Spent {
  const isTold = a.costUsd !== null || b.costUsd !== null;
  const costUsd = isTold ? by(a.costUsd ?? 0, b.costUsd ?? 0) : null;
  return { costUsd, tokens: combined(a.tokens, b.tokens, by) };
}

export function readStream(
  host: Pick<HeadlessHost, 'openStream'>,
  give: (event: StreamEvent) => void,
  env?: Environment,
) {
  const stream = host.openStream(env);
  let record = EMPTY_RECORD;
  const lines = cutLines((line) => {
    for (const event of stream.read(line)) {
      record = recordEvent(record, event);
      give(event);
    }
  });
  return { ...lines, record: () => record };
}

/**
 * Reports the cost and context of a pass while it runs, because a pass may take an hour. The figures come
 * from its messages; the host's own figure replaces them when the pass is over. `loop`: as it was when the
 * pass began.
 */
export function openMeter(loop: Loop): (event: StreamEvent) => RunEventBody[] {
  let record: PassRecord = EMPTY_RECORD;
  let window: number | null = null;
  let last = '';
  let hasWarned = false;
  return (event) => {
    const { is } = event.is === 'subagent' ? event.event : event;
    if (!COUNTS.includes(is)) return [];
    if (event.is === 'init') ({ window } = event);
    record = recordEvent(record, event);
    const context = record.context && { ...record.context, window: record.context.window ?? window };
    const usage = usageEvent(loop, { used: usedIn(record), context });
    const figures = JSON.stringify(usage);
    const isNews = is === 'usage' && figures !== last;
    if (isNews) last = figures;
    const warns = context !== null && isCrowded(context) && !hasWarned;
    hasWarned ||= warns;
    return [...(isNews ? [usage] : []), ...(warns ? [sayNearlyFull(loop, context)] : [])];
  };
}

const COUNTS: readonly StreamEvent['is'][] = ['init', 'context', 'usage', 'result'];

/** `running`: what the pass under way has used, and its context. */
export function usageEvent(
  { spent, session, limits }: Loop,
  running?: { readonly used: Used | null; readonly context: Context | null },
): RunEventBody {
  const context = running === undefined ? session.context : running.context;
  const costUsd = spent.costUsd + (running?.used?.costUsd ?? 0);
  const tokens = spent.tokens + (running?.used?.tokens ?? 0);
  return {
    is: 'usage',
    costUsd: isCostKnown({ costUsd }, limits.costUsd) ? costUsd : null,
    tokens,
    contextTokens: context?.tokens ?? null,
    contextWindow: context?.window ?? null,
    isReckoned: running !== undefined,
    ...(spent.estimated === true && { isEstimate: true }),
  };
}

function sayNearlyFull(loop: Loop, context: Context): RunEventBody {
  const { context: kept } = planOf(loop);
  const advice =
    kept.is === 'same' && kept.compactEvery === null ? '; --compact-every N makes it smaller in time' : '';
  const text =
    `The context is at ${sayContext(context)}: the host will soon compact it, and what is only there ` +
    `is lost${advice}.`;
  return { is: 'warning', text };
}

const STREAM = /^(?:pass|compaction)-[\d-]+\.jsonl$/;
/** The result of a pass is among its last lines. */
const STREAM_END_BYTES = 256 * 1024;

export function streamSince(folder: string, since: number): string | null {
  try {
    const [newest] = readdirSync(folder)
      .filter((name) => STREAM.test(name))
      .map((name) => ({ path: join(folder, name), ms: Math.floor(statSync(join(folder, name)).mtimeMs) }))
      .toSorted((a, b) => b.ms - a.ms);
    return newest === undefined || newest.ms < since ? null : newest.path;
  } catch {
    return null;
  }
}

/** What the session of the newest pass had used in all, as its host told it. Null: it did not. */
export function totalSoFar(folder: string, host: HeadlessHost): Spent | null {
  const path = streamSince(folder, 0);
  if (path === null) return null;
  const stream = host.openStream();
  const events = readEnd(path, STREAM_END_BYTES)
    .split('\n')
    .flatMap((line) => stream.read(line));
  const last = events.findLast(({ is }) => is === 'result');
  return last?.is === 'result' && !last.failed ? last.total : null;
}
