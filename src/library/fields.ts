/** The fields that define a loop or a frame, and the flags that they stand for. */
import type { Mode } from '../core/record/definition.ts';
import { text as isText } from '../core/shape.ts';
import { flag, list, optional, value, type FieldsOf } from '../flags/schema/schema.ts';
import { text } from './runtime.ts';

/** The flags of the start command that concern one frame. Fields left out have the defaults of those flags. */
export interface FrameFields {
  readonly prompt: string;
  readonly promise?: string;
  readonly checks?: readonly string[];
  readonly features?: string;
  readonly watchFile?: string;
  readonly doneFolder?: string;
  readonly require?: 'all' | 'any';
  readonly minIterations?: number;
  readonly maxIterations?: number | 'unlimited';
  readonly as?: Mode;
  readonly items?: string;
  readonly itemsFrom?: string;
  readonly maxItems?: number;
}

/** Those that concern the loop as a whole. Durations are written as in flags: `90s`, `15m`, `1h30m`. */
export interface WholeFields {
  readonly name?: string;
  readonly protect?: readonly string[];
  readonly timeout?: string;
  readonly staleAfter?: string;
  readonly checkTimeout?: string;
  readonly checksTimeout?: string;
  readonly parallel?: number;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly maxStalls?: number | 'off';
  /** Calls before which a person is asked. */
  readonly approve?: readonly string[];
  /** Done only when a person confirms it. */
  readonly approveDone?: boolean;
  readonly approvalTimeout?: string;
  readonly approvalPolicy?: 'file' | 'person';
  readonly approvals?: string;
  /** Who is notified when the loop ends or needs a person: a URL or `desktop`. */
  readonly notify?: readonly string[];
  /** A file, or `none`. Default: the config of the project, if a person has trusted it. */
  readonly config?: string;
}

const words = optional(text);
const texts = optional(list(text, 'a list of texts'));

/** The flag parser checks for whole numbers and known words, because its messages are better. */
function one<T extends string | number>() {
  const fits = (given: unknown): given is T => isText(given) || typeof given === 'number';
  return optional(value('a text or a number', null, fits));
}

export const FRAME: FieldsOf<FrameFields> = {
  prompt: text,
  promise: words,
  checks: texts,
  features: words,
  watchFile: words,
  doneFolder: words,
  require: one(),
  minIterations: one(),
  maxIterations: one(),
  as: one(),
  items: words,
  itemsFrom: words,
  maxItems: one(),
};

export const WHOLE: FieldsOf<WholeFields> = {
  name: words,
  protect: texts,
  timeout: words,
  staleAfter: words,
  checkTimeout: words,
  checksTimeout: words,
  parallel: one(),
  maxCost: one(),
  maxTokens: one(),
  maxStalls: one(),
  approve: texts,
  approveDone: optional(flag),
  approvalTimeout: words,
  approvalPolicy: one(),
  approvals: words,
  notify: texts,
  config: words,
};
