/** The words of a shell: what they stand for, and what they make of variables. */
import { alternativesOf } from '../flags/globs.ts';

export interface Word {
  readonly text: string;
  /** It holds a wildcard that the shell would expand. */
  readonly wild: boolean;
}

/** A file that a redirection names. */
export interface Output extends Word {
  /** By `>>`: what is there stays. */
  readonly appends: boolean;
}

/** What is known of variables, by name. */
export type Variables = Map<string, string>;

/** What a word is for. */
export type Role =
  | 'argument'
  | 'output'
  | 'append'
  | 'source'
  | 'text'
  | 'ending'
  | 'tabbed-ending'
  | 'command';

/** Redirections, and what stands behind each. */
const REDIRECTIONS: readonly (readonly [string, Role])[] = [
  ['<<<', 'text'],
  ['<<-', 'tabbed-ending'],
  ['<<', 'ending'],
  ['<>', 'output'],
  ['<(', 'command'],
  ['<&', 'source'],
  ['<', 'source'],
  ['>(', 'command'],
  ['>>', 'append'],
  ['>|', 'output'],
  ['>&', 'output'],
];

export function redirectionAt(line: string, at: number): readonly [string, Role] {
  return REDIRECTIONS.find(([operator]) => line.startsWith(operator, at)) ?? ['>', 'output'];
}

/** `a{b,c}` are two words. */
export function alternatives({ text, wild }: Word): Word[] {
  if (!wild) return [{ text, wild }];
  return (alternativesOf(text) ?? [text]).map((one) => ({ text: one, wild: /[*?]/.test(one) }));
}

const DECLARES = new Set(['export', 'local', 'declare', 'readonly', 'typeset']);

/**
 * What a command makes of variables: `A=1 B=2`, and `for f in a b`, after which `$f` stands for either. `given`: what the
 * shell was given, which is what `for f` alone goes through.
 */
export function assignedBy(texts: readonly string[], given: string): [string, string][] {
  const [first = '', name = '', within = '', ...values] = texts;
  if (first === 'for' && within === 'in')
    return [[name, values.length === 1 ? values.join() : `{${values.join(',')}}`]];
  if (first === 'for' && texts.length === 2) return [[name, given]];
  const assigned = texts.map((text) => /^(\w+)=(.*)/s.exec(text));
  // In front of a command they are that command's alone.
  if (assigned.includes(null) && !DECLARES.has(first)) return [];
  return assigned.flatMap((one): [string, string][] => (one === null ? [] : [[one[1] ?? '', one[2] ?? '']]));
}
