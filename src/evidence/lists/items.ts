/**
 * Work items, each of which gets a frame: JSON, JSON lines, a Markdown checklist or plain lines. Items that
 * are already done (`passes`, a ticked box) are left out. A list that can't be read is refused with a reason:
 * Da Capo never guesses a task.
 */
import { readChecklist, type Checklist } from './checklist.ts';
import {
  descriptionOf,
  idIn,
  itemState,
  stepsOf,
  titleOf,
  fieldValueOf,
  type JsonObject,
} from './json/json-item.ts';
import { findList, openElsewhere, parseJson, type JsonItem } from './json/json-list.ts';
import { entryOf, orderEntries, type OrderEntry } from './order.ts';
import { sayUnreadLines } from './unread.ts';
import { cutSections, splitName, unreadFormat } from './sections.ts';
import type { Item, Items } from '#law/record/definition.ts';
import type { StartOptions } from '#input/options.ts';
import { hash } from '#base/hash.ts';
import { isRecord, list, record, text, type Infer } from '#base/shape.ts';
import { distinct, itemOf, no, type ItemList, type WorkItem } from './work-item.ts';

/** With the prompt of its frame, verbatim. */
export interface FirstItem extends Item {
  readonly text: string;
}

/** Bounded by default, like the iterations. */
const DEFAULT_MAX_ITEMS = 100;

export function itemsAsked({ items, itemsFrom, maxItems }: StartOptions): Items | null {
  const most = maxItems ?? DEFAULT_MAX_ITEMS;
  if (items !== null) return { from: { is: 'file', file: items }, most };
  return itemsFrom === null ? null : { from: { is: 'command', command: itemsFrom }, most };
}

/** If a list is rewritten again and again, the memory of missing items must not grow without end. */
const MAX_ITEMS_REMEMBERED = 10_000;

/**
 * `name`: what the person called it; may end in `#Section`. From a command, only JSON is accepted: "no issues
 * found" is no item.
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
  // Each item has its own gates, so a tick without an open sign beside it proves nothing: it only leaves a
  // line out.
  const checklist = readChecklist(plain, true);
  const hasBox = checklist.ok
    ? checklist.items.length > 0
    : /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[.\]/m.test(plain);
  if (hasBox) return fromChecklist(checklist, name);
  const lines = plain.split(/\r\n|\n|\r/).map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim());
  return distinct(
    lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => itemOf(null, line, '')),
  );
}

/** The first item that has not had its turn; `of` counts those that had as well. `prompt`: of the list. */
export function nextOf(
  items: readonly WorkItem[],
  prompt: string,
  handled: readonly string[],
): FirstItem | null {
  const left = items.filter(({ id }) => !handled.includes(id));
  const [item] = left;
  if (item === undefined) return null;
  const [n, of] = [handled.length + 1, handled.length + left.length];
  return { id: item.id, title: item.title, n, of, text: itemPrompt(prompt, item, n, of) };
}

/**
 * Whether a rewritten list still holds all waiting items unchanged. `had`: the items that had their turn, and
 * the one at work. `after`: null if the new content is unknown.
 */
export function keepsWaiting(before: string, after: string | null, had: readonly string[], name = '') {
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
 * The items that wait for a turn, and those of them that are missing from the list now. `before`: the items
 * that waited at the last look. A missing item keeps waiting and counts as missing until it is back. `had`:
 * the items that had their turn, and the one at work.
 */
export function waitingIn(before: WaitingList, listed: readonly WorkItem[], had: readonly string[]) {
  const here = new Set(listed.map(({ id }) => id));
  const waits = ({ id }: { readonly id: string }): boolean => !had.includes(id);
  const gone = before.filter((item) => waits(item) && !here.has(item.id));
  const waiting = listed.filter(waits).map(({ id, title }) => ({ id, title }));
  return { waiting: [...waiting, ...gone].slice(0, MAX_ITEMS_REMEMBERED), gone };
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
  const notes = read.unread.length === 0 ? [] : [sayUnreadLines(read.unread)];
  return { ok: true, items: items.filter(({ ticked }) => !ticked).map(({ item }) => item), notes };
}

/** JSON, or JSON lines. They come in working order: by priority, and after what they depend on. */
function fromJson(content: string, name: string, sections: readonly string[]): ItemList {
  const whole = parseJson(content);
  if (whole.ok) {
    const found = findList(whole.value, sections[0] ?? null);
    if (found?.ok === false) return no(name, found.why);
    // A single object is one line of JSON lines, unless it holds a list.
    if (found === null) return fromValues([{ value: whole.value, path: '' }], name);
    const list = fromValues(found.items, name);
    return list.ok ? { ...list, notes: [...list.notes, ...openElsewhere(whole.value, found.items)] } : list;
  }
  const values: JsonItem[] = [];
  for (const [k, line] of content.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    // If not even the first line is a value, the file was meant as one document.
    if (!parsed.ok) return no(name, k === 0 ? `is not JSON (${whole.why})` : `is not JSON in line ${k + 1}`);
    values.push({ value: parsed.value, path: '' });
  }
  return fromValues(values, name);
}

function fromValues(values: readonly JsonItem[], name: string): ItemList {
  const drafts: OrderEntry<WorkItem>[] = [];
  for (const [k, one] of values.entries()) {
    const { value, key } = one;
    const item = isRecord(value)
      ? fromRecord(value, key)
      : text(value) && value.trim() !== ''
        ? itemOf(null, value, '')
        : null;
    if (item !== null) drafts.push(entryOf(one, item.id, item));
    else if (!isRecord(value)) return no(name, `has an item ${k + 1} that is neither an object nor a text`);
    else if (itemState(value) !== 'done')
      return no(name, `has an item ${k + 1} without a title or description`);
  }
  const { entries, notes } = orderEntries(drafts);
  return distinct(openOnes(entries), notes);
}

function fromRecord(value: JsonObject, key: string | undefined): WorkItem | null {
  const [description, title = description] = [descriptionOf(value), titleOf(value) || undefined];
  if (title === '') return null;
  const id = idIn(value, ['id', 'number', 'key', 'iid']) ?? key ?? null;
  const body = fieldValueOf(value, ['body']);
  const long = [description, text(body) ? body.trim() : ''].filter((part) => part !== '' && part !== title);
  return itemOf(
    id === null ? null : String(id),
    title,
    [...new Set(long), ...stepsOf(value).map((step) => `- ${step}`)].join('\n\n'),
  );
}

/**
 * One list may have an item 1 twice. If they are different items, the later one is known by its words as
 * well.
 */
function openOnes(entries: readonly OrderEntry<WorkItem>[]): WorkItem[] {
  const titles = new Map<string, string>();
  return entries.flatMap(({ data, id, done }) => {
    const item = withId(data, id);
    const title = titles.get(id) ?? item.title;
    titles.set(id, title);
    if (done) return [];
    return title === item.title ? [item] : [{ ...item, id: hash(`${id} ${item.title}`).slice(0, 12) }];
  });
}

/** A title begins with the id that its file gives. */
function withId(item: WorkItem, id: string): WorkItem {
  const title = item.title.startsWith(`${item.id}: `) ? id + item.title.slice(item.id.length) : item.title;
  return { ...item, id, title };
}
