/** New tests run on the code of the start: one that passes there shows nothing about the work. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { statusOf } from '#telling/loop-status.ts';
import { gitIn, makeHalfProject, putFile, RIGHT, TEST, VACUOUS, WRONG } from './half-project.ts';
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

describe('where no check was red at the start', () => {
  const begin = async (flags = '') => {
    makeProject();
    put('half.test.js', VACUOUS);
    git('commit', '-qam', 'green');
    await start(flags);
  };

  it('new tests that fail without the work prove it', async () => {
    await begin();
    put('half.js', RIGHT);
    put('more.test.js', TEST);
    await stage.stop('<promise>COMPLETE</promise>');
    expect(ended()).toMatchObject({
      status: 'completed',
      doneBy: ['check', 'said'],
      ground: 'old',
      proven: true,
    });
  });

  it('new tests that pass without the work are told to prove nothing', async () => {
    await begin();
    put('half.js', RIGHT);
    put('more.test.js', VACUOUS);
    await stage.stop('<promise>COMPLETE</promise>');
    expect(ended()).toMatchObject({ status: 'completed', doneBy: ['said'], proven: false });
    expect(stage.loop().last?.gateResults.at(-1)?.says).toContain('show nothing about the work');
  });

  it('--red-first makes it a gate, and the brief says so', async () => {
    makeProject();
    put('half.test.js', VACUOUS);
    git('commit', '-qam', 'green');
    const begun = await stage.command('start', 'Make it right. --check "npm test --silent" --red-first');
    expect(toAgent(begun)).toContain('A test of yours has to fail without your work');
    put('half.js', RIGHT);
    expect(toAgent(await stage.stop('<promise>COMPLETE</promise>'))).toContain(
      'no test fails without your work',
    );
    put('more.test.js', VACUOUS);
    expect(toAgent(await stage.stop('<promise>COMPLETE</promise>'))).toContain(
      '--red-first asks for tests that fail',
    );
    put('more.test.js', TEST);
    await stage.stop('<promise>COMPLETE</promise>');
    expect(ended()).toMatchObject({ status: 'completed', proven: true });
  });
});

describe('where a check was red at the start', () => {
  const lastResult = () => stage.loop().last?.gateResults.at(-1);

  it('a new test that passes without the work is told, and the old red one still proves it', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('more.test.js', VACUOUS);
    const end = await stage.stop('Done.');
    expect(toPerson(end)).toContain('the new tests pass without the work as well');
    expect(lastResult()?.says).toContain('show nothing about the work');
    expect(ended()).toMatchObject({ status: 'completed', doneBy: ['check'], ground: 'old', proven: true });
  });

  it('a new test that fails without the work is not told of', async () => {
    makeProject();
    await start();
    put('half.js', RIGHT);
    put('more.test.js', TEST.replace('half(4), 2', 'half(8), 4'));
    const end = await stage.stop('Done.');
    expect(toPerson(end)).not.toContain('without the work');
    expect(lastResult()?.ground).toMatchObject({ is: 'old', without: 'red' });
  });

  it('--red-first refuses one that passes there, and takes one that fails', async () => {
    makeProject();
    await start('--red-first');
    put('half.js', RIGHT);
    put('more.test.js', VACUOUS);
    expect(toAgent(await stage.stop('Done.'))).toContain('--red-first asks for tests that fail without it');
    expect(stage.status()).toBe('running');
    put('more.test.js', TEST.replace('half(4), 2', 'half(8), 4'));
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', proven: true });
  });

  it('a new test that needs an old one to run is not judged', async () => {
    makeProject();
    await start('--red-first');
    put('half.js', RIGHT);
    put('more.test.js', `import './half.test.js';\n${VACUOUS}`);
    await stage.stop('Done.');
    expect(ended()).toMatchObject({ status: 'completed', proven: true });
    expect(lastResult()?.ground?.without).toBeUndefined();
  });

  it('helpers stay where the new tests are known by their names', async () => {
    makeProject();
    put('test/helper.js', 'export const four = 4;\n');
    git('add', '-A');
    git('commit', '-qm', 'helper');
    await start();
    put('half.js', RIGHT);
    put('more.test.js', `import { four } from './test/helper.js';\n${TEST.replace('half(4)', 'half(four)')}`);
    await stage.stop('Done.');
    expect(lastResult()?.ground).toMatchObject({ is: 'old', without: 'red' });
  });
});

it('the first tests of a project run on the code of the start, too', async () => {
  makeProject();
  git('rm', '-q', 'half.test.js');
  put('package.json', '{"type":"module","scripts":{"test":"exit 1"}}');
  git('commit', '-qam', 'no tests');
  await start();
  put('package.json', '{"type":"module","scripts":{"test":"node --test"}}');
  put('half.js', RIGHT);
  put('half.test.js', VACUOUS);
  const end = await stage.stop('Done.');
  expect(toPerson(end)).toContain('the new tests pass without the work as well');
  expect(ended()).toMatchObject({ status: 'completed', ground: 'changed', proven: false });
});

it('without the code of the start, --red-first asks a person', async () => {
  put('package.json', '{"type":"module","scripts":{"test":"node --test"}}');
  put('half.js', WRONG);
  put('half.test.js', VACUOUS);
  await start('--red-first');
  put('half.js', RIGHT);
  put('more.test.js', TEST);
  await stage.stop('<promise>COMPLETE</promise>');
  expect(stage.status()).toBe('waiting');
  expect(stage.loop().people.requests[0]?.what.text).toContain('could not be run on the code of the start');
});
