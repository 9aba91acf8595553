/**
 * Feature lists, which a loop works off one by one: `feature_list.json`, a PRD's `userStories`, a Markdown checklist.
 * A file that is no such list is refused with a reason: a list that can't be read never completes a loop.
 */
import { few } from '../core/abbreviate.ts';
import type { FeatureFacts, FeatureFormat } from '../core/features.ts';
import { oneLine } from '../core/sanitize.ts';
import { isRecord, text } from '../core/shape.ts';
import { readChecklist } from './checklist.ts';

export interface Feature {
  readonly id: string | number;
  readonly description: string;
  readonly passes: boolean;
  readonly steps: readonly string[];
  readonly model: string | null;
}

export interface FeatureList {
  readonly ok: true;
  /** The file, as the person named it. */
  readonly name: string;
  readonly format: FeatureFormat;
  /** In the order in which they are to be worked off. */
  readonly features: readonly [Feature, ...Feature[]];
}

export interface NoFeatures {
  readonly ok: false;
  readonly why: string;
}

export function readFeatures(content: string, name: string): FeatureList | NoFeatures {
  const plain = content.replace(/^\uFEFF/, '');
  if (plain.trim() === '') return no(name, 'is empty');
  return isJson(plain, name) ? fromJson(plain, name) : fromChecklist(plain, name);
}

/** The content tells: a checklist may begin with a link, so a bracket alone does not. */
function isJson(content: string, name: string): boolean {
  return /^\s*(?:\{|\[\s*[{\]])/.test(content) || /\.json$/i.test(name);
}

function fromChecklist(content: string, name: string): FeatureList | NoFeatures {
  const read = readChecklist(content);
  if (!read.ok) return no(name, `can't be read as a checklist: ${read.why}`);
  const features = read.items.map((item, k): Feature => ({
    id: k + 1,
    description: item.text,
    passes: item.ticked,
    steps: item.steps,
    model: null,
  }));
  return listOf(name, 'checklist', features, 'holds no checklist item (`- [ ] …`)');
}

function fromJson(content: string, name: string): FeatureList | NoFeatures {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return no(name, `is no JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  // A bare list is what Anthropic's own harness writes as `feature_list.json`.
  if (Array.isArray(value)) return fromItems(value, name, 'feature-list', 'its list');
  if (isRecord(value)) {
    const { features, userStories } = value;
    if (Array.isArray(features)) return fromItems(features, name, 'feature-list', 'features');
    if (Array.isArray(userStories)) return fromItems(userStories, name, 'user-stories', 'userStories');
  }
  return no(name, 'has neither a list "features" nor a list "userStories"');
}

function fromItems(
  items: readonly unknown[],
  name: string,
  format: FeatureFormat,
  where: string,
): FeatureList | NoFeatures {
  const found: { feature: Feature; rank: number }[] = [];
  for (const [k, item] of items.entries()) {
    if (!isRecord(item)) return no(name, `has an item ${k + 1} in ${where} that is no object`);
    const description = descriptionOf(item);
    if (description === '')
      return no(name, `has an item ${k + 1} in ${where} without a description or title`);
    const feature = {
      id: idOf(item['id']) ?? k + 1,
      description,
      passes: item['passes'] === true,
      steps: stepsOf(item['steps'] ?? item['acceptanceCriteria']),
      model: text(item['model']) && item['model'].trim() !== '' ? item['model'].trim() : null,
    };
    found.push({ feature, rank: format === 'user-stories' ? rankOf(item['priority']) : 0 });
  }
  // Equal ranks compare as NaN where both are infinite, and NaN as "keep the order".
  const features = found.toSorted((a, b) => a.rank - b.rank || 0).map(({ feature }) => feature);
  return listOf(name, format, features, `has no item in ${where}`);
}

function listOf(
  name: string,
  format: FeatureFormat,
  features: readonly Feature[],
  whyNone: string,
): FeatureList | NoFeatures {
  const [first, ...others] = features;
  return first === undefined ? no(name, whyNone) : { ok: true, name, format, features: [first, ...others] };
}

function no(name: string, why: string): NoFeatures {
  return { ok: false, why: `${oneLine(name, NAME)} ${oneLine(why, 300)}` };
}

function idOf(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  return text(value) && value.trim() !== '' ? value : null;
}

function descriptionOf({ title, name, description }: Record<string, unknown>): string {
  const [short, long] = [text(title) ? title : name, description].map((part) =>
    text(part) ? part.trim() : '',
  );
  return [short, long].filter(Boolean).join(': ');
}

function stepsOf(value: unknown): string[] {
  const steps: unknown[] = Array.isArray(value) ? value : [value];
  return steps.flatMap((step) => {
    const words = isRecord(step) ? descriptionOf(step) : step;
    return text(words) && words.trim() !== '' ? [words.trim()] : [];
  });
}

const PRIORITIES: readonly string[] = ['critical', 'highest', 'high', 'medium', 'low', 'lowest'];

/** 1 comes before 2, high before low, and what has no priority last. */
function rankOf(priority: unknown): number {
  if (typeof priority === 'number') return priority;
  if (!text(priority)) return Infinity;
  const number = /^\s*p?(\d{1,9})\s*$/i.exec(priority)?.[1];
  if (number !== undefined) return Number(number);
  const rank = PRIORITIES.indexOf(priority.trim().toLowerCase());
  return rank < 0 ? Infinity : rank;
}

export function nextOpen(features: FeatureList): Feature | null {
  return features.features.find(({ passes }) => !passes) ?? null;
}

export interface Progress {
  readonly passing: number;
  readonly total: number;
}

export function progress({ features }: FeatureList): Progress {
  return { passing: features.filter(({ passes }) => passes).length, total: features.length };
}

// All that is said of an item stays below 2,500 characters: the continuation holds the task and the checks as well.
const NAME = 120;
const ID = 60;
const DESCRIPTION = 400;
const STEPS = 10;
const STEP = 120;

export function factsOf(features: FeatureList): FeatureFacts {
  const next = nextOpen(features);
  return {
    name: oneLine(features.name, NAME),
    format: features.format,
    ...progress(features),
    next: next && {
      id: oneLine(String(next.id), ID),
      description: oneLine(next.description, DESCRIPTION),
      steps: few(next.steps, (step) => oneLine(step, STEP), STEPS),
      model: next.model === null ? null : oneLine(next.model, ID),
    },
  };
}
