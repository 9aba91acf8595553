/** The lists that git prints, read: `status`, `ls-files --stage`, raw differences. All NUL-separated, names as bytes. */
import { fieldsOf, readable } from './git.ts';

export interface Changed {
  readonly path: string;
  /** `.`: the work tree holds what the index holds. */
  readonly inTree: string;
  readonly mode: string;
  /** What the index holds. */
  readonly indexed: { readonly mode: string; readonly oid: string } | null;
}

export interface Status {
  readonly head: string | null;
  /** Null: detached. */
  readonly branch: string | null;
  readonly changed: readonly Changed[];
  readonly unmerged: readonly string[];
  /** A name that ends in `/` is a repository of its own. */
  readonly untracked: readonly string[];
}

export const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--no-renames',
  // Deeper, git would start itself in each submodule, by settings that nobody has looked at.
  '--ignore-submodules=dirty',
];

export function readStatus(out: string): Status {
  let [head, branch]: [string | null, string | null] = [null, null];
  const changed: Changed[] = [];
  const unmerged: string[] = [];
  const untracked: string[] = [];
  for (const line of fieldsOf(out)) {
    const words = line.split(' ');
    const rest = (n: number) => words.slice(n).join(' ');
    if (line.startsWith('# branch.oid ')) head = words[2] === '(initial)' ? null : (words[2] ?? null);
    else if (line.startsWith('# branch.head ')) branch = words[2] === '(detached)' ? null : rest(2);
    else if (line.startsWith('? ')) untracked.push(rest(1));
    else if (line.startsWith('u ')) unmerged.push(rest(10));
    else if (line.startsWith('1 ')) {
      const [, state = '..', , , indexMode = '', mode = '', , oid = ''] = words;
      const indexed = state.startsWith('D') ? null : { mode: indexMode, oid };
      changed.push({ path: rest(8), inTree: state.charAt(1), mode, indexed });
    }
  }
  return { head, branch, changed, unmerged, untracked };
}

/** Changed, staged, in conflict or untracked; for people. */
export function dirtyIn({ changed, unmerged, untracked }: Status): string[] {
  const names = [...changed.map(({ path }) => path), ...unmerged, ...untracked];
  return [...new Set(names)].map(readable).toSorted();
}

export interface Indexed {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

/** Of `ls-files --stage -z`; what is in conflict is left out. */
export function readIndex(out: string): Indexed[] {
  return fieldsOf(out).flatMap((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', oid = '', stage] = line.slice(0, tab).split(' ');
    return stage === '0' ? [{ path: line.slice(tab + 1), mode, oid }] : [];
  });
}

export interface Difference {
  readonly path: string;
  readonly status: string;
  readonly from: { readonly mode: string; readonly oid: string };
  readonly to: { readonly mode: string; readonly oid: string };
}

/** Between two trees or commits; neither textconv nor an external program has a say in a raw list. */
export function rawDifference(from: string, to: string): string[] {
  return [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    from,
    to,
  ];
}

export function readDifferences(out: string): Difference[] {
  const fields = fieldsOf(out);
  const found: Difference[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [fromMode = '', toMode = '', fromOid = '', toOid = '', status = ''] = (fields[i] ?? '')
      .slice(1)
      .split(' ');
    const [from, to] = [
      { mode: fromMode, oid: fromOid },
      { mode: toMode, oid: toOid },
    ];
    found.push({ path: fields[i + 1] ?? '', status, from, to });
  }
  return found;
}

/** The mode of what is not there. */
export const ABSENT = '000000';
/** A submodule. */
export const GITLINK = '160000';
