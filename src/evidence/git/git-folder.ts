/** Where a repository has its folders, found without starting git. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readTextIfAny } from '#base/files/read.ts';

/** Null: there is none. A bare one is named in git's refusal. */
export function findTop(project: string): string | null {
  const isOne =
    existsSync(join(project, '.git')) || ['HEAD', 'objects'].every((name) => existsSync(join(project, name)));
  const above = dirname(project);
  return isOne ? project : above === project ? null : findTop(above);
}

/** A linked work tree has a git folder of its own, which names the shared one. */
export function commonDir(gitDir: string): string {
  const named = readTextIfAny(join(gitDir, 'commondir'));
  return named === null ? gitDir : resolve(gitDir, named.replace(/\n+$/, ''));
}
