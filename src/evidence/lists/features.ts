/**
 * Feature lists, which a loop works off item by item: `feature_list.json`, a PRD's `userStories`, a Markdown
 * checklist. A file that is no such list is refused with a reason: a list that can't be read never completes
 * a loop.
 */
import { few } from '#law/words/phrases.ts';
import type { FeatureFacts, FeatureFormat, FeaturesProof, Mark } from '#law/record/definition.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isRecord, text } from '#base/shape.ts';
import { readChecklist } from './checklist.ts';
import {
  idIn,
  itemState,
  markFieldOf,
  marksOf,
  stepsOf,
  itemWords,
  type JsonObject,
} from './json/json-item.ts';
import { declaredWords, findList, openElsewhere, parseJson, type JsonItem } from './json/json-list.ts';
import { entryOf, orderEntries, type OrderEntry } from './order.ts';
import { cutSections, splitName, unreadFormat } from './sections.ts';
import { sayUnreadLines } from './unread.ts';
import { no, type NoList } from './work-item.ts';

export interface Feature {
  readonly id: string | number;
  readonly description: string;
  readonly passes: boolean;
  readonly steps: readonly string[];
  readonly model: string | null;
  /** How it is closed and reopened; null: by its box. */
  readonly mark: Mark | null;
}

export interface FeatureList {
  readonly ok: true;
  readonly name: string;
  readonly format: FeatureFormat;
  readonly features: readonly [Feature, ...Feature[]];
  readonly notes: readonly string[];
}

/** `name`: may end in `#Section`. `before`: how many items it had when it was last read. */
export function readFeatures(content: string, name: string, before = 0): FeatureList | NoList {
  const plain = content.replace(/^\uFEFF/, '');
  if (plain.trim() === '') return no(name, 'is empty');
  const { file, sections } = splitName(name);
  const unread = unreadFormat(file);
  if (unread !== null) return no(name, unread);
  if (/\.jsonl$/i.test(file))
    return no(name, 'holds JSON lines, which --items reads: use that, or JSON or a checklist');
  return isJson(plain, file) ? fromJson(plain, name, sections) : fromChecklist(plain, name, sections, before);
}

/**
 * Decided by the content: a checklist may begin with a link or a box, so a bracket alone does not make it
 * JSON.
 */
function isJson(content: string, file: string): boolean {
  return /^\s*(?:\{|\[\s*\{|\[\s*\]\s*$)/.test(content) || /\.json$/i.test(file);
}

function fromChecklist(content: string, name: string, sections: readonly string[], before: number) {
  const cut = cutSections(content, sections);
  if (!cut.ok) return no(name, cut.why);
  const strict = readChecklist(cut.content);
  // The last open sign of a list became a tick: those that counted before still do.
  const read = strict.ok && strict.items.length < before ? readChecklist(cut.content, true) : strict;
  if (!read.ok) return no(name, `can't be read as a checklist: ${read.why}`);
  const features = read.items.map(({ text: description, ticked, steps }, k): Feature => ({
    id: k + 1,
    description,
    passes: ticked,
    steps,
    model: null,
    mark: null,
  }));
  const notes = read.unread.length === 0 ? [] : [sayUnreadLines(read.unread)];
  const not = /[❌✗✘]/u.test(cut.content) ? ', and ❌ may mean that something is not wanted' : '';
  const ticks = /[✅✔✓]/u.test(cut.content)
    ? `; a ✅ counts only beside open signs such as ⬜ or ⏳${not}`
    : '';
  const none = `holds no checklist item (\`- [ ] …\`)${ticks}`;
  return listOf({ name, format: 'checklist', notes }, features, [none, ...notes].join('. It '));
}

const NAMES = 'features, userStories, stories, tasks, items';

function fromJson(content: string, name: string, sections: readonly string[]): FeatureList | NoList {
  const parsed = parseJson(content);
  if (!parsed.ok) return no(name, `is not JSON (${parsed.why})`);
  const { value } = parsed;
  const [key = null, ...others] = sections;
  if (others.length > 0 || key?.startsWith('!'))
    return no(name, 'is JSON, of which one list can be named, as in FILE#tasks');
  // A bare list is what Anthropic's own harness writes as `feature_list.json`.
  const found = findList(value, key);
  if (found === null) return no(name, `has no list of items under any of the usual names (${NAMES})`);
  if (!found.ok) return no(name, found.why);
  return fromItems(found.items, found.where, name, value);
}

function fromItems(items: readonly JsonItem[], where: string, name: string, whole: unknown) {
  const records = items.map(({ value }) => value).filter(isRecord);
  const markOf = marksOf(records, declaredWords(whole));
  const unknown: string[] = [];
  const found: OrderEntry<Feature>[] = [];
  for (const [k, one] of items.entries()) {
    const { value: item, key } = one;
    if (!isRecord(item)) return no(name, `has an item ${k + 1} in ${where} that is not an object`);
    const description = itemWords(item);
    if (description === '')
      return no(name, `has an item ${k + 1} in ${where} without a description or title`);
    const state = itemState(item);
    if (state === 'unknown') unknown.push(`${sayMark(item)} (item ${k + 1})`);
    const id = idIn(item, ['id']) ?? key ?? k + 1;
    const feature = {
      id,
      description,
      passes: state === 'done',
      steps: stepsOf(item),
      model: modelIn(item['model']),
      mark: markOf(item),
    };
    found.push(entryOf(one, String(id), feature));
  }
  const { entries, notes: groups } = orderEntries(found);
  const notes = [
    unknown.length > 0 && `counts as open what is marked ${few(unknown, String, 3).join(', ')}`,
    records.length > 0 &&
      records.every((item) => markFieldOf(item) === null) &&
      'does not say which items are done: the agent is told to set `passes` to true',
    ...groups,
    ...openElsewhere(whole, items),
  ].filter((note) => note !== false);
  const features = entries.map(({ data, id }) => (String(data.id) === id ? data : { ...data, id }));
  return listOf({ name, format: formatOf(where), notes }, features, `has no item in ${where}`);
}

function sayMark(item: JsonObject): string {
  const field = markFieldOf(item) ?? '';
  return `${field}: ${oneLine(JSON.stringify(item[field]) ?? '', 40)}`;
}

function formatOf(where: string): FeatureFormat {
  if (/stor(?:y|ies)$/i.test(where)) return 'user-stories';
  return /(?:tasks|items|issues|todos|backlog)$/i.test(where) ? 'tasks' : 'feature-list';
}

function listOf(list: Omit<FeatureList, 'ok' | 'features'>, features: readonly Feature[], whyNone: string) {
  const [first, ...others] = features;
  return first === undefined
    ? no(list.name, whyNone)
    : ({ ok: true, ...list, features: [first, ...others] } as const);
}

export function nextOpen(features: FeatureList): Feature | null {
  return features.features.find(({ passes }) => !passes) ?? null;
}

export function progress({ features }: FeatureList): Pick<FeatureFacts, 'passing' | 'total'> {
  return { passing: features.filter(({ passes }) => passes).length, total: features.length };
}

// All words about an item stay below 2,500 characters, because the continuation also holds the task and the
// checks.
const MAX_NAME_CHARS = 120;
const MAX_ID_CHARS = 60;
const MAX_DESCRIPTION_CHARS = 400;
const MAX_STEPS_LISTED = 10;
const MAX_STEP_CHARS = 120;
const MAX_NOTE_CHARS = 300;

/**
 * What a model can be called, at any service. A list comes with the project, so anything else is left out.
 */
const MODEL = /^[A-Za-z0-9][\w.:@/+[\]-]{0,119}$/;

function modelIn(value: unknown): string | null {
  const model = text(value) ? value.trim() : '';
  return MODEL.test(model) ? model : null;
}

/** `before`: what the previous stop saw. */
export function featureFactsOf(features: FeatureList, before: FeaturesProof | null = null): FeatureFacts {
  const next = nextOpen(features);
  const marked = newlyMarked(features, before);
  return {
    name: oneLine(features.name, MAX_NAME_CHARS),
    format: features.format,
    ...progress(features),
    next: next && {
      ...shortOf(next),
      steps: few(next.steps, (step) => oneLine(step, MAX_STEP_CHARS), MAX_STEPS_LISTED),
      model: next.model === null ? null : oneLine(next.model, MAX_ID_CHARS),
    },
    ...(marked === null ? {} : { marked: shortOf(marked) }),
    ...(features.notes.length === 0
      ? {}
      : { notes: features.notes.map((words) => oneLine(words, MAX_NOTE_CHARS)) }),
  };
}

function shortOf({ id, description, mark }: Feature): NonNullable<FeatureFacts['marked']> {
  return {
    id: oneLine(String(id), MAX_ID_CHARS),
    description: oneLine(description, MAX_DESCRIPTION_CHARS),
    mark,
  };
}

/** The item that the agent was last told to do, if it is marked as passing now. */
function newlyMarked({ features }: FeatureList, before: FeaturesProof | null): Feature | null {
  if (before?.is !== 'read') return null;
  const { next, marked } = before.facts;
  const isMarked = (id: string | undefined) => (feature: Feature) =>
    feature.passes && oneLine(String(feature.id), MAX_ID_CHARS) === id;
  return features.find(isMarked(next?.id)) ?? features.find(isMarked(marked?.id)) ?? null;
}
