import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promiseOf } from '#law/gates.ts';
import { Stage, toAgent, toPerson } from '../hearing/stage.ts';

const THREE = '---\niteration: 1\nmax_iterations: 7\ncompletion_promise: "SHIPPED"\n---\nFix the bug.\n';

describe('a state file that a person wrote by hand', () => {
  it('is announced at a stop, once, and stays what it is', async () => {
    const stage = new Stage();
    stage.write(THREE);
    const answer = await stage.stop();
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(
      /waits for you\. \/resume-ralph runs it in this session; `dacapo adopt`/,
    );
    expect(await stage.stop('two')).toEqual({ is: 'silence' });
    expect(stage.view()).toBe(THREE);
    expect(stage.loops()).toEqual([]);
  });

  it('becomes a loop of the session in which a person resumes it, and its text is kept', async () => {
    const stage = new Stage();
    stage.write(THREE);
    await stage.stop();
    const answer = await stage.command('resume');
    expect(answer.is).toBe('brief');
    expect(toPerson(answer)).toMatch(/loop RALPH_\d{8}_\w{6} started/);
    expect(toAgent(answer)).toContain('Fix the bug.');
    const loop = stage.loop();
    expect(loop.session.owner?.session).toBe('s1');
    expect(loop.frame).toMatchObject({ iterations: 7, passes: 0 });
    expect(promiseOf(loop.frame)).toBe('SHIPPED');
    expect(stage.view()).toContain(loop.id);
    const kept = stage.evidence().map((name) => readFileSync(join(stage.dir(), 'evidence', name), 'utf8'));
    expect(kept).toEqual([THREE]);
    expect((await stage.stop()).is).toBe('continue');
    expect(stage.view()).toMatch(/^iteration: 2$/m);
  });

  it('then it belongs to that session alone', async () => {
    const stage = new Stage();
    stage.write(THREE);
    await stage.command('resume');
    await stage.stop();
    expect(await stage.stop('Hi.', { from: { session: 's2', process: 200 } })).toEqual({ is: 'silence' });
    expect(stage.passes()).toBe(1);
  });

  it('is adopted once, however often the command is delivered', async () => {
    const stage = new Stage();
    stage.write(THREE);
    const answers = [await stage.command('resume'), await stage.command('resume')];
    expect(answers.map(({ is }) => is)).toEqual(['brief', 'silence']);
    expect(stage.loops()).toHaveLength(1);
  });

  it('with no limit and no promise gets the defaults: bounded, and with a gate', async () => {
    const stage = new Stage();
    stage.write('---\n---\nJust the task.');
    await stage.command('resume');
    expect(stage.loop().frame).toMatchObject({
      iterations: 50,
      gates: [{ kind: 'promise', text: 'COMPLETE' }],
    });
  });

  it('is taken also where git lets nothing be excluded', async () => {
    const stage = new Stage();
    mkdirSync(join(stage.project, '.git'));
    writeFileSync(join(stage.project, '.git', 'info'), 'a file in its place');
    stage.write(THREE.replace('---\n', '---\nsession_id: "s1"\n'));
    expect((await stage.command('resume')).is).toBe('brief');
    expect(stage.log.join('\n')).toMatch(/info.exclude: .*can.t be read/);
  });

  it('is kept out of commits', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q'], { cwd: stage.project });
    stage.write(THREE);
    await stage.command('resume');
    expect(
      execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: stage.project, encoding: 'utf8' }),
    ).toBe('');
  });

  it.each([
    ['garbage', 'garbage', /is not a loop: it does not begin with a --- line/],
    [
      'a promise that can not be kept',
      THREE.replace('"SHIPPED"', '"<b>SHIPPED</b>"'),
      /can't be adopted: .*markup/,
    ],
  ])('%s: a person who resumes it is told why', async (_name, content, why) => {
    const stage = new Stage();
    stage.write(content);
    const answer = await stage.command('resume');
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toMatch(why);
    expect(stage.view()).toBe(content);
    expect(stage.loops()).toEqual([]);
  });

  it.each([
    ['names another session', THREE.replace('---\n', '---\nsession_id: "someone-else"\n')],
    ["is the official plugin's", THREE.replace('---\n', '---\nactive: true\n')],
    ['names a loop', THREE.replace('---\n', '---\nloop_id: "RALPH_20200101_aaaaaa"\n')],
  ])('one that %s is not what /resume-ralph means', async (_name, content) => {
    const stage = new Stage();
    stage.write(content);
    expect(toPerson(await stage.command('resume'))).toContain('No active Ralph loop');
    expect(stage.loops()).toEqual([]);
  });
});

describe('never adopted by a stop', () => {
  it.each([
    ['names this very session', THREE.replace('---\n', '---\nsession_id: "s1"\n')],
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
    ['garbage', 'garbage', /is not a loop: it does not begin with a --- line/],
    ['a limit that is none', THREE.replace('7', '-7'), /is not a loop: max_iterations/],
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
    expect((await stage.stop('two')).is).toBe('tell');
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

  it('the file of a loop that has ended', async () => {
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
