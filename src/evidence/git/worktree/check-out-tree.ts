/**
 * Checks a tree out into a folder, without the settings of its repository: git gets a git folder of our own.
 * Its work tree is empty, so that git takes the attributes from the tree itself. Otherwise the present
 * `.gitattributes`, which an agent may have written, would say how the files of an earlier tree are
 * converted.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Refusal } from '#base/refusal.ts';
import { withScratch } from '#base/files/scratch.ts';
import { findFilters } from '../filters.ts';
import { fieldsOf, git, readable, type AskGit } from '../git.ts';
import { operand } from '../words.ts';
import { GITLINK } from '../lists.ts';
import { heard, obeyed, refuseSilence, storeEnvironment, type Repository } from '../repository.ts';

export interface CheckOutOrder {
  readonly tree: string;
  readonly store: string;
  readonly to: string;
  readonly isWanted?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Returns the names of what was written. A file, link or folder of another kind that is in the way is
 * replaced.
 */
export function checkOutTree(repository: Repository, order: CheckOutOrder): Promise<string[] | Refusal> {
  const { tree, store, to, isWanted = () => true, signal } = order;
  return withScratch('index', async (scratch) => {
    const place = makeGitFolder(scratch, repository.format);
    const at = { at: place.GIT_WORK_TREE, signal, env: { ...place, ...storeEnvironment(repository, store) } };
    const filters = await findFilters('all', at);
    if (typeof filters === 'string') return refuseSilence();
    const ask: AskGit<string> = (args, input = '') =>
      git(args, { ...at, env: { ...filters.off, ...at.env }, input });
    const unread = obeyed(await ask(['read-tree', operand(tree)]), 'tree', UNREAD);
    if (unread !== null) return unread;
    const listed = heard(await ask(['ls-files', '-z', '--stage']), 'tree', UNREAD);
    if (typeof listed !== 'string') return listed;
    const paths = filesListed(listed).filter((path) => isWanted(readable(path)));
    const input = paths.map((path) => `${path}\0`).join('');
    const written = await ask(['checkout-index', '-q', '-f', '-z', '--stdin', `--prefix=${to}/`], input);
    return obeyed(written, 'tree', 'The tree could not be written') ?? paths.map(readable);
  });
}

const UNREAD = 'The tree could not be read';

/** As bytes, without submodules. */
function filesListed(out: string): string[] {
  return fieldsOf(out).flatMap((line) =>
    line.startsWith(GITLINK) ? [] : [line.slice(line.indexOf('\t') + 1)],
  );
}

/** It has no settings, and its work tree is empty. */
export function makeGitFolder(scratch: string, format: Repository['format']) {
  const [gitDir, workTree] = [join(scratch, 'git'), join(scratch, 'empty')];
  for (const folder of [gitDir, join(gitDir, 'refs'), workTree]) mkdirSync(folder);
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  const extension = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  writeFileSync(
    join(gitDir, 'config'),
    `[core]\n\trepositoryformatversion = 1\n\tbare = false\n${extension}`,
  );
  return { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: join(scratch, 'index') };
}
