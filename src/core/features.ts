/**
 * Feature lists, which a loop works off one by one: `feature_list.json` (seed 000), a PRD's `userStories`, a Markdown
 * checklist. What is no such list is refused with a reason: a list that can't be read never completes a loop.
 */
import { readChecklist } from './checklist.ts';
import { few } from './few.ts';
import { oneLine } from './harmless.ts';
import { either, isRecord, list, oneOf, orNull, positive, record, text, whole, type Infer } from './shape.ts';
import type { Sight } from './sights.ts';

export interface Feature {
  readonly id: string | number;
  readonly description: string;
  readonly passes: boolean;
  readonly steps: readonly string[];
  readonly model: string | null;
}

export type FeatureFormat = 'feature-list' | 'user-stories' | 'checklist';

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
  // A bare list is what Anthropic's own harness writes under the name of seed 000's file.
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

/** What a journal keeps of a list, however long the list: enough to judge it and to say what is next. */
const featureFacts = record({
  name: text,
  format: oneOf('feature-list', 'user-stories', 'checklist'),
  passing: whole,
  total: positive,
  next: orNull(record({ id: text, description: text, steps: list(text), model: orNull(text) })),
});
export type FeatureFacts = Infer<typeof featureFacts>;

export const featuresProof = either(
  record({ is: oneOf('read'), facts: featureFacts }),
  record({ is: oneOf('unreadable'), why: text }),
);
export type FeaturesProof = Infer<typeof featuresProof>;

export function itemsPassing(proof: FeaturesProof | null): number | null {
  return proof?.is === 'read' ? proof.facts.passing : null;
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

/** In one line, to the agent and the person. */
export function sayFeatures(file: string, proof: FeaturesProof | null): string {
  const name = oneLine(file, NAME);
  if (proof === null) return `${name} has not been read`;
  if (proof.is === 'unreadable') return proof.why;
  const { passing, total } = proof.facts;
  return `${passing} of ${total} items in ${name} pass`;
}

export function featuresSight(file: string, proof: FeaturesProof): Sight {
  return {
    gate: 'features',
    holds: proof.is === 'read' && proof.facts.next === null,
    says: sayFeatures(file, proof),
    trouble: proof.is === 'unreadable' ? proof.why : null,
  };
}

/** To the person, at the start; null: all is as it should be. */
export function sayFeaturesWarning(file: string, begun: FeaturesProof): string | null {
  if (begun.is === 'unreadable')
    return `${oneLine(begun.why, 300)}. If that is still so when the agent stops, the loop ends there and asks for you.`;
  return begun.facts.next === null ? `every item of ${oneLine(file, NAME)} passes already.` : null;
}

/** To the agent: the next open item, and seed 000's way of closing it. Empty where every item passes. */
export function sayNextFeature(features: FeatureList | FeatureFacts): string {
  const { name, format, passing, total, next } = 'features' in features ? factsOf(features) : features;
  if (next === null) return '';
  const { thing, close } = WORDS[format];
  const model = next.model === null ? '' : ` It is meant for the model ${next.model}.`;
  const steps = next.steps.map((step, k) => `${k + 1}. ${step}`);
  return [
    `${passing} of ${total} items in ${name} pass. Continue with ${thing} ${next.id} - ${next.description}${/[.!?…]$/.test(next.description) ? '' : '.'}${model}`,
    ...(steps.length === 0 ? [] : [`Its steps:\n${steps.join('\n')}`]),
    `Implement it, verify that it works, and only then ${close} in ${name}; commit, and note your progress (in progress.txt, where there is one).`,
  ].join('\n\n');
}

const WORDS: Readonly<Record<FeatureFormat, { readonly thing: string; readonly close: string }>> = {
  'feature-list': { thing: 'Feature', close: 'set its `passes` to true' },
  'user-stories': { thing: 'Story', close: 'set its `passes` to true' },
  checklist: { thing: 'item', close: 'tick its box (`[x]`)' },
};
