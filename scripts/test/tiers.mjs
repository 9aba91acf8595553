// The two tiers of the tests. `npm test` needs Node, git and five minutes; `npm test -- --all` runs everything.
//
// A test that needs more says so by a tag: `// @module-tag tmux` in its file, or `{ tags: ['tmux'] }` for one of several.
// `npm test` leaves tagged tests out and names them at its end. With --all nothing is left out: a test fails where
// what it needs is missing.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `packages` are Debian's; setup installs them where `found` says no. */
export const NEEDS = [
  { tag: 'tmux', is: 'tmux', packages: ['tmux'], found: () => has('tmux') },
  {
    tag: 'chromium',
    is: 'Chromium (DACAPO_CHROMIUM names another program)',
    packages: ['chromium'],
    found: () => has('chromium') || Boolean(process.env.DACAPO_CHROMIUM),
  },
  { tag: 'jq', is: 'jq', packages: ['jq'], found: () => has('jq') },
  { tag: 'strace', is: 'strace', packages: ['strace'], found: () => has('strace') },
  { tag: 'bubblewrap', is: 'bubblewrap', packages: ['bubblewrap'], found: () => has('bwrap') },
  {
    tag: 'postgres',
    is: 'a Postgres server',
    packages: ['postgresql'],
    found: () => has('initdb') || existsSync('/usr/lib/postgresql'),
  },
  {
    tag: 'pgbouncer',
    is: 'PgBouncer',
    packages: ['pgbouncer'],
    found: () => has('pgbouncer') || existsSync('/usr/sbin/pgbouncer'),
  },
  {
    tag: 'slurm',
    is: 'Slurm and munge',
    packages: ['slurmctld', 'slurmd', 'slurm-client', 'munge'],
    found: () =>
      ['slurmctld', 'slurmd', 'munged'].every((name) => has(name) || existsSync(`/usr/sbin/${name}`)),
  },
  {
    tag: 'shells',
    is: 'bash, busybox, dash, mksh and zsh',
    packages: ['bash', 'busybox', 'dash', 'mksh', 'zsh'],
    found: () => ['bash', 'busybox', 'dash', 'mksh', 'zsh'].every(has),
  },
  { tag: 'make', is: 'make', packages: ['make'], found: () => answers('make') },
  {
    tag: 'pytest',
    is: 'pytest',
    packages: ['python3-pytest'],
    found: () => answers('python3', '-m', 'pytest'),
  },
  {
    tag: 'cargo',
    is: 'cargo',
    packages: ['cargo'],
    // A cargo of rustup does not run where HOME is empty.
    found: () => answers('cargo') || existsSync('/usr/bin/cargo'),
  },
  { tag: 'go', is: 'Go', packages: ['golang-go'], found: () => has('go') },
  { tag: 'agents', is: 'the seven other agents (1.5 GB below .hosts/)', packages: [], found: () => true },
  { tag: 'nodes', is: 'Node 20.19, 22, 24 and 26 (below .hosts/)', packages: [], found: () => true },
  {
    tag: 'wine',
    is: 'Wine, with Node and git for Windows (1.2 GB below .hosts/)',
    packages: ['wine64', 'gcc-mingw-w64-x86-64-win32'],
    found: () => existsSync('/usr/lib/wine/wine64') && has('x86_64-w64-mingw32-gcc'),
  },
  { tag: 'slow', is: 'more than five minutes', packages: [], found: () => true },
];

/**
 * The environment variable with the tier of a run. Without it, as in `npx vitest run FILE`, nothing is left
 * out.
 */
export const TIER = 'DACAPO_TEST_TIER';

/** Every test file below `root` with the tags that it mentions. `whole`: the tags hold for the whole file. */
export function taggedFiles(root) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => {
      const file = `test/${path.replaceAll('\\', '/')}`;
      const text = readFileSync(join(root, file), 'utf8');
      const whole = [...text.matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag]) => tag);
      const some = [...text.matchAll(/\btags: \[([^\]]*)\]/g)].flatMap(
        ([, tags]) => tags.match(/\w+/g) ?? [],
      );
      return { file, whole, some: [...new Set(some)].filter((tag) => !whole.includes(tag)) };
    });
}

/**
 * How many files the quick tier leaves out for each need, wholly or in part, of those whose path has one of
 * `words`.
 */
export function leftOut(root, words) {
  const files = taggedFiles(root).filter(
    ({ file }) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  return NEEDS.map(({ tag, is }) => ({
    tag,
    is,
    files: files.filter(({ whole, some }) => whole.includes(tag) || some.includes(tag)).length,
  })).filter(({ files: count }) => count > 0);
}

function has(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

function answers(program, ...args) {
  return spawnSync(program, [...args, '--version'], { stdio: 'ignore' }).status === 0;
}
