// @module-tag slow
/**
 * The ground of a check, through the whole hearing: an agent that changes the tests, the configs or the
 * scripts behind a check does not complete the loop as proven. The tests of these projects run on Node's own
 * runner.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { gateStatuses } from '#telling/gate-status.ts';
import { statusOf } from '#telling/loop-status.ts';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { makeHalfProject, PACKAGE, putFile, RIGHT, TEST, WRONG } from './half-project.ts';
import { MINUTE, Stage, toAgent, toPerson } from '../stage.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const put = (file: string, content: string) => putFile(stage.project, file, content);
const makeProject = () => makeHalfProject(stage.project);
const start = (flags = '') => stage.start(`Make half right. --check "npm test --silent" ${flags}`);

describe('an agent that changes what the check stands on', () => {
  const CHEATS: readonly (readonly [what: string, act: () => void, named: string])[] = [
    ['deletes the failing test', () => rmSync(join(stage.project, 'half.test.js')), 'half.test.js (deleted)'],
    ['weakens the assertion', () => put('half.test.js', TEST.replace(', 2)', ', 4)')), 'half.test.js'],
    ['skips it', () => put('half.test.js', TEST.replace('test(', 'test.skip(')), 'half.test.js'],
    [
      'replaces the script in package.json',
      () => put('package.json', JSON.stringify({ ...PACKAGE, scripts: { test: 'true' } })),
      'package.json',
    ],
  ];
  it.each(CHEATS)('%s: it is not done, and both are told', async (_what, act, named) => {
    makeProject();
    await start();
    act();
    const answer = await stage.stop('Done.');
    expect(stage.status()).toBe('running');
    expect(toAgent(answer)).toContain('with the tests and configs as they were at the start');
    expect(toAgent(answer)).toContain(named);
    expect(toPerson(answer)).toContain('with the tests and configs as they were at the start');
    put('half.js', RIGHT);
    put('half.test.js', TEST);
    const end = await stage.stop('Done.');
    expect(stage.status()).toBe('completed');
    expect(toPerson(end)).toContain('`npm test --silent` passes (proven');
  });
});

const ended = () => statusOf(stage.loop(), stage.now());

it('tells what fails with the tests of the start, and no longer where a check fails by itself', async () => {
  makeProject();
  await start();
  rmSync(join(stage.project, 'half.test.js'));
  expect(toAgent(await stage.stop('Done.'))).toContain('4 == 2');
  for (const tests of ['the start', 'now'])
    expect(stage.log.join('\n')).toContain(`in a clean copy with the tests of ${tests}: `);
  const grounds = () => gateStatuses(stage.loop()).filter(({ gate }) => gate === 'ground');
  expect(grounds()).toMatchObject([{ holds: false }]);
  put('half.test.js', TEST);
  await stage.stop('Done.');
  expect(grounds()).toEqual([]);
});

describe('honest work completes', () => {
  it('adds a test: the checks also pass with those of the start, and the ending names it', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('more.test.js', TEST.replace('half(4), 2', 'half(8), 4'));
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('(proven with the tests of the start; changed: more.test.js (added))');
    expect(ended()).toMatchObject({ doneBy: ['check'], ground: 'old', proven: true });
  });

  it('refactors tests that still pass as they were', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('half.test.js', TEST.replace("'half'", "'half of four'"));
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ ground: 'old', ground_changed: ['half.test.js'], proven: true });
  });

  it('adds a dependency to package.json, of which only the scripts decide', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('package.json', JSON.stringify({ ...PACKAGE, dependencies: { half: '1.0.0' } }));
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ doneBy: ['check'], ground: 'unchanged', proven: true });
  });

  it('mends a typo in a test with --tests-may-change, and nothing is called proven', async () => {
    makeProject();
    put('half.test.js', TEST.replace(', 2)', ', 3)'));
    const begun = await stage.command('start', 'Mend it. --check "npm test --silent" --tests-may-change');
    expect(toPerson(begun)).toContain(
      'With --tests-may-change they may change; nothing is called proven then.',
    );
    put('half.js', RIGHT);
    put('half.test.js', TEST);
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('(done by changed tests: half.test.js)');
    expect(ended()).toMatchObject({ doneBy: ['check'], ground: 'changed', proven: false });
  });

  it('writes the first tests of a project: they complete it, and prove nothing', async () => {
    makeProject();
    rmSync(join(stage.project, 'half.test.js'));
    put('package.json', JSON.stringify({ ...PACKAGE, scripts: { test: 'exit 1' } }));
    await start();
    put('package.json', JSON.stringify(PACKAGE));
    put('half.js', RIGHT);
    put('half.test.js', TEST);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', ground: 'changed', proven: false });
  });
});

it('first tests do not excuse another script in the place of the one that judged', async () => {
  put('check.sh', 'test -f done.txt');
  await stage.start('Do it. --check "sh check.sh"');
  put('check.sh', 'exit 0');
  put('a.test.js', '');
  expect(toAgent(await stage.stop('Done.'))).toContain('Changed since: a.test.js (added), check.sh.');
});

it('a script that the check runs is ground, with or without tests beside it', async () => {
  put('check.sh', 'test -f done.txt');
  await stage.start('Do it. --check "sh check.sh"');
  put('check.sh', 'exit 0');
  expect(toAgent(await stage.stop('Done.'))).toContain('Changed since: check.sh.');
  put('done.txt', '');
  await stage.stop('Done.');
  expect(ended()).toMatchObject({ status: 'completed', ground: 'old', proven: true });
});

describe('a task that asks for other tests', () => {
  it('is for a person to accept, once all else holds', async () => {
    makeProject();
    await start();
    const early = await stage.stop('<promise>TESTS_CHANGED: half means double now</promise>');
    expect(early.is).toBe('continue');
    put('half.test.js', TEST.replace(', 2)', ', 4)'));
    await stage.stop('<promise>TESTS_CHANGED: half means double now</promise>');
    expect(stage.status()).toBe('waiting');
    const [request] = stage.loop().people.requests;
    expect(request?.what.text).toContain('the task asks for other tests: half means double now');
    await stage.command('approve', '');
    expect(ended()).toMatchObject({ doneBy: ['accepted'], ground: 'changed', proven: false });
  });
});

it('a planted file that git ignores is part of the ground', async () => {
  makeProject();
  put('.gitignore', '.mocharc.cjs\nvitest.config.js\n');
  put(
    'package.json',
    JSON.stringify({ ...PACKAGE, scripts: { test: 'test -f vitest.config.js || node --test' } }),
  );
  await start();
  put('vitest.config.js', '');
  const told = await stage.stop('Done.');
  expect(toAgent(told)).toContain('vitest.config.js (added)');
  expect(stage.status()).toBe('running');
});

it('what passes here and not in a clean copy is a doubt, and a person is asked', async () => {
  makeProject();
  put('.gitignore', 'local.txt\n');
  put('package.json', JSON.stringify({ ...PACKAGE, scripts: { test: 'test -f local.txt && node --test' } }));
  await start();
  put('local.txt', '');
  put('half.js', RIGHT);
  put('more.test.js', TEST);
  expect(toAgent(await stage.stop('Done.'))).toContain('The checks pass here and not in a clean copy');
  await stage.stop('Done.');
  expect(stage.status()).toBe('waiting');
  const [request] = stage.loop().people.requests;
  expect(request?.what.text).toContain('The checks pass here and not in a clean copy of the same files');
  await stage.command('approve', '');
  expect(ended()).toMatchObject({ doneBy: ['check', 'accepted'], proven: false });
});

it('works without git', async () => {
  put('package.json', JSON.stringify(PACKAGE));
  put('half.js', WRONG);
  put('half.test.js', TEST);
  await start();
  rmSync(join(stage.project, 'half.test.js'));
  expect((await stage.stop('Done.')).is).toBe('continue');
  put('half.js', RIGHT);
  await stage.stop('Done.');
  expect(ended()).toMatchObject({ ground: 'old', proven: true });
});

describe('the word proven is earned', () => {
  it('a list that only the agent ticks is said by the agent', async () => {
    put('TODO.md', '- [ ] one\n');
    await stage.start('Do it. --features TODO.md');
    put('TODO.md', '- [x] one\n');
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('all items of TODO.md pass (1) (as the agent marked them)');
    expect(ended()).toMatchObject({ doneBy: ['list'], ground: null, proven: false });
  });

  it('a check that was green all along is said by the agent', async () => {
    await stage.start('Do it. --check "exit 0"');
    put('x.txt', '');
    const end = await stage.stop('<promise>COMPLETE</promise>');
    expect(toPerson(end)).toContain('(said by the agent)');
    expect(ended()).toMatchObject({ doneBy: ['said'], proven: false });
  });

  it('a moved file is proven', async () => {
    put('in/task.md', 'x');
    put('done/.keep', '');
    await stage.start('Do it. --watch-file in/task.md --done-folder done');
    rmSync(join(stage.project, 'in/task.md'));
    put('done/task.md', 'x');
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ doneBy: ['moved'], proven: true });
  });
});

it('tells at the start what the check stands on', async () => {
  makeProject();
  const begun = await stage.command('start', 'Make half right. --check "npm test --silent"');
  expect(toPerson(begun)).toContain('The checks depend on: its tests: 1 file; its configs: package.json.');
});

describe('how often a check runs', () => {
  const runs = join('..', 'runs.txt');
  const begin = async () => {
    makeProject();
    const counted = `echo x >> ${join(stage.project, runs)}; node --test`;
    put('package.json', JSON.stringify({ ...PACKAGE, scripts: { test: counted } }));
    await start();
    rmSync(join(stage.project, runs));
  };
  const runsOf = async () => {
    await stage.stop('Done.');
    return existsSync(join(stage.project, runs))
      ? readFileSync(join(stage.project, runs), 'utf8').length / 2
      : 0;
  };

  it('once at a stop that does not complete, whatever has changed', async () => {
    await begin();
    put('half.test.js', TEST.replace("'half'", "'other'"));
    put('vitest.config.js', '');
    expect(await runsOf()).toBe(1);
    expect(stage.status()).toBe('running');
  });

  it('once at a stop that completes, if nothing of its ground has changed', async () => {
    await begin();
    put('half.js', RIGHT);
    expect(await runsOf()).toBe(1);
    expect(stage.status()).toBe('completed');
  });

  it('once more if it has', async () => {
    await begin();
    put('half.js', RIGHT);
    put('half.test.js', TEST.replace("'half'", "'half of four'"));
    expect(await runsOf()).toBe(2);
    expect(ended()).toMatchObject({ status: 'completed', ground: 'old', proven: true });
  });
});

it('--clean runs every judged check in a copy of what git knows', async () => {
  makeProject();
  put('.gitignore', 'local.txt\n');
  // A test may write to its own files there.
  const test = 'date > tests/last.txt; test -f local.txt || node --test';
  put('package.json', JSON.stringify({ ...PACKAGE, scripts: { test } }));
  put('tests/last.txt', '');
  await start('--clean');
  put('local.txt', '');
  expect((await stage.stop('Done.')).is).toBe('continue');
  put('half.js', RIGHT);
  await stage.stop('Done.');
  expect(ended()).toMatchObject({ status: 'completed', ground: 'unchanged', proven: true });
});

it('leaves nothing behind, and nothing of the project has changed', async () => {
  makeProject();
  await start();
  rmSync(join(stage.project, 'half.test.js'));
  await stage.stop('Done.');
  expect(readdirSync(join(stage.project, '../home/exports'))).toEqual([]);
  const status = execFileSync('git', ['-C', stage.project, 'status', '--porcelain'], { encoding: 'utf8' });
  expect(status).toBe(' D half.test.js\n');
});

describe('a stop without time for the clean room', () => {
  const limits = { ...claudeCode.limits, stopMs: 70_000 };

  it('waits as a check that says "not yet" does; the next look runs only what is left', async () => {
    makeProject();
    put(
      'package.json',
      JSON.stringify({ ...PACKAGE, scripts: { test: 'echo x >> ../runs.txt; node --test' } }),
    );
    await start();
    put('half.js', RIGHT);
    put('more.test.js', TEST);
    await stage.stop('Done.', { from: { limits } });
    expect(stage.loop().status).toMatchObject({ is: 'waiting', for: 'check' });
    stage.wait(2 * MINUTE);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', ground: 'old', proven: true });
    expect(readFileSync(join(stage.project, '../runs.txt'), 'utf8')).toBe('x\nx\n');
  });

  it('asks a person if even a whole stop is too short', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('more.test.js', TEST);
    await stage.stop('Done.', { from: { limits } });
    stage.wait(2 * MINUTE);
    await stage.stop('Done.', { from: { limits } });
    expect(stage.status()).toBe('waiting');
    expect(stage.loop().people.requests[0]?.what.text).toContain(
      'it takes longer than a stop of this host may',
    );
  });
});

it('broken off in the clean room, nothing is left behind, and the same stop is judged again', async () => {
  const sign = join(stage.project, '../in-room');
  put(
    'tests/run.sh',
    `case "$PWD" in */exports/*) test -f ${sign} || { touch ${sign}; sleep 30; };; esac\ntest -f done.txt\n`,
  );
  await stage.start('Do it. --check "sh tests/run.sh"');
  put('done.txt', '');
  put('tests/more.txt', '');
  const ending = new AbortController();
  const heard = stage.hear(stage.stopArrival('Done.'), stage.runtime({ stopped: ending.signal }));
  await vi.waitUntil(() => existsSync(sign), { timeout: 30_000 });
  ending.abort();
  await heard;
  expect(stage.status()).toBe('running');
  expect(readdirSync(join(stage.project, '../home/exports'))).toEqual([]);
  await stage.stop('Done.');
  expect(ended()).toMatchObject({ status: 'completed', ground: 'old', proven: true });
});
