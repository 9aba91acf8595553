/**
 * The promise grammar: what the tags in an agent's final message mean, both the promise and idle-loop's
 * signals. It judges tags that were already found and never sees the Markdown around them.
 */
import type { Mode } from '../record/definition.ts';
import { foldSpace, oneLine } from '#base/words/sanitize.ts';
import { claimLine, promiseOf, USUAL_PROMISE } from '../gates.ts';
import type { Frame } from '../loop.ts';
import type { Distress, Said } from '../stop.ts';

export interface Tag {
  /** `promise`, or one of the mode signals. */
  name: string;
  text: string;
  /** The kind of text around it. Only prose counts. */
  where: 'prose' | 'code' | 'quote' | 'comment';
  /**
   * Alone on its line or lines, at the very end of the message, or inside other text. `inside` never counts.
   */
  place: 'line' | 'end' | 'inside';
}

export type PromiseReading = { is: 'kept' } | { is: 'absent' } | { is: 'missed'; near: NearMiss };

export interface NearMiss {
  is: keyof typeof UNCOUNTED | 'other-text' | 'contradicted';
  /** The text of the tag; if contradicted, the text of what contradicts it. Bounded. */
  seen: string;
  name?: string;
}

/** Long enough to recognise a text, short enough to repeat at every stop. */
const MAX_TAG_CHARS = 200;

/** Longer, because a person reads these words once, at the end of a loop. */
const MAX_DISTRESS_CHARS = 1_000;

const CRIES = ['blocked', 'escalate', 'unverifiable', 'tests_changed'] as const;
const CRY = /^([A-Z_]+)(?: ?[:\-–—] ?(.*))?$/u;
/** A bare `ASK` asks nothing. */
const QUESTION = /^ASK ?[:\-–—] ?(.+)$/u;

/** idle-loop's signals: what each means, and in frames of which modes. */
const SIGNALS: Readonly<Record<string, readonly ['claim' | Distress['is'], ...Mode[]]>> = {
  'loop-done COMPLETE': ['claim', 'loop', 'issue'],
  'loop-done MAX_ITERATIONS': ['iterations', 'loop', 'issue'],
  'loop-done STUCK': ['stuck', 'loop', 'issue'],
  'issue-complete DONE': ['claim', 'issue'],
  'grind-done NO_MORE_ISSUES': ['claim', 'grind'],
  'grind-done MAX_ISSUES': ['items', 'grind'],
};

/** What the tags mean for this frame; null: there are none. */
export function readSaid(tags: readonly Tag[], frame: Frame): Said | null {
  if (tags.length === 0) return null;
  const [wanted, line] = [promiseOf(frame), claimLine(frame)];
  const reading = line === null ? null : readPromise(tags, wanted, frame.mode);
  const distress = readDistress(tags, wanted, frame.mode);
  return {
    // Whoever says that the task asks for other tests says that it is done with them.
    kept: reading?.is === 'kept' || (line !== null && distress?.is === 'tests_changed'),
    usual: wanted === null && readPromise(tags, USUAL_PROMISE).is === 'kept',
    contradicted: reading?.is === 'missed' && reading.near.is === 'contradicted',
    near: reading?.is === 'missed' && line !== null ? sayNearMiss(reading.near, line) : null,
    distress,
  };
}

/** Without a mode, only the promise counts; without a promise, only the signals of the mode. */
export function readPromise(tags: readonly Tag[], wanted: string | null, mode?: Mode): PromiseReading {
  const ours = tags.filter((tag) => tag.name === 'promise' || mode);
  const claims = ours.filter((tag) => distressIn(tag, wanted, mode) === null);
  const isClaim = (tag: Tag) => says(tag, wanted) || signalIn(tag, mode) === 'claim';
  if (claims.some((tag) => stands(tag) && isClaim(tag))) {
    const against = ours.findLast((tag) => stands(tag) && contradicts(distressIn(tag, wanted, mode)));
    return against ? missed('contradicted', against) : { is: 'kept' };
  }
  const nearest = claims.findLast(isClaim) ?? claims.findLast(stands) ?? claims.at(-1);
  return nearest ? missed(flawOf(nearest), nearest) : { is: 'absent' };
}

function contradicts(distress: Distress | null): boolean {
  return distress !== null && distress.is !== 'tests_changed';
}

/**
 * `wanted`: the promise of the loop, or null. If the promise is `BLOCKED` itself, that word fulfils the loop
 * and is no distress. The distress is also returned when the promise contradicts it.
 */
export function readDistress(tags: readonly Tag[], wanted: string | null, mode?: Mode): Distress | null {
  const cries = tags.filter(stands).map((tag) => distressIn(tag, wanted, mode));
  return cries.findLast((distress) => distress !== null) ?? null;
}

export function sayNearMiss(near: NearMiss, line: string): string {
  const counts =
    `To end the loop, write ${line} as plain text, alone on its own line, and only when ` + 'it is true.';
  return `${sayFlaw(near)} ${counts}`;
}

const UNCOUNTED = {
  'in-code': 'inside code, where it does not count',
  'in-quote':
    'inside a quote, where it does not count (a line directly below a quote belongs to it: leave a ' +
    'blank line)',
  'in-comment': 'inside an HTML comment, where it does not count',
  'mid-sentence': 'with other text or markup around it, where it does not count',
};

function sayFlaw({ is, seen, name = 'promise' }: NearMiss): string {
  const tag = `<${name}>${seen}</${name}>`;
  if (is === 'contradicted')
    return (
      `Your last message has the promise together with ${tag}. They contradict each other, so the ` +
      'promise does not count.'
    );
  if (is !== 'other-text') return `Your last message has ${tag} ${UNCOUNTED[is]}.`;
  return (
    `Your last message has ${tag}, which is not ` +
    `${name === 'promise' ? 'the text of the promise' : 'what ends this task'}.`
  );
}

function missed(is: NearMiss['is'], tag: Tag): PromiseReading {
  const near = { is, seen: oneLine(tag.text, MAX_TAG_CHARS) };
  return { is: 'missed', near: tag.name === 'promise' ? near : { ...near, name: tag.name } };
}

function flawOf(tag: Tag): NearMiss['is'] {
  if (tag.where !== 'prose') return `in-${tag.where}`;
  return tag.place === 'inside' ? 'mid-sentence' : 'other-text';
}

function stands(tag: Tag): boolean {
  return tag.where === 'prose' && tag.place !== 'inside';
}

function says(tag: Tag, wanted: string | null): boolean {
  return wanted !== null && tag.name === 'promise' && foldSpace(tag.text) === foldSpace(wanted);
}

/** Undefined: the tag means nothing in a frame of this mode. */
function signalIn({ name, text }: Tag, mode: Mode | undefined): 'claim' | Distress['is'] | undefined {
  const [meaning, ...modes] = SIGNALS[`${name} ${foldSpace(text)}`] ?? [];
  return modes.some((one) => one === mode) ? meaning : undefined;
}

function distressIn(tag: Tag, wanted: string | null, mode?: Mode): Distress | null {
  const signal = signalIn(tag, mode);
  if (signal !== undefined) return signal === 'claim' ? null : { is: signal, words: '' };
  if (tag.name !== 'promise' || says(tag, wanted)) return null;
  const said = foldSpace(tag.text);
  const question = QUESTION.exec(said)?.[1];
  if (question !== undefined) return { is: 'question', words: oneLine(question, MAX_DISTRESS_CHARS) };
  const [, word, reason = ''] = CRY.exec(said) ?? [];
  const is = CRIES.find((one) => one.toUpperCase() === word);
  return is === undefined ? null : { is, words: oneLine(reason, MAX_DISTRESS_CHARS) };
}
