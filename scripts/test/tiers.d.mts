export interface Need {
  readonly tag: string;
  /** What it is, in words. */
  readonly is: string;
  readonly packages: readonly string[];
  readonly found: () => boolean;
}

export const NEEDS: readonly Need[];

export const TIER: 'DACAPO_TEST_TIER';

export function taggedFiles(root: string): {
  readonly file: string;
  readonly whole: readonly string[];
  readonly some: readonly string[];
}[];

export function leftOut(
  root: string,
  words: readonly string[],
): { readonly tag: string; readonly is: string; readonly files: number }[];
