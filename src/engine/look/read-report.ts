/**
 * Everything that a report of a loop says: what was asked, what was done, each claim and its proof, why it
 * ended.
 */
import { outermostOf } from '#law/loop.ts';
import { sayMissing } from '#law/words/phrases.ts';
import { knownLoop } from './loops.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayGates } from '#telling/gates.ts';
import { sayLimits } from '#telling/person/limits.ts';
import { cleanEnds } from '#telling/story/clean.ts';
import { evidenceNamed } from './evidence.ts';
import { filesChanged } from './files-changed.ts';
import { cardFor } from './loop-index.ts';
import { openStory } from './fold-story.ts';
import { isIteration, type StoryCheck, type StoryIteration } from '#telling/story/story.ts';
import { tallyOf } from '#telling/story/tally.ts';
import type { ChangedFiles, LoopReport, ReportEntry, ReportIteration } from '#telling/report/report-model.ts';

/** A story with more entries is cut in the middle: how it began and how it ended matter most. */
const [FIRST_ENTRIES, LAST_ENTRIES] = [60, 340];
const MAX_PROMPT_CHARS = 40_000;
const MAX_OUTPUT_CHARS = 4_000;

export async function buildReport(open: OpenLoop, runtime: Runtime): Promise<LoopReport> {
  const loop = knownLoop(open, runtime);
  const story = openStory(open);
  const all = story.all();
  const leftOut = Math.max(0, all.length - FIRST_ENTRIES - LAST_ENTRIES);
  const kept = leftOut === 0 ? all : [...all.slice(0, FIRST_ENTRIES), ...all.slice(-LAST_ENTRIES)];
  const now = runtime.now();
  const changed = await filesChanged(open);
  const last = loop.last?.verdict;
  return {
    madeAt: now,
    loop: cardFor(open, runtime),
    asked: cleanEnds(story.asked(), MAX_PROMPT_CHARS),
    doneWhen: sayGates(outermostOf(loop)) + (loop.people.approvals?.done ? ', and a person confirms it' : ''),
    limits: sayLimits(loop),
    story: kept.map((entry): ReportEntry => (isIteration(entry) ? toldInFull(entry, open, changed) : entry)),
    leftOut,
    missing: last !== undefined && 'missing' in last ? last.missing.map(sayMissing) : [],
    files: changed && { files: changed.files, which: changed.which },
    figures: tallyOf(loop, all, now),
  };
}

function toldInFull(entry: StoryIteration, open: OpenLoop, changed: ChangedFiles | null): ReportIteration {
  return {
    ...entry,
    checks: entry.checks.map((check) => ({ ...check, output: outputOf(check, open) })),
    files: (entry.inAll === null ? null : changed?.byIteration.get(entry.inAll)) ?? null,
  };
}

function outputOf({ evidence, tail }: StoryCheck, open: OpenLoop): string {
  const found = evidence === null ? null : evidenceNamed(open, evidence);
  return cleanEnds(found?.text ?? tail, MAX_OUTPUT_CHARS);
}
