// @module-tag slow
/**
 * A clone that nobody has built, installed by the real npm: afterwards the command and the types are there,
 * or it says why not.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRecord } from '#base/shape.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** What the build reads. */
const SOURCES = [
  'bin',
  'src',
  'scripts',
  'plugin',
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
];
const MINUTE_MS = 60_000;

interface Place {
  readonly clone: string;
  readonly prefix: string;
  readonly user: string;
  readonly npm: (
    cwd: string,
    ...words: string[]
  ) => { readonly status: number | null; readonly said: string };
}

/** `packages`: whether the clone has them. npm reaches no registry here. */
function freshClone({ packages }: { readonly packages: boolean }): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dc-install-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [clone, prefix, user] = [join(root, 'clone'), join(root, 'prefix'), join(root, 'user')];
  for (const folder of [clone, prefix, user]) mkdirSync(folder);
  for (const name of [...SOURCES, 'tsconfig.json'])
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  if (packages) symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const env = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: join(root, 'home'),
    npm_config_cache: join(root, 'cache'),
    npm_config_offline: 'true',
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
  };
  return {
    clone,
    prefix,
    user,
    npm: (cwd, ...words) => {
      const ran = spawnSync('npm', words, { cwd, env, encoding: 'utf8', timeout: MINUTE_MS });
      return { status: ran.status, said: ran.stdout + ran.stderr };
    },
  };
}

test('npm install -g . in a clone that was never built: the command is there, and no committed file changed', () => {
  const { clone, prefix, npm } = freshClone({ packages: true });
  expect(npm(clone, 'install', '-g', '.')).toMatchObject({ status: 0 });
  const version = spawnSync(process.execPath, [join(prefix, 'bin/dacapo'), '--version'], {
    encoding: 'utf8',
  });
  expect(version).toMatchObject({ status: 0, stdout: '0.1.0\n', stderr: '' });
  for (const file of ['hook.cjs', 'stop.cjs'])
    expect(readFileSync(join(clone, 'plugin/dist', file))).toEqual(
      readFileSync(join(ROOT, 'plugin/dist', file)),
    );
}, 120_000);

test('npm install -g of a git URL fails with the reason: npm would link the command to a folder that it removes', () => {
  const { clone } = freshClone({ packages: true });
  const inCache = join(dirname(clone), '_cacache/tmp/git-cloneAbCdEf');
  mkdirSync(dirname(inCache), { recursive: true });
  cpSync(join(clone, 'scripts'), join(inCache, 'scripts'), { recursive: true });
  const prepare = (folder: string, isGlobal: boolean) =>
    spawnSync(process.execPath, [join(folder, 'scripts/setup.mjs'), '--prepare'], {
      env: { PATH: '', ...(isGlobal && { npm_config_global: 'true' }) },
      encoding: 'utf8',
    });
  const refused = prepare(inCache, true);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('Run instead: git clone URL dacapo && npm install -g ./dacapo');
  // In a project npm packs that clone, which works: here only npm itself is missing.
  expect(prepare(inCache, false).stderr).toContain('setup: installing packages');
});

test('npm link of an installed package, which has no sources: there is nothing to build', () => {
  const { user } = freshClone({ packages: true });
  mkdirSync(join(user, 'bin'));
  cpSync(join(ROOT, 'bin/prepare.mjs'), join(user, 'bin/prepare.mjs'));
  const ran = spawnSync(process.execPath, [join(user, 'bin/prepare.mjs'), '--prepare'], { encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('npm install -g . where scripts are turned off: the command is there, and says how to build it', () => {
  const { clone, prefix, npm } = freshClone({ packages: false });
  expect(npm(clone, 'install', '-g', '.', '--ignore-scripts')).toMatchObject({ status: 0 });
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(prefix, 'bin/dacapo'), ...words], { encoding: 'utf8' });
  const { status, stdout, stderr } = run('--version');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(`next: node "${join(clone, 'scripts/setup.mjs')}" builds it`);
  expect(run('hook')).toMatchObject({ status: 0 });
}, 120_000);

test('npm install CLONE in a project: a program that imports dacapo has types', () => {
  const { clone, user, npm } = freshClone({ packages: true });
  writeFileSync(join(user, 'package.json'), '{"type":"module","private":true}');
  expect(npm(user, 'install', clone)).toMatchObject({ status: 0 });
  writeFileSync(
    join(user, 'typed.ts'),
    "import { startLoop } from 'dacapo';\nvoid startLoop({ prompt: 'x', maxIteration: 3 });\n",
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, ...options, ...types, 'typed.ts'], {
    cwd: user,
    encoding: 'utf8',
  });
  expect(checked.stdout).toContain("'maxIterations'");
  expect(checked.stdout).not.toContain('TS7016');
}, 120_000);

test('where the packages for the build can not be had, the install fails, and says so', () => {
  const { clone, prefix, npm } = freshClone({ packages: false });
  const installed = npm(clone, 'install', '-g', '.');
  expect(installed.status).not.toBe(0);
  expect(installed.said).toContain('setup: installing packages');
  expect(installed.said).toContain('setup: npm ci');
  expect(existsSync(join(prefix, 'bin/dacapo'))).toBe(false);
}, 120_000);

test('what a package has: what messages point to, a list of what is bundled, and no picture of the docs', () => {
  const { npm } = freshClone({ packages: true });
  const packed = npm(ROOT, 'pack', '--dry-run', '--ignore-scripts', '--json');
  const [first]: unknown[] = Object.values(JSON.parse(packed.said.slice(packed.said.search(/[[{]/))));
  const files = isRecord(first) && Array.isArray(first['files']) ? first['files'] : [];
  const paths = files.map((file: unknown) => (isRecord(file) ? String(file['path']) : ''));
  expect(paths).toEqual(
    expect.arrayContaining([
      'bin/dacapo.cjs',
      'dist/cli.cjs',
      'docs/lists.md',
      'docs/stop-hooks.md',
      'docs/reference.md',
      'examples/pull-request-gate.sh',
      'plugin/dist/hook.cjs',
    ]),
  );
  expect(paths.filter((path) => path.endsWith('.png') || path.startsWith('src/'))).toEqual([]);
});

test('the list of what is bundled is a CycloneDX document with a version, a licence and a purl for each package', () => {
  const script =
    "import { sbomOf } from './scripts/build/bundled.mjs'; console.log(sbomOf(new Set(['preact', '@preact/signals'])));";
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'dacapo', 'bom-ref': 'pkg:npm/dacapo@0.1.0' } },
    components: [
      { name: '@preact/signals', purl: expect.stringMatching(/^pkg:npm\/%40preact\/signals@\d/) },
      { name: 'preact', licenses: [{ license: { id: 'MIT' } }] },
    ],
  });
});
