/**
 * Work items, each of which gets a frame: JSON, JSON lines, a Markdown checklist or plain lines. Items that are done
 * already (`passes`, a ticked box) are left out. What can't be read is refused with a reason: nobody guesses a task.
 */
import { readChecklist, type Checklist } from './checklist.ts';
import { sayBroken } from './json-lines.ts';
import { findList } from './json-list.ts';
import { itemState } from './json-mark.ts';
import { cutSections, splitName } from './sections.ts';
import type { Item, Items } from '../core/record/definition.ts';
import type { StartOptions } from '../flags/options.ts';
import { harmless, headOf, oneLine } from '../core/words/sanitize.ts';
import { hash } from '../core/hash.ts';
import { isRecord, list, record, text, type Infer } from '../core/shape.ts';

export interface WorkItem {
  readonly id: string;
  readonly title: string;
  /** What stands in the list beside the title; may be empty. */
  readonly body: string;
}

/** With the prompt of its frame, word for word. */
export interface FirstItem extends Item {
  readonly text: string;
}

/** Bounded by default, as the iterations are. */
const MOST = 100;

export function itemsAsked({ items, itemsFrom, maxItems }: StartOptions): Items | null {
  const most = maxItems ?? MOST;
  if (items !== null) return { from: { is: 'file', file: items }, most };
  return itemsFrom === null ? null : { from: { is: 'command', command: itemsFrom }, most };
}

export type ItemList =
  | { readonly ok: true; readonly items: readonly WorkItem[] }
  /** `broken`: it is there, and what is in it can be corrected. */
  | { readonly ok: false; readonly why: string; readonly broken?: boolean };

/** Of a list that is written anew again and again, what is missing is not remembered without end. */
const MOST_WAITING = 10_000;

const ID = 80;
const TITLE = 200;
/** With the prompt of the list it must still fit into one message. */
const BODY = 3_000;

/**
 * `name` is what the person called it, and may end in `#Section`. Of a command, only JSON is taken: "no issues found" is no
 * item.
 */
export function readItemList(content: string, name: string, onlyJson: boolean): ItemList {
  const plain = content.replace(/^\uFEFF/, '').trim();
  if (plain === '') return { ok: true, items: [] };
  const { sections } = onlyJson ? { sections: [] } : splitName(name);
  if (/^[[{"]/.test(plain) && (onlyJson || !BOX_FIRST.test(plain))) return fromJson(plain, name, sections);
  if (onlyJson) return no(name, 'prints no JSON');
  const cut = cutSections(plain, sections);
  return cut.ok ? fromText(cut.content, name) : no(name, cut.why);
}

/** A list that begins with a box is no JSON. */
const BOX_FIRST = /^\[[^\]\d"{]?\]\s*\S/;

function fromText(plain: string, name: string): ItemList {
  const checklist = readChecklist(plain);
  const hasBox = checklist.ok
    ? checklist.items.length > 0
    : /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[.\]/m.test(plain);
  if (hasBox) return fromChecklist(checklist, name);
  const lines = plain.split(/\r\n|\n|\r/).map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim());
  return distinct(
    lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => itemOf(null, line, '')),
  );
}

/** The first that has not had its turn, and how many there are with those that had. */
export function nextOf(
  items: readonly WorkItem[],
  handled: readonly string[],
): { readonly item: WorkItem; readonly n: number; readonly of: number } | null {
  const left = items.filter(({ id }) => !handled.includes(id));
  const [item] = left;
  return item === undefined ? null : { item, n: handled.length + 1, of: handled.length + left.length };
}

/**
 * Whether a list that is written anew holds all that wait for their turn, as they were. `had`: those that had theirs, and
 * the one at work. `after`: null where nobody knows what it will hold.
 */
export function keepsWaiting(
  before: string,
  after: string | null,
  had: readonly string[],
  name = '',
): boolean {
  const was = readItemList(before, name, false);
  const waiting = was.ok ? was.items.filter(({ id }) => !had.includes(id)) : [];
  if (waiting.length === 0) return true;
  const is = after === null ? null : readItemList(after, name, false);
  const left = new Set(is?.ok ? is.items.map((item) => JSON.stringify(item)) : []);
  return waiting.every((item) => left.has(JSON.stringify(item)));
}

/** An item that has not had its turn, as it was last seen. */
export const waitingList = list(record({ id: text, title: text }));
export type WaitingList = Infer<typeof waitingList>;

/**
 * What waits for a turn, and what of it is missing in the list by now. `before`: what waited at the last look; an item that
 * is missing waits on, and is missed until it is back. `had`: those that had their turn, and the one at work.
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

/** The task of an item's frame: that of the list, and the item. */
export function itemPrompt(prompt: string, { title, body }: WorkItem, n: number, of: number): string {
  const head = `This is item ${n} of ${of}. Work on this one alone:\n\n${title}`;
  return [prompt, head, ...(body === '' ? [] : [body])].join('\n\n');
}

function fromJson(content: string, name: string, sections: readonly string[]): ItemList {
  const whole = parse(content);
  if (whole.ok) {
    const found = findList(whole.value, sections[0] ?? null);
    if (found?.ok === false) return no(name, found.why);
    // One object alone is one line of JSON lines, unless it holds a list.
    return fromValues(found?.items.map(({ value }) => value) ?? [whole.value], name);
  }
  const values: unknown[] = [];
  for (const [k, line] of content.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const parsed = parse(line);
    // Where not even the first line is a value, it was meant as one document.
    if (!parsed.ok) return no(name, k === 0 ? `is no JSON (${whole.why})` : `is no JSON in line ${k + 1}`);
    values.push(parsed.value);
  }
  return fromValues(values, name);
}

function fromValues(values: readonly unknown[], name: string): ItemList {
  const items: WorkItem[] = [];
  for (const [k, value] of values.entries()) {
    if (text(value) && value.trim() !== '') items.push(itemOf(null, value, ''));
    else if (!isRecord(value)) return no(name, `has an item ${k + 1} that is neither an object nor a text`);
    else if (itemState(value) !== 'done') {
      const item = fromRecord(value);
      if (item === null) return no(name, `has an item ${k + 1} without a title or description`);
      items.push(item);
    }
  }
  return distinct(items);
}

function fromRecord(value: Record<string, unknown>): WorkItem | null {
  const words = (...keys: string[]) =>
    keys.map((key) => value[key]).find((field): field is string => text(field) && field.trim() !== '');
  const title = words(
    'title',
    'name',
    'summary',
    'feature',
    'task',
    'story',
    'behavior',
    'content',
    'description',
    'text',
    'body',
  );
  if (title === undefined) return null;
  const id = ['id', 'number', 'key', 'iid'].map((key) => value[key]).find(isId);
  const long = [words('description'), words('body')].filter((part) => part !== undefined && part !== title);
  const steps = [value['steps'] ?? value['acceptanceCriteria']].flat().filter((step) => text(step));
  return itemOf(
    id === undefined ? null : String(id),
    title,
    [...new Set(long), ...steps.map((step) => `- ${step}`)].join('\n\n'),
  );
}

function isId(value: unknown): value is string | number {
  return (text(value) && value.trim() !== '') || typeof value === 'number';
}

function fromChecklist(read: Checklist, name: string): ItemList {
  if (!read.ok) return no(name, `can't be read as a checklist: ${read.why}`);
  const open = read.items.filter(({ ticked }) => !ticked);
  return distinct(
    open.map(({ text: title, steps }) => itemOf(null, title, steps.map((step) => `- ${step}`).join('\n'))),
  );
}

/** Without an id its words are what it is known by: changed words make another item. */
function itemOf(id: string | null, title: string, body: string): WorkItem {
  const short = oneLine(title, TITLE);
  const given = id === null ? '' : oneLine(id, ID);
  // What the title does not show is not lost.
  const rest = short === title.trim() ? body : [title, body].filter(Boolean).join('\n\n');
  return {
    id: given === '' || given !== id?.trim() ? hash(`${id ?? ''} ${title}`).slice(0, 12) : given,
    title: given === '' || short === given ? short : `${given}: ${short}`,
    body: harmless(headOf(rest, BODY)).trim(),
  };
}

function distinct(items: readonly WorkItem[]): ItemList {
  const seen = new Set<string>();
  return { ok: true, items: items.filter(({ id }) => !seen.has(id) && seen.add(id)) };
}

function parse(
  content: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: JSON.parse(content) };
  } catch (error) {
    return { ok: false, why: sayBroken(content, error) };
  }
}

function no(name: string, why: string): ItemList {
  return { ok: false, why: `${oneLine(name, 120)} ${oneLine(why, 300)}`, broken: true };
}
