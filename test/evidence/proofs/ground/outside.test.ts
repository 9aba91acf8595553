/** What decides outside of the repository: settings in the home of the user, configs above, programs. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { listGround } from '#evidence/proofs/ground/list.ts';
import { listOutside, outsideChanges } from '#evidence/proofs/ground/outside.ts';
import { temporaryFolder } from '../../../store/folder.ts';

let folder: string;
let env: { HOME: string; PATH: string };
beforeEach(() => {
  folder = temporaryFolder();
  env = {
    HOME: join(folder, 'person'),
    PATH: ['person/bin', 'system'].map((bin) => join(folder, bin)).join(':'),
  };
  // Not the programs of this machine: it may have any.
  put('system/sh', '#!/bin/sh\n');
  put('person/.npmrc', '');
  put('repository/.git/HEAD', '');
  put('repository/packages/a/package.json', '{}');
});

function put(file: string, content: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (content.startsWith('#!')) chmodSync(path, 0o755);
}

const now = () => {
  const project = join(folder, 'repository/packages/a');
  const ground = listGround(project, [], () => false);
  return listOutside(project, ground.ok ? ground.files : [], env);
};

/** What an act changes, in words. */
function changesBy(act: () => void): string[] {
  const then = now();
  expect(outsideChanges(then, now(), env)).toEqual([]);
  act();
  return outsideChanges(then, now(), env).map(({ path, how }) => `${path} ${how}`);
}

it.each([
  ['person/.npmrc', 'script-shell=/bin/true', '~/.npmrc changed'],
  ['person/.cargo/config.toml', '[alias]', '~/.cargo/config.toml added'],
  [
    'person/.local/lib/python3.12/site-packages/usercustomize.py',
    '',
    '~/.local/lib/python3.12/site-packages/usercustomize.py added',
  ],
  [
    'person/.local/lib/python3.12/site-packages/x.pth',
    'import x',
    '~/.local/lib/python3.12/site-packages/x.pth added',
  ],
  ['person/.gradle/init.d/x.gradle', '', '~/.gradle/init.d added'],
  ['node_modules/.bin/node', '#!/bin/true\n', '/node_modules/.bin added'],
  ['pytest.ini', '[pytest]', '/pytest.ini added'],
  ['package.json', '{"type":"module"}', '/package.json added'],
  ['person/bin/sh', '#!/bin/true\n', 'the program sh changed'],
])('%s is told of', (file, content, told) => {
  const changes = changesBy(() => put(file, content));
  expect(changes).toHaveLength(1);
  expect(changes[0]).toContain(told);
});

it.each([
  ['a config in the repository, which is ground as any other', 'repository/pytest.ini', ''],
  ['another file in the home', 'person/.bash_history', 'ls'],
  ['what package.json above asks for', 'package.json', '{"dependencies":{"a":"1"}}'],
  ['a program that was not there', 'person/bin/pytest', '#!/bin/true\n'],
])('%s is not', (_what, file, content) => {
  expect(changesBy(() => put(file, content))).toEqual([]);
});

it('a program of the repository is not, unless it takes the place of another', () => {
  env = { ...env, PATH: `${join(folder, 'repository/bin')}:${env.PATH}` };
  put('repository/bin/make', '#!/bin/sh\n');
  const changes = changesBy(() => {
    put('repository/bin/make', '#!/bin/sh\nexit 0\n');
    put('repository/bin/sh', '#!/bin/true\n');
  });
  expect(changes).toEqual(['the program sh changed']);
});

it('a test behind a link is told of, a file that a folder of tests links to is not', () => {
  put('elsewhere/a.js', '1');
  put('elsewhere/b.js', '1');
  mkdirSync(join(folder, 'repository/packages/a/tests'));
  symlinkSync(join(folder, 'elsewhere/a.js'), join(folder, 'repository/packages/a/a.test.js'));
  symlinkSync(join(folder, 'elsewhere/b.js'), join(folder, 'repository/packages/a/tests/b.js'));
  const changes = changesBy(() => {
    put('elsewhere/a.js', '2');
    put('elsewhere/b.js', '2');
  });
  expect(changes).toEqual([expect.stringContaining('elsewhere/a.js changed')]);
});

it('nothing is compared for another user, and no program with another PATH', () => {
  const then = now();
  rmSync(join(folder, 'person/.npmrc'));
  put('person/bin/sh', '#!/bin/true\n');
  const user = { ...env, HOME: join(folder, 'other') };
  const project = join(folder, 'repository/packages/a');
  expect(outsideChanges(then, listOutside(project, [], user), user)).toEqual([]);
  const path = { ...env, PATH: `${env.PATH}:/sbin` };
  expect(outsideChanges(then, listOutside(project, [], path), path)).toEqual([
    { path: '~/.npmrc', how: 'deleted' },
  ]);
});
