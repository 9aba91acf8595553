import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promiseOf } from '../../src/core/gates.ts';
import { topFrame } from '../../src/core/loop.ts';
import { DONE, HOUR, Stage, toAgent, toPerson } from '../hearing/stage.ts';

const THREE = '---\niteration: 1\nmax_iterations: 7\ncompletion_promise: "SHIPPED"\n---\nFix the bug.\n';

describe('a state file that a person wrote by hand', () => {
  it('becomes a loop of the stopping session, which is told, and its text is kept', async () => {
    const stage = new Stage();
    stage.write(THREE);
    const answer = await stage.stop();
    expect(answer.is).toBe('continue');
    expect(toPerson(answer)).toMatch(/taken as loop RALPH_\d{8}_\w{6}/);
    expect(toAgent(answer)).toContain('Fix the bug.');
    const loop = stage.loop();
    expect(loop.owner?.session).toBe('s1');
    expect(topFrame(loop)).toMatchObject({ iterations: 7, passes: 1 });
    expect(promiseOf(topFrame(loop))).toBe('SHIPPED');
    expect(stage.view()).toContain(loop.id);
    expect(stage.view()).toMatch(/^iteration: 2$/m);
    const kept = stage.evidence().map((name) => readFileSync(join(stage.dir(), 'evidence', name), 'utf8'));
    expect(kept).toEqual([THREE]);
  });

  it('pain 1: then it belongs to that session alone', async () => {
    const stage = new Stage();
    stage.write(THREE);
    await stage.stop();
    expect(await stage.stop('Hi.', { from: { session: 's2', process: 200 } })).toEqual({ is: 'silence' });
    expect(stage.passes()).toBe(1);
  });

  it('is adopted once, however often the stop is delivered', async () => {
    const stage = new Stage();
    stage.write(THREE);
    const [first, second] = [stage.world(), stage.world()];
    const answers = [
      await stage.hear(stage.stopArrival(), first),
      await stage.hear(stage.stopArrival(), second),
    ];
    expect(answers.map(({ is }) => is)).toEqual(['continue', 'silence']);
    expect(stage.loops()).toHaveLength(1);
    expect(stage.passes()).toBe(1);
  });

  it('with no limit and no promise gets the defaults: bounded, and with a gate', async () => {
    const stage = new Stage();
    stage.write('---\n---\nJust the task.');
    await stage.stop();
    expect(topFrame(stage.loop())).toMatchObject({
      iterations: 50,
      gates: [{ kind: 'promise', text: 'COMPLETE' }],
    });
  });

  it('that names the stopping session is beyond doubt', async () => {
    const stage = new Stage();
    stage.surroundings = { sessionBegan: null, othersLive: 3 };
    stage.write(THREE.replace('---\n', '---\nsession_id: "s1"\n'));
    expect((await stage.stop()).is).toBe('continue');
  });

  it('is taken also where git lets nothing be excluded', async () => {
    const stage = new Stage();
    mkdirSync(join(stage.project, '.git'));
    writeFileSync(join(stage.project, '.git', 'info'), 'a file in its place');
    stage.write(THREE.replace('---\n', '---\nsession_id: "s1"\n'));
    expect((await stage.stop()).is).toBe('continue');
    expect(stage.log.join('\n')).toMatch(/not hidden from git/);
  });

  it('is kept out of commits', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q'], { cwd: stage.project });
    stage.write(THREE);
    await stage.stop();
    expect(
      execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: stage.project, encoding: 'utf8' }),
    ).toBe('');
  });
});

describe('announced, and left where it is', () => {
  const began = (stage: Stage, ago: number) => Date.parse(stage.now()) - ago;
  it.each<[string, RegExp, (stage: Stage) => void]>([
    [
      'when the session began is not known',
      /not known/,
      (s) => (s.surroundings = { sessionBegan: null, othersLive: 0 }),
    ],
    [
      'it is older than the session',
      /older than this session/,
      (s) => (s.surroundings = { sessionBegan: began(s, 1_000), othersLive: 0 }),
    ],
    [
      'another session is live in the project',
      /another session is live/,
      (s) => (s.surroundings = { sessionBegan: began(s, HOUR), othersLive: 1 }),
    ],
    [
      'it is under version control',
      /version control/,
      (s) => {
        execFileSync('git', ['init', '-q'], { cwd: s.project });
        execFileSync('git', ['add', '-f', s.path()], { cwd: s.project });
      },
    ],
    ['it may be under version control', /version control/, (s) => mkdirSync(join(s.project, '.git'))],
  ])('%s', async (_name, doubt, doubtful) => {
    const stage = new Stage();
    stage.write(THREE);
    doubtful(stage);
    const answer = await stage.stop();
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(doubt);
    expect(toPerson(answer)).toContain('dacapo adopt');
    expect(stage.view()).toBe(THREE);
    expect(stage.loops()).toEqual([]);
  });
});

describe('never adopted by a stop', () => {
  it.each([
    ['names another session', THREE.replace('---\n', '---\nsession_id: "someone-else"\n')],
    ["the official plugin's (active:)", THREE.replace('---\n', '---\nactive: true\n')],
    [
      "the official plugin's, of this very session",
      THREE.replace('---\n', '---\nactive: true\nsession_id: "s1"\n'),
    ],
    ['names a loop', THREE.replace('---\n', '---\nloop_id: "RALPH_20200101_aaaaaa"\n')],
    ['garbage', 'garbage'],
    ['without a prompt', THREE.replace('Fix the bug.\n', '')],
    ['with a promise that can not be kept', THREE.replace('"SHIPPED"', '"<b>SHIPPED</b>"')],
  ])('a file that %s', async (_name, content) => {
    const stage = new Stage();
    stage.write(content);
    expect(['silence', 'tell']).toContain((await stage.stop()).is);
    expect(stage.view()).toBe(content);
    expect(stage.loops()).toEqual([]);
  });

  it.each([
    ['garbage', 'garbage', /is no loop: it does not begin with a --- line/],
    ['a limit that is none', THREE.replace('7', '-7'), /is no loop: max_iterations/],
    [
      'a promise that can not be kept',
      THREE.replace('"SHIPPED"', '"<b>SHIPPED</b>"'),
      /can't be adopted: .*markup/,
    ],
  ])('%s: the person is told why, once', async (_name, content, why) => {
    const stage = new Stage();
    stage.write(content);
    expect(toPerson(await stage.stop('one'))).toMatch(why);
    expect((await stage.stop('two')).is).toBe('silence');
    expect(stage.view()).toBe(content);
  });

  it('one that was saved this very second', async () => {
    const stage = new Stage();
    stage.write(THREE, { ago: 100 });
    expect((await stage.stop('one')).is).toBe('silence');
    stage.wait(2_000);
    expect((await stage.stop('two')).is).toBe('continue');
  });

  it.runIf(process.platform !== 'win32')('a link', async () => {
    const stage = new Stage();
    stage.write(THREE, { file: 'elsewhere.md' });
    stage.write('x');
    stage.deleteView();
    symlinkSync(stage.path('elsewhere.md'), stage.path());
    expect(await stage.stop()).toEqual({ is: 'silence' });
    expect(stage.loops()).toEqual([]);
  });

  it('pain 23: the file of a loop that has ended', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    renameSync(stage.path(), stage.path('copy.md'));
    stage.write('x');
    stage.deleteView();
    await stage.stop('gone, so cancelled');
    renameSync(stage.path('copy.md'), stage.path());
    expect(await stage.stop('afterwards')).toEqual({ is: 'silence' });
    expect(stage.loops()).toHaveLength(1);
    expect(existsSync(stage.path())).toBe(true);
  });
});

it('a message that keeps the promise in the adopting stop completes', async () => {
  const stage = new Stage();
  stage.write('---\niteration: 1\n---\nFix.');
  expect((await stage.stop(DONE)).is).toBe('tell');
  expect(stage.status()).toBe('completed');
});
