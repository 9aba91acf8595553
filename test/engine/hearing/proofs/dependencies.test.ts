/** The dependencies that a check stands on: whoever swaps one decides what the tests say. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { statusOf } from '#telling/loop-status.ts';
import { gitIn, makeHalfProject, PACKAGE, putFile, RIGHT, TEST } from './half-project.ts';
import { Stage, toAgent, toPerson } from '../stage.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const put = (file: string, content: string) => putFile(stage.project, file, content);
const git = (...args: string[]) => gitIn(stage.project, ...args);
const makeProject = () => makeHalfProject(stage.project);
const start = (flags = '') => stage.start(`Make half right. --check "npm test --silent" ${flags}`);
const ended = () => statusOf(stage.loop(), stage.now());

describe('dependencies', () => {
  const USES = `import { test } from 'node:test';
import assert from 'node:assert';
import { same } from 'same';
import { half } from './half.js';
test('half', () => assert.ok(same(half(4), 2)));
`;
  const SAME = 'export const same = (a, b) => a === b;\n';
  /** npm gives each file that it installs the same time. */
  const INSTALLED = new Date('1985-10-26T08:15:00Z');
  const begin = async (flags = '') => {
    makeProject();
    put('half.test.js', USES);
    put('node_modules/same/package.json', '{"name":"same","type":"module","exports":"./index.js"}');
    put('node_modules/same/index.js', SAME);
    utimesSync(join(stage.project, 'node_modules/same/index.js'), INSTALLED, INSTALLED);
    git('commit', '-qam', 'uses a package');
    await start(flags);
  };

  it('a module that is swapped does not complete: the agent is told, then a person is asked', async () => {
    await begin();
    put('node_modules/same/index.js', 'export const same = () => true;\n');
    expect(toAgent(await stage.stop('Done.'))).toContain(
      'node_modules/same. Put them back as they were installed',
    );
    await stage.stop('Done.');
    expect(stage.status()).toBe('waiting');
    await stage.command('approve', '');
    expect(ended()).toMatchObject({ doneBy: ['check', 'accepted'], proven: false });
  });

  const SWAPPED = 'export const same = () => true;\n';
  const swap = () => put('node_modules/same/index.js', SWAPPED);
  const LOCK = { lockfileVersion: 3, packages: {} };

  it.each([
    ['an edited lock file', () => put('package-lock.json', JSON.stringify(LOCK, null, 2))],
    [
      'a dependency asked for in package.json, with another version',
      () => {
        put('package.json', JSON.stringify({ ...PACKAGE, devDependencies: { same: '2.0.0' } }));
        put(
          'node_modules/same/package.json',
          '{"name":"same","version":"2.0.0","type":"module","exports":"./index.js"}',
        );
      },
    ],
    [
      'its size and time as they were',
      () => {
        put('node_modules/same/index.js', SAME.replace('a === b', 'a || !b'));
        utimesSync(join(stage.project, 'node_modules/same/index.js'), INSTALLED, INSTALLED);
      },
    ],
  ])('neither does one with %s', async (_what, hide) => {
    await begin();
    swap();
    hide();
    expect(toAgent(await stage.stop('Done.'))).toContain('node_modules/same. Put them back');
    await stage.stop('Done.');
    expect(stage.status()).toBe('waiting');
    await stage.command('approve', '');
    expect(ended()).toMatchObject({ doneBy: ['check', 'accepted'], proven: false });
  });

  it.each([
    ['a package nearer to the tests', 'tests/node_modules/same'],
    ['a program that shadows one of the system', 'node_modules/.bin'],
  ])('%s, added beside an edited lock file, is never called proven', async (_what, place) => {
    await begin();
    put('package-lock.json', JSON.stringify(LOCK));
    if (place.endsWith('.bin')) {
      put(`${place}/node`, '#!/bin/sh\nexit 0\n');
      chmodSync(join(stage.project, place, 'node'), 0o755);
    } else {
      put(`${place}/package.json`, '{"name":"same","type":"module","exports":"./index.js"}');
      put(`${place}/index.js`, SWAPPED);
      put('tests/half.test.js', USES.replace('./half.js', '../half.js'));
      put('half.js', RIGHT);
    }
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain(place);
    expect(ended()).toMatchObject({ ground: 'changed', proven: false });
  });

  it('honest work that adds a dependency completes, and the ending says what it is worth', async () => {
    await begin();
    put('package.json', JSON.stringify({ ...PACKAGE, dependencies: { halves: '1.0.0' } }));
    put('package-lock.json', JSON.stringify(LOCK));
    put('node_modules/halves/package.json', '{"name":"halves","type":"module","exports":"./index.js"}');
    put('node_modules/halves/index.js', 'export const halve = (n) => n / 2;\n');
    put('half.js', "export { halve as half } from 'halves';\n");
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('(done by changed dependencies: node_modules/halves (added))');
    expect(ended()).toMatchObject({
      status: 'completed',
      doneBy: ['check'],
      ground: 'changed',
      proven: false,
    });
  });

  it('honest work that installs the same again is proven', async () => {
    await begin();
    rmSync(join(stage.project, 'node_modules'), { recursive: true });
    put('node_modules/same/package.json', '{"name":"same","type":"module","exports":"./index.js"}');
    put('node_modules/same/index.js', SAME);
    put('half.js', RIGHT);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', ground: 'unchanged', proven: true });
  });

  it('with --tests-may-change an upgrade completes without a person', async () => {
    await begin('--tests-may-change');
    put('package-lock.json', JSON.stringify(LOCK));
    put('node_modules/same/index.js', `${SAME}export const version = 2;\n`);
    put('half.js', RIGHT);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', ground: 'changed', proven: false });
  });

  it('a check that changes them in the clean room counts for nothing', async () => {
    await begin();
    put('half.js', RIGHT);
    const meddle = `import { writeFileSync } from 'node:fs';
if (process.cwd().includes('/exports/')) writeFileSync('node_modules/same/index.js', ${JSON.stringify(SWAPPED)});
`;
    put('half.js', `${meddle}${RIGHT}`);
    put('more.test.js', TEST);
    expect(toAgent(await stage.stop('Done.'))).toContain('A check changed dependencies of the project');
    expect(stage.status()).toBe('running');
    await stage.stop('Done.');
    expect(stage.status()).toBe('waiting');
  });

  it('those of the project serve the clean room', async () => {
    await begin();
    put('half.js', RIGHT);
    put('half.test.js', USES.replace("'half'", "'half of four'"));
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ ground: 'old', proven: true });
  });

  it('--setup makes them anew, once for the loop, and a swapped one is of no use', async () => {
    const install = `mkdir -p node_modules/same && echo x >> ${join(stage.project, '../installs')} && cp vendored/* node_modules/same/`;
    makeProject();
    put('half.test.js', USES);
    put('vendored/package.json', '{"name":"same","type":"module","exports":"./index.js"}');
    put('vendored/index.js', SAME);
    put('install.sh', install);
    execFileSync('sh', ['-c', install], { cwd: stage.project });
    await start('--setup "sh install.sh"');
    put('node_modules/same/index.js', 'export const same = () => true;\n');
    put('more.test.js', USES);
    expect(toAgent(await stage.stop('Done.'))).toContain('The checks pass here and not in a clean copy');
    put('half.js', RIGHT);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ ground: 'old', proven: true });
    expect(readFileSync(join(stage.project, '../installs'), 'utf8')).toBe('x\nx\n');
  });

  it('--setup: a swapped one does not help where the tests are as they were either', async () => {
    const install = 'mkdir -p node_modules/same && cp vendored/* node_modules/same/';
    makeProject();
    put('half.test.js', USES);
    put('vendored/package.json', '{"name":"same","type":"module","exports":"./index.js"}');
    put('vendored/index.js', SAME);
    execFileSync('sh', ['-c', install], { cwd: stage.project });
    git('add', '-A');
    git('commit', '-qm', 'vendored');
    await start(`--setup "${install}"`);
    swap();
    expect(toAgent(await stage.stop('Done.'))).toContain('The checks pass here and not in a clean copy');
    put('half.js', RIGHT);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ ground: 'old', ground_changed: ['node_modules/same'], proven: true });
  });

  it('--setup: with another lock file it is done, and not proven', async () => {
    const install = 'mkdir -p node_modules/same && cp vendored/* node_modules/same/';
    makeProject();
    put('half.test.js', USES);
    put('vendored/package.json', '{"name":"same","type":"module","exports":"./index.js"}');
    put('vendored/index.js', SAME);
    execFileSync('sh', ['-c', install], { cwd: stage.project });
    await start(`--setup "${install}"`);
    put('package-lock.json', JSON.stringify(LOCK));
    put('half.js', RIGHT);
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('done by changed dependencies: package-lock.json (added)');
    expect(ended()).toMatchObject({ ground: 'changed', proven: false });
  });
});
