/**
 * Work items, each of which gets a frame: JSON, JSON lines, a Markdown checklist or plain lines. Items that are already
 * done (`passes`, a ticked box) are left out. A list that can't be read is refused with a reason: Da Capo never guesses
 * a task.
 */
import { readChecklist, type Checklist } from './checklist.ts';
import { fromJson } from './items-json.ts';
import { sayUnread } from './unread.ts';
import { cutSections, splitName, unreadFormat } from './sections.ts';
import type { Item, Items } from '../core/record/definition.ts';
import type { StartOptions } from '../flags/options.ts';
import { hash } from '../core/hash.ts';
import { list, record, text, type Infer } from '../core/shape.ts';
import { distinct, itemOf, no, type ItemList, type WorkItem } from './work-item.ts';

/** With the prompt of its frame, verbatim. */
export interface FirstItem extends Item {
  readonly text: string;
}

/** Bounded by default, like the iterations. */
const MOST = 100;

export function itemsAsked({ items, itemsFrom, maxItems }: StartOptions): Items | null {
  const most = maxItems ?? MOST;
  if (items !== null) return { from: { is: 'file', file: items }, most };
  return itemsFrom === null ? null : { from: { is: 'command', command: itemsFrom }, most };
}

/** If a list is rewritten again and again, the memory of missing items must not grow without end. */
const MOST_WAITING = 10_000;

/**
 * `name`: what the person called it; may end in `#Section`. From a command, only JSON is accepted: "no issues found" is
 * no item.
 */
export function readItemList(content: string, name: string, from: 'file' | 'command'): ItemList {
  const onlyJson = from === 'command';
  const plain = content.replace(/^\uFEFF/, '').trim();
  if (plain === '') return { ok: true, items: [], notes: [] };
  const { file, sections } = onlyJson ? { file: '', sections: [] } : splitName(name);
  const unread = unreadFormat(file);
  if (unread !== null) return no(name, unread);
  if (/\.jsonl?$/i.test(file) || (/^[[{"]/.test(plain) && (onlyJson || !BOX_FIRST.test(plain))))
    return fromJson(plain, name, sections);
  if (onlyJson) return no(name, 'prints no JSON');
  const cut = cutSections(plain, sections);
  return cut.ok ? fromText(cut.content, name) : no(name, cut.why);
}

const BOX_FIRST = /^\[[^\]\d"{]?\]\s*\S/;

function fromText(plain: string, name: string): ItemList {
  // Each item has its own gates, so a tick without an open sign beside it proves nothing: it only leaves a line out.
  const checklist = readChecklist(plain, true);
  const hasBox = checklist.ok
    ? checklist.items.length > 0
    : /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[.\]/m.test(plain);
  if (hasBox) return fromChecklist(checklist, name);
  const lines = plain.split(/\r\n|\n|\r/).map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim());
  return distinct(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ item: itemOf(null, line, ''), done: false })),
  );
}

/** The first item that has not had its turn, and how many items there are including those that had. */
export function nextOf(
  items: readonly WorkItem[],
  handled: readonly string[],
): { readonly item: WorkItem; readonly n: number; readonly of: number } | null {
  const left = items.filter(({ id }) => !handled.includes(id));
  const [item] = left;
  return item === undefined ? null : { item, n: handled.length + 1, of: handled.length + left.length };
}

/**
 * Whether a rewritten list still holds all waiting items unchanged. `had`: the items that had their turn, and the one
 * at work. `after`: null if the new content is unknown.
 */
export function keepsWaiting(
  before: string,
  after: string | null,
  had: readonly string[],
  name = '',
): boolean {
  const was = readItemList(before, name, 'file');
  const waiting = was.ok ? was.items.filter(({ id }) => !had.includes(id)) : [];
  if (waiting.length === 0) return true;
  const is = after === null ? null : readItemList(after, name, 'file');
  const left = new Set(is?.ok ? is.items.map((item) => JSON.stringify(item)) : []);
  return waiting.every((item) => left.has(JSON.stringify(item)));
}

/** An item that has not had its turn, as last seen. */
export const waitingList = list(record({ id: text, title: text }));
export type WaitingList = Infer<typeof waitingList>;

/**
 * The items that wait for a turn, and those of them that are missing from the list now. `before`: the items that waited
 * at the last look. A missing item keeps waiting and counts as missing until it is back. `had`: the items that had
 * their turn, and the one at work.
 */
export function waitingIn(
  before: WaitingList,
  listed: readonly WorkItem[],
  had: readonly string[],
): { readonly waiting: WaitingList; readonly gone: WaitingList } {
  const here = new Set(listed.map(({ id }) => id));
  const waits = ({ id }: { readonly id: string }): boolean => !had.includes(id);
  const gone = before.filter((item) => waits(item) && !here.has(item.id));
  const waiting = listed.filter(waits).map(({ id, title }) => ({ id, title }));
  return { waiting: [...waiting, ...gone].slice(0, MOST_WAITING), gone };
}

export function itemPrompt(prompt: string, { title, body }: WorkItem, n: number, of: number): string {
  const head = `This is item ${n} of ${of}. Work on this one alone:\n\n${title}`;
  return [prompt, head, ...(body === '' ? [] : [body])].join('\n\n');
}

/** A text that occurs again is another item: most plans have "Write tests" in every phase. */
function fromChecklist(read: Checklist, name: string): ItemList {
  if (!read.ok) return no(name, `can't be read as a checklist: ${read.why}`);
  const seen = new Map<string, number>();
  const items = read.items.map(({ text: title, steps, ticked }) => {
    const item = itemOf(null, title, steps.map((step) => `- ${step}`).join('\n'));
    const nth = (seen.get(item.id) ?? 0) + 1;
    seen.set(item.id, nth);
    return { ticked, item: nth === 1 ? item : { ...item, id: hash(`${item.id} ${nth}`).slice(0, 12) } };
  });
  const notes = read.unread.length === 0 ? [] : [sayUnread(read.unread)];
  return { ok: true, items: items.filter(({ ticked }) => !ticked).map(({ item }) => item), notes };
}
