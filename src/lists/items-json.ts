/** Work items in JSON, or in JSON lines. They come in working order: by priority, and after what they depend on. */
import { hash } from '../core/hash.ts';
import { isRecord, text } from '../core/shape.ts';
import { lineNumbers, parseJson } from './json-lines.ts';
import { findList, openElsewhere, type JsonItem } from './json-list.ts';
import { itemState } from './json-mark.ts';
import { descriptionOf, keysIn, stepsOf, titleOf, valueOf, type JsonObject } from './json-words.ts';
import { entryOf, inOrder, type OrderEntry } from './order.ts';
import { distinct, itemOf, no, type Draft, type ItemList, type WorkItem } from './work-item.ts';

export function fromJson(content: string, name: string, sections: readonly string[]): ItemList {
  const whole = parseJson(content);
  if (whole.ok) {
    const found = findList(whole.value, sections[0] ?? null);
    if (found?.ok === false) return no(name, found.why);
    // A single object is one line of JSON lines, unless it holds a list.
    if (found === null) return fromValues([{ value: whole.value, path: '' }], name, content);
    const list = fromValues(found.items, name, content);
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
  return fromValues(values, name, content);
}

function fromValues(values: readonly JsonItem[], name: string, content: string): ItemList {
  const drafts: OrderEntry<WorkItem>[] = [];
  for (const [k, one] of values.entries()) {
    const { value, path, key } = one;
    const at = path === '' ? '' : ` (line ${lineNumbers(content).get(path) ?? 1})`;
    const item = isRecord(value) ? fromRecord(value, key) : fromText(value);
    if (item !== null) drafts.push(entryOf(one, item.id, item));
    else if (!isRecord(value))
      return no(name, `has an item ${k + 1} that is neither an object nor a text${at}`);
    else if (itemState(value) !== 'done')
      return no(name, `has an item ${k + 1} without a title or description${at}`);
  }
  const { entries, notes } = inOrder(drafts);
  return distinct(withOwnIds(entries), notes);
}

function fromText(value: unknown): WorkItem | null {
  return text(value) && value.trim() !== '' ? itemOf(null, value, '') : null;
}

function fromRecord(value: JsonObject, key: string | undefined): WorkItem | null {
  const [description, title = description] = [descriptionOf(value), titleOf(value) || undefined];
  if (title === '') return null;
  const id = keysIn(value, IDS)
    .map((known) => value[known])
    .find(isId);
  const body = valueOf(value, BODY);
  const long = [description, text(body) ? body.trim() : ''].filter((part) => part !== '' && part !== title);
  return itemOf(
    id === undefined ? (key ?? null) : String(id),
    title,
    [...new Set(long), ...stepsOf(value).map((step) => `- ${step}`)].join('\n\n'),
  );
}

const IDS = ['id', 'number', 'key', 'iid'];
const BODY = ['body'];

/** One list may have an item 1 twice. If they are different items, the later one is known by its words as well. */
function withOwnIds(entries: readonly OrderEntry<WorkItem>[]): Draft[] {
  const titles = new Map<string, string>();
  return entries.map(({ data, id, done }) => {
    const item = withId(data, id);
    const title = titles.get(id);
    titles.set(id, title ?? item.title);
    if (title === undefined || title === item.title) return { item, done };
    return { item: { ...item, id: hash(`${id} ${item.title}`).slice(0, 12) }, done };
  });
}

/** A title begins with the id that its file gives. */
function withId(item: WorkItem, id: string): WorkItem {
  const title = item.title.startsWith(`${item.id}: `) ? id + item.title.slice(item.id.length) : item.title;
  return { ...item, id, title };
}

function isId(value: unknown): value is string | number {
  return (text(value) && value.trim() !== '') || typeof value === 'number';
}
