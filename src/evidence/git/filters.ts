/**
 * Filters are programs that git runs over a file's content on its way in and out (`.gitattributes` names the
 * filter, the settings say what it runs). We switch each one off with settings that override all config
 * files.
 */
import { join } from 'node:path';
import { readRegular, WITH_LINKS } from '#base/files/read.ts';
import { fieldsOf, git, saidBy, type GitOptions } from './git.ts';
import { operand } from './words.ts';

const KEYS = { clean: '', smudge: '', process: '', required: 'false' };

/**
 * Finds all filters, or only those that the repository's own settings define: the user's own (git-lfs) are
 * programs that the user installed. `off`: the settings that switch them off, for git's environment.
 * `silent`: git did not answer. `unknown`: git is too old to list them or to switch them off.
 */
export async function findFilters(which: 'all' | 'repository', options: GitOptions) {
  const asked = await git(
    ['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'],
    options,
  );
  // Exit code 1: there are no filters.
  const out = asked.is === 'said' && asked.code === 1 ? '' : saidBy(asked);
  if (out === null) return asked.is === 'unanswered' ? 'silent' : 'unknown';
  const fields = fieldsOf(out);
  const names = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = /^filter\.(.*)\.[^.]*$/s.exec(fields[i + 1] ?? '')?.[1];
    const ours = which === 'all' || fields[i] === 'local' || fields[i] === 'worktree';
    if (name !== undefined && ours) names.add(name);
  }
  const off = switchOff([...names]);
  const works = await isOff(off, options);
  return works === true ? { off, names: [...names] } : works;
}

/** Those that the repository's own settings define, found without git where they name none. */
export async function findOwnFilters(gitDir: string, commonDir: string, options: GitOptions) {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
  return files.some(mayDefineFilter) ? findFilters('repository', options) : { off: {}, names: [] };
}

/** A filter has a section of that name, in this file or in one that it includes. */
function mayDefineFilter(file: string): boolean {
  const settings = readRegular(file, WITH_LINKS);
  return settings.is === 'content' ? /filter|include/i.test(settings.content) : settings.is !== 'gone';
}

/** Git before 2.31 does not read settings from its environment, and would still run the filters. */
async function isOff(off: Readonly<Record<string, string>>, options: GitOptions) {
  const last = Number(off['GIT_CONFIG_COUNT'] ?? 0) - 1;
  const key = off[`GIT_CONFIG_KEY_${last}`];
  if (key === undefined) return true;
  const answer = await git(['config', '--get', operand(key)], {
    ...options,
    env: { ...options.env, ...off },
  });
  if (answer.is === 'unanswered') return 'silent';
  return saidBy(answer) === `${off[`GIT_CONFIG_VALUE_${last}`]}\n` ? true : 'unknown';
}

/**
 * Uses the environment and not `-c`, which misreads a name with `=`. Settings that the user put there stay.
 */
export function switchOff(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const first = Number(process.env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const settings = names.flatMap((name) =>
    Object.entries(KEYS).map(([key, value]) => [
      Buffer.from(`filter.${name}.${key}`, 'latin1').toString(),
      value,
    ]),
  );
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(first + settings.length) };
  for (const [i, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${first + i}`] = key ?? '';
    env[`GIT_CONFIG_VALUE_${first + i}`] = value ?? '';
  }
  return env;
}

/** Which of these files pass through one of these filters. Asks for attributes only, and runs no filter. */
export async function filteredBy(
  names: readonly string[],
  paths: readonly string[],
  options: GitOptions,
): Promise<string[] | null> {
  if (names.length === 0 || paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  const out = saidBy(await git(['check-attr', '-z', '--stdin', 'filter'], { ...options, input }));
  if (out === null) return null;
  const fields = fieldsOf(out);
  const found: string[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path, driver] = [fields[i], fields[i + 2]];
    if (path !== undefined && driver !== undefined && names.includes(driver)) found.push(path);
  }
  return found;
}
