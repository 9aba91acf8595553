/** The fields that define a loop or a frame, named as the flags that they stand for. Their defaults are those of the flags. */
import type { Mode } from '../core/record/definition.ts';
import { text as isText } from '../core/shape.ts';
import { flag, list, optional, value, type ObjectOf } from '../flags/schema/schema.ts';
import { text } from './runtime.ts';

const words = optional(text);
const texts = optional(list(text, 'a list of texts'));

/** The flag parser checks for whole numbers and known words, because its messages are better. */
function one<T extends string | number>() {
  const fits = (given: unknown): given is T => isText(given) || typeof given === 'number';
  return optional(value('a text or a number', null, fits));
}

/** Those that concern one frame. */
export const FRAME = {
  prompt: text,
  promise: words,
  checks: texts,
  features: words,
  watchFile: words,
  doneFolder: words,
  require: one<'all' | 'any'>(),
  minIterations: one<number>(),
  maxIterations: one<number | 'unlimited'>(),
  as: one<Mode>(),
  items: words,
  itemsFrom: words,
  maxItems: one<number>(),
};

/** Those that concern the loop as a whole. Durations are written as in flags: `90s`, `15m`, `1h30m`. */
export const WHOLE = {
  name: words,
  protect: texts,
  timeout: words,
  staleAfter: words,
  checkTimeout: words,
  checksTimeout: words,
  parallel: one<number>(),
  maxCost: one<number>(),
  maxTokens: one<number>(),
  maxStalls: one<number | 'off'>(),
  /** Calls before which a person is asked. */
  approve: texts,
  /** Done only when a person confirms it. */
  approveDone: optional(flag),
  approvalTimeout: words,
  approvalPolicy: one<'file' | 'person'>(),
  approvals: words,
  /** Who is notified when the loop ends or needs a person: a URL or `desktop`. */
  notify: texts,
  /** A file, or `none`. Default: the config of the project, if a person has trusted it. */
  config: words,
};

export type FrameFields = ObjectOf<typeof FRAME>;
export type WholeFields = ObjectOf<typeof WHOLE>;
