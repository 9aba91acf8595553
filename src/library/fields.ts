/** The fields that define a loop or a frame, and the flags that they stand for. */
import type { Mode } from '../core/record/definition.ts';
import { either, flag, list, text, type Shape } from '../core/shape.ts';
import type { Fields } from './world.ts';

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

/** The flag parser checks for whole numbers and known words, because its messages are better. */
const word = either(text, (value): value is number => typeof value === 'number');

export const FRAME: Fields<FrameFields> = {
  prompt: text,
  promise: text,
  checks: list(text),
  features: text,
  watchFile: text,
  doneFolder: text,
  require: text,
  minIterations: word,
  maxIterations: word,
  as: text,
  items: text,
  itemsFrom: text,
  maxItems: word,
};

export const WHOLE: Fields<WholeFields> = {
  name: text,
  protect: list(text),
  timeout: text,
  staleAfter: text,
  checkTimeout: text,
  checksTimeout: text,
  parallel: word,
  maxCost: word,
  maxTokens: word,
  maxStalls: word,
  approve: list(text),
  approveDone: flag,
  approvalTimeout: text,
  approvalPolicy: text,
  approvals: text,
  notify: list(text),
  config: text,
};

/** Other fields are named as their flags. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['promise', '--completion-promise'],
  ['checks', '--check'],
]);

function flagOf(field: string): string {
  return OTHERWISE.get(field) ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const values: Shape<readonly unknown[]> = (value): value is readonly unknown[] => Array.isArray(value);

/** Uses the flag parser of the command line, so that both refuse the same requests. */
export function wordsOf(request: FrameFields & WholeFields, ...more: readonly string[]): string[] {
  const given = new Map<string, unknown>(Object.entries(request));
  const flags = Object.keys({ ...FRAME, ...WHOLE }).flatMap((field) => {
    const [name, value] = [flagOf(field), given.get(field)];
    if (field === 'prompt' || value === undefined || value === false) return [];
    return value === true ? [name] : (values(value) ? value : [value]).map((one) => `${name}=${String(one)}`);
  });
  return [...flags, ...more, '--', request.prompt];
}
