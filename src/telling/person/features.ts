/** Puts a feature list, and a file that is to be moved, into words for the agent and the person. */
import type {
  FeatureFacts,
  FeatureFormat,
  FeaturesProof,
  Mark,
  MovedBaseline,
  MovedProof,
} from '#law/record/definition.ts';
import { oneLine } from '#base/words/sanitize.ts';

const MAX_LIST_NAME_CHARS = 120;

export function sayFeatures(file: string, proof: FeaturesProof | null): string {
  const name = oneLine(file, MAX_LIST_NAME_CHARS);
  if (proof === null) return `${name} has not been read`;
  if (proof.is === 'unreadable') return proof.why;
  return sayItems(name, proof.facts);
}

function sayItems(name: string, { passing, total }: Pick<FeatureFacts, 'passing' | 'total'>): string {
  const open = total - passing;
  if (open === 0) return `all ${total} items in ${name} pass`;
  return `${open} of ${total} items in ${name} ${open === 1 ? 'does' : 'do'} not pass yet`;
}

export function sayFeaturesNotes(file: string, atStart: FeaturesProof): string[] {
  const name = oneLine(file, MAX_LIST_NAME_CHARS);
  if (atStart.is === 'unreadable')
    return [
      `${oneLine(atStart.why, 300)}. If that is still so when the agent stops, the loop ends there ` +
        'and asks for you.',
    ];
  const { next, notes = [] } = atStart.facts;
  return [
    ...(next === null ? [`every item of ${name} passes already.`] : []),
    ...notes.map((words) => `${name} ${words}.`),
  ];
}

/** For the agent: the next open item. `commits`: Da Capo commits after each pass, so the agent must not. */
export function sayNextFeature(facts: FeatureFacts, commits = false): string {
  const { name, format, next } = facts;
  if (next === null) return '';
  const model = next.model === null ? '' : ` It is meant for the model ${next.model}.`;
  const steps = next.steps.map((step, k) => `${k + 1}. ${step}`);
  return [
    `${sayItems(name, facts)}. Continue with ${THINGS[format]} ${next.id} - ` +
      `${sentence(next.description)}${model}`,
    ...(steps.length === 0 ? [] : [`Its steps:\n${steps.join('\n')}`]),
    `Implement it, verify that it works, and only then ${sayMark(facts, next.mark, true)} in ` +
      `${name}; ${commits ? '' : 'commit, and '}note your progress (in progress.txt, where there is ` +
      `one).${commits ? ' Da Capo commits your work.' : ''}`,
  ].join('\n\n');
}

/** For the agent, which last wrote the list. A person is asked only if the list stays broken. */
export function sayMend(why: string): string {
  return (
    `${oneLine(why, 400)}. Correct the file before anything else, and keep all of its items: nothing ` +
    `can be proven while it can't be read.`
  );
}

/**
 * For the agent: items were marked as passing, but a check fails. Repairing them comes before any other item.
 */
export function sayRepair(facts: FeatureFacts, unproven: number): string {
  const { name, format, marked } = facts;
  const thing = THINGS[format];
  const which =
    marked === undefined
      ? `${unproven === 1 ? `1 ${thing} was` : `${unproven} items were`} marked as passing in ${name}`
      : `${thing} ${marked.id} - ${sentence(marked.description).replace(/\.$/, '')} - is marked as ` +
        `passing in ${name}${unproven > 1 ? `, with ${unproven - 1} more` : ''}`;
  return (
    `${which}, but a check fails. Repair that first, before you continue with any other item: make the ` +
    `check pass, or ${sayMark(facts, marked?.mark, false)} again, so that the list says what is true.`
  );
}

function sentence(words: string): string {
  return `${words}${/[.!?…]$/.test(words) ? '' : '.'}`;
}

function sayMark({ format }: FeatureFacts, mark: Mark | null | undefined, isDone: boolean): string {
  if (format === 'checklist') return isDone ? 'tick its box (`[x]`)' : 'untick its box (`[ ]`)';
  const value = isDone ? (mark?.done ?? 'true') : (mark?.open ?? 'false');
  return `set its \`${mark?.field ?? 'passes'}\` to ${value}`;
}

const THINGS: Readonly<Record<FeatureFormat, string>> = {
  'feature-list': 'Feature',
  'user-stories': 'Story',
  tasks: 'Task',
  checklist: 'item',
};

const MAX_PATH_CHARS = 120;

export function sayMovedWarning({ file, folder, warning }: MovedBaseline): string | null {
  const [watched, done] = [oneLine(file, MAX_PATH_CHARS), oneLine(folder, MAX_PATH_CHARS)];
  const says = {
    absent: `${watched} does not exist: the loop is done when a file of that name arrives in ${done}.`,
    'no-file': `${watched} is not a regular file: only its name will be looked for in ${done}.`,
    'done-already':
      `${watched} is in its done folder already: the loop is done when it is written ` + 'there again.',
    'folder-unreadable': `${done} can't be read, so it can't be seen whether ${watched} arrives there.`,
  };
  return warning === null ? null : says[warning];
}

export function sayMove({ file, folder, watched: begun }: MovedBaseline, proof: MovedProof): string {
  const [watched, done] = [oneLine(file, MAX_PATH_CHARS), oneLine(folder, MAX_PATH_CHARS)];
  if (proof.is === 'moved') {
    const how = proof.how === 'name' ? '' : ', under another name';
    return `${watched} has arrived${how}: ${oneLine(proof.to, MAX_PATH_CHARS)}`;
  }
  if (proof.is === 'unreadable') return `${done} can't be read (${oneLine(proof.why, MAX_PATH_CHARS)})`;
  if (proof.origin === 'there') return `${watched} has not been moved to ${done} yet`;
  return begun.is === 'absent'
    ? `${watched} is neither in its place nor in ${done}`
    : `${watched} is gone from its place, but neither its name nor its content is in ${done}`;
}
