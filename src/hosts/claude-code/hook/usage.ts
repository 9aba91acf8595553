/**
 * Counts what a session has used, from its transcript and those of its subagents, for a loop with a budget.
 * It is a separate file in the plugin, so other loops do not load it. We read each file in chunks from where
 * the last count ended, so a long transcript or pass costs no more than what was appended.
 *
 * The last message's row lags 100 ms behind the stop. We count it at the next one, so a limit takes effect
 * one message late. Small requests of the host itself (titles, summaries) leave no row and are not counted.
 */
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { namesBelow } from '#base/files/list-below.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { Loop } from '#law/loop.ts';
import type { Used } from '#law/record/events.ts';
import type { Count, LedgerBlob } from '#hosts/port/arrival.ts';
import { hashBefore, messageIn, readRows } from './rows.ts';
import { costOf, tokensOf } from '../usage-cost.ts';
import { pricesWith, sayUnpriced, type Prices } from '#hosts/prices/prices.ts';
import { readAs, amount, list, maybe, orNull, record, text, whole, type Infer, codeOf } from '#base/shape.ts';

/** How many subagents' counts we keep. A loop may start thousands; the older ones ended long ago. */
const MAX_AGENTS_KEPT = 200;
/** How many messages per file we remember. The rows of one message are close together. */
const MAX_MESSAGES_KEPT = 8;
const MAX_MODELS_KEPT = 8;

/** Which rows count: not those from before the loop, nor from while the loop was not at work. */
type Counts = (timestamp: string) => boolean;

export async function countUsage(
  transcript: string,
  loop: Loop,
  kept: LedgerBlob,
  config: () => string | null,
): Promise<Count> {
  const session = loop.session.owner?.session ?? '';
  const found = readAs(ledgerShape, kept.read);
  // Another session has other files. If the ledger is lost, we count only what came after the last stop.
  const ledger: Ledger = found?.session === session ? found : { ...NOTHING, session, before: loop.spent };
  const isFirst = found === null ? loop.last === null : found.session !== session;
  const trouble = troubleWith(transcript, ledger.main, isFirst);
  const lost = (found === null || trouble?.is === 'rewritten') && loop.last !== null ? loop.last.at : null;
  const counts = countsFor(loop, lost);

  const tally = new RunningCount(ledger.counted, ledger.unpriced, pricesWith(config));
  const main = trouble?.is === 'unread' ? ledger.main : tally.read(transcript, ledger.main, counts);
  const agents = countAgents(transcript, ledger, counts, tally);
  const next: Ledger = { ...ledger, main, ...agents, counted: tally.counted, unpriced: tally.unpriced };
  kept.write(JSON.stringify(next));
  return {
    used: usedSince(next, loop.spent),
    note: noteOn(ledger, next),
    trouble: trouble && { is: 'uncounted', why: trouble.why },
  };
}

/**
 * A transcript only grows. If it is gone, shorter or rewritten, usage is unknown: never count that as zero.
 * Only at a session's first stop may it be missing: a busy host writes it a moment
 * later, and the next stop counts it from the start.
 */
function troubleWith(transcript: string, known: FileCount | null, isFirst: boolean) {
  const trouble = (is: 'unread' | 'rewritten', how: string) => ({
    is,
    why:
      `the transcript of the session ${how}, so what it has used can't be counted: ` +
      `${oneLine(transcript, 200)}`,
  });
  try {
    if (isFirst && lstatSync(transcript, { throwIfNoEntry: false }) === undefined) return null;
    const found = statSync(transcript, { throwIfNoEntry: false });
    if (found === undefined) return trouble('unread', 'is not there');
    if (!found.isFile()) return trouble('unread', 'is not a regular file');
    if (found.size < (known?.upTo ?? 0)) return trouble('rewritten', 'has shrunk');
    return isRewritten(transcript, known) ? trouble('rewritten', 'was rewritten') : null;
  } catch (error) {
    return trouble('unread', `can't be read (${codeOf(error)})`);
  }
}

function isRewritten(path: string, known: FileCount | null): boolean {
  return Boolean(known?.seen) && hashBefore(path, known?.upTo ?? 0) !== known?.seen;
}

/** The ledger's count minus what the loop has already recorded. So a lost stop in between loses nothing. */
function usedSince({ before, counted }: Ledger, spent: Used): Used {
  return {
    costUsd: Math.max(0, before.costUsd + counted.costUsd - spent.costUsd),
    tokens: Math.max(0, before.tokens + counted.tokens - spent.tokens),
    estimated: true,
  };
}

/** Between `until` and `since` the loop's clock stood still, as a person used the session. */
function countsFor({ startedAt, clock: { since, until } }: Loop, lost: string | null): Counts {
  const from = until === null ? Number.NEGATIVE_INFINITY : Date.parse(until);
  const to = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const begin = Date.parse(lost ?? startedAt);
  return (timestamp) => {
    const at = Date.parse(timestamp);
    return at >= begin && !(at >= from && at < to);
  };
}

function countAgents(
  transcript: string,
  ledger: Ledger,
  counts: Counts,
  tally: RunningCount,
): Pick<Ledger, 'agents' | 'forgotten'> {
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
  const known = new Map(ledger.agents.map((agent) => [agent.name, agent]));
  // A file without a count is new, or its count was dropped. In the second case only younger rows can be new.
  const young: Counts = (timestamp) =>
    counts(timestamp) && (ledger.forgotten === null || timestamp > ledger.forgotten);
  for (const { name, changed, size } of transcriptsIn(folder)) {
    const agent = known.get(name);
    if (agent === undefined && ledger.forgotten !== null && changed <= ledger.forgotten) continue;
    // Two writes within one clock tick have the same time, so we compare the size too.
    if (agent !== undefined && agent.changed === changed && agent.upTo === size) continue;
    const file = tally.read(join(folder, name), agent ?? null, agent === undefined ? young : counts);
    known.set(name, { name, changed, ...file });
  }
  const byAge = [...known.values()].toSorted((a, b) => (a.changed < b.changed ? 1 : -1));
  const forgotten = byAge[MAX_AGENTS_KEPT]?.changed ?? ledger.forgotten;
  return { agents: byAge.slice(0, MAX_AGENTS_KEPT), forgotten };
}

function transcriptsIn(folder: string): { name: string; changed: string; size: number }[] {
  try {
    return namesBelow(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => {
        const { mtime, size } = statSync(join(folder, name));
        return { name, changed: mtime.toISOString(), size };
      });
  } catch {
    // Most sessions have no subagents.
    return [];
  }
}

class RunningCount {
  constructor(
    public counted: Used,
    public unpriced: readonly string[],
    private readonly prices: Prices,
  ) {}

  read(path: string, known: FileCount | null, counts: Counts): FileCount {
    let messages = known?.messages ?? [];
    const from = isRewritten(path, known) ? null : (known?.upTo ?? null);
    const upTo = readRows(path, from, counts, (row) => {
      const message = messageIn(row);
      if (message === null || !counts(message.timestamp)) return;
      const { id, model, usage } = message;
      const tokens = tokensOf(usage);
      if (tokens === 0) return;
      const costUsd = costOf(model, usage, this.prices);
      // A message has several rows, one for each block, perhaps read at two stops. Only what a later row adds
      // is new.
      const before = messages.find((one) => one.id === id);
      const rest = messages.filter((one) => one !== before);
      messages = [...rest, { id, costUsd, tokens }].slice(-MAX_MESSAGES_KEPT);
      this.counted = {
        costUsd: this.counted.costUsd + Math.max(0, costUsd - (before?.costUsd ?? 0)),
        tokens: this.counted.tokens + Math.max(0, tokens - (before?.tokens ?? 0)),
      };
      if (this.prices(model) === null && !this.unpriced.includes(model))
        this.unpriced = [...this.unpriced, model].slice(-MAX_MODELS_KEPT);
    });
    return { upTo, messages, seen: hashBefore(path, upTo) };
  }
}

function noteOn(before: Ledger, after: Ledger): string | null {
  const news = after.unpriced.filter((model) => !before.unpriced.includes(model));
  return news.length === 0 ? null : `Da Capo: ${sayUnpriced(news.join(', ').slice(0, 200))}.`;
}

const used = record({ costUsd: amount, tokens: whole });
const messages = list(record({ id: text, costUsd: amount, tokens: whole }));
/** `seen`: a hash of the bytes before `upTo`. A file that has others there was rewritten. */
const seen = maybe(text);
const fileCount = record({ upTo: whole, messages, seen });
type FileCount = Infer<typeof fileCount>;

/**
 * How far the transcripts of a session have been counted. Bounded, replaced whole, and begun again if it is
 * lost.
 */
const ledgerShape = record({
  session: text,
  before: used,
  counted: used,
  main: orNull(fileCount),
  agents: list(record({ name: text, changed: text, upTo: whole, messages, seen })),
  /** Of the files whose count is no longer kept: when the youngest was last written. */
  forgotten: orNull(text),
  unpriced: list(text),
});
type Ledger = Infer<typeof ledgerShape>;

const NOTHING: Omit<Ledger, 'session' | 'before'> = {
  counted: { costUsd: 0, tokens: 0 },
  main: null,
  agents: [],
  forgotten: null,
  unpriced: [],
};
