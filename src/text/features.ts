/** A feature list in words, to the agent and the person. */
import type { FeatureFacts, FeatureFormat, FeaturesProof } from '../core/features.ts';
import { oneLine } from '../core/sanitize.ts';

const NAME = 120;

/** In one line, to the agent and the person. */
export function sayFeatures(file: string, proof: FeaturesProof | null): string {
  const name = oneLine(file, NAME);
  if (proof === null) return `${name} has not been read`;
  if (proof.is === 'unreadable') return proof.why;
  const { passing, total } = proof.facts;
  return `${passing} of ${total} items in ${name} pass`;
}

/** To the person, at the start; null: all is as it should be. */
export function sayFeaturesWarning(file: string, begun: FeaturesProof): string | null {
  if (begun.is === 'unreadable')
    return `${oneLine(begun.why, 300)}. If that is still so when the agent stops, the loop ends there and asks for you.`;
  return begun.facts.next === null ? `every item of ${oneLine(file, NAME)} passes already.` : null;
}

/**
 * To the agent: the next open item, and how to close it. Empty where every item passes.
 * `commits`: Da Capo does it after each pass, and an agent that does it too is in its way.
 */
export function sayNextFeature(facts: FeatureFacts, commits = false): string {
  const { name, format, passing, total, next } = facts;
  if (next === null) return '';
  const { thing, close } = WORDS[format];
  const model = next.model === null ? '' : ` It is meant for the model ${next.model}.`;
  const steps = next.steps.map((step, k) => `${k + 1}. ${step}`);
  return [
    `${passing} of ${total} items in ${name} pass. Continue with ${thing} ${next.id} - ${next.description}${/[.!?…]$/.test(next.description) ? '' : '.'}${model}`,
    ...(steps.length === 0 ? [] : [`Its steps:\n${steps.join('\n')}`]),
    `Implement it, verify that it works, and only then ${close} in ${name}; ${commits ? '' : 'commit, and '}note your progress (in progress.txt, where there is one).${commits ? ' Da Capo commits your work.' : ''}`,
  ].join('\n\n');
}

const WORDS: Readonly<Record<FeatureFormat, { readonly thing: string; readonly close: string }>> = {
  'feature-list': { thing: 'Feature', close: 'set its `passes` to true' },
  'user-stories': { thing: 'Story', close: 'set its `passes` to true' },
  checklist: { thing: 'item', close: 'tick its box (`[x]`)' },
};
