/**
 * A window on the story of a loop. It holds at most a few hundred entries, whether the story has ten or ten thousand, and
 * keeps the objects of entries that did not change, so that only new rows are drawn.
 */
import type { StoryEntry, StoryPage } from '../../wire.ts';
import { get, loopPath } from './api.ts';

const PAGE = 60;
const MOST = 240;
/** An iteration changes until it is judged and recorded. */
const OPEN = 4;

export type Window = Pick<StoryPage, 'entries' | 'total'>;

export function startOf({ entries, total }: Window): number {
  return entries[0]?.seq ?? total;
}

export function endOf(window: Window): number {
  return startOf(window) + window.entries.length;
}

/** At the end of the story, so it grows with it. */
export function isLive(window: Window): boolean {
  return endOf(window) >= window.total;
}

export async function refresh(id: string, before: Window | null, signal?: AbortSignal): Promise<Window> {
  if (before === null) return page(id, `most=${PAGE}`, signal);
  if (!isLive(before)) {
    const { total } = await page(id, 'most=1', signal);
    return { ...before, total };
  }
  const from = Math.max(startOf(before), endOf(before) - OPEN);
  const news = await page(id, `from=${from}&most=500`, signal);
  const kept = before.entries.slice(0, from - startOf(before));
  const known = new Map(before.entries.slice(from - startOf(before)).map((entry) => [entry.seq, entry]));
  const fresh = news.entries.map((entry) => sameOr(known.get(entry.seq), entry));
  return { entries: [...kept, ...fresh].slice(-MOST), total: news.total };
}

export async function older(id: string, before: Window): Promise<Window> {
  const { entries, total } = await page(id, `before=${startOf(before)}&most=${PAGE}`);
  return { entries: [...entries, ...before.entries].slice(0, MOST), total };
}

export async function newer(id: string, before: Window): Promise<Window> {
  const { entries, total } = await page(id, `from=${endOf(before)}&most=${PAGE}`);
  return { entries: [...before.entries, ...entries].slice(-MOST), total };
}

export function around(id: string, iteration: number): Promise<Window> {
  return page(id, `iteration=${iteration}&most=${PAGE}`);
}

function page(id: string, query: string, signal?: AbortSignal): Promise<StoryPage> {
  return get<StoryPage>(loopPath(id, `/story?${query}`), signal);
}

function sameOr(known: StoryEntry | undefined, entry: StoryEntry): StoryEntry {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(entry) ? known : entry;
}
