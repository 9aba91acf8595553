/**
 * The words of a call of git. A word from elsewhere (a record, a person, a repository) that begins with `-`
 * would be an option, and some options run a program. So each word either begins with text that stands in our
 * own source, for which the compiler asks, or is an operand, which the runner refuses if it begins with `-`.
 */

/** A word that may come from elsewhere: a ref, a commit, an address, a path. */
export interface Operand {
  readonly operand: string;
}

export type GitWord = string | Operand;

/** `string` and `${string}:main` begin with somebody's text; `--prefix=${string}` begins with ours. */
type BeginsInSource<Word extends string> = Word extends `${infer First}${string}`
  ? string extends First
    ? never
    : Word
  : string extends Word
    ? never
    : Word;

export type GitWords<Words extends readonly GitWord[]> = Words & {
  readonly [At in keyof Words]: Words[At] extends string ? BeginsInSource<Words[At]> : Words[At];
};

export function operand(word: string): Operand {
  return { operand: word };
}

export function operands(...words: readonly string[]): Operand[] {
  return words.map(operand);
}
