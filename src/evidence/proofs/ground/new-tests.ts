/**
 * Which tests are new, and the ground in which they run without those of the start: where a check was red all
 * along, only tests that run alone can show whether they fail without the work.
 */
import { extname } from 'node:path';
import { wordList } from '#base/words/word-list.ts';
import type { GroundFile } from './list.ts';
import { isTestName } from './table.ts';

/** Files that a runner runs. Others among the tests are what they read. */
const PROGRAMS: ReadonlySet<string> = new Set(
  wordList(`
    .js .mjs .cjs .jsx .ts .mts .cts .tsx .py .rs .go .rb .php .java .kt .scala .groovy .cs .fs .vb
    .ex .exs .dart .clj .cljs .lua .zig .erl .swift .hs .c .cc .cpp .cxx .sh .bats .t .feature
  `),
);

export interface NewTests {
  readonly paths: readonly string[];
  /** The ground of now without the tests of the start. */
  readonly alone: readonly GroundFile[];
}

/** Null: no file with tests was added. */
export function addedTests(then: readonly GroundFile[], now: readonly GroundFile[]): NewTests | null {
  const before = new Set(then.map(({ path }) => path));
  const added = now.filter(
    ({ path, kind }) => kind === 'test' && PROGRAMS.has(extname(path)) && !before.has(path),
  );
  if (added.length === 0) return null;
  const paths = added.map(({ path }) => path);
  const endings = new Set(paths.map((path) => extname(path)));
  // If the new tests are known by their names, so are the others, and what lies beside them is a helper.
  const isByName = paths.every(isTestName);
  const isOldTest = ({ path, kind }: GroundFile) =>
    kind === 'test' && before.has(path) && (isTestName(path) || (!isByName && endings.has(extname(path))));
  return { paths, alone: now.filter((file) => !isOldTest(file)) };
}

/** Whether tests, their fixtures or snapshots are new or changed. */
export function hasOtherTests(then: readonly GroundFile[], now: readonly GroundFile[]): boolean {
  const before = new Map(then.map(({ path, hash }) => [path, hash]));
  return now.some(({ path, kind, hash }) => kind === 'test' && before.get(path) !== hash);
}
