// @module-tag postgres
/**
 * What is refused to a person, at once where the record shows it: the advice with it works, and nothing is
 * lost in silence.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hasEnded, openStage, passesNow, type Stage } from '../stage.ts';

/** What the command says on its way out, which has to be 1. */
async function refusal(stage: Stage, ...words: string[]): Promise<{ error: string; next: string }> {
  const { code, stdout } = await stage.run('fleet', ...words, '--json');
  // 2: the line itself is wrong.
  expect({ words, code }).toEqual({ words, code: words.includes('--keep') ? 2 : 1 });
  return JSON.parse(stdout) as { error: string; next: string };
}

async function passBegins(stage: Stage): Promise<void> {
  while (passesNow(stage.passes()).length === 0) await sleep(20);
}

test('of a loop that has ended, no advice is refused in turn', { timeout: 120_000 }, async () => {
  const stage = await openStage();
  const worker = await stage.worker('w1', ['--capacity', '2']);
  const done = await stage.submit('Add.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
  const tried = await stage.submit('Try.', '--check', 'false', '--max-iterations', '1', '--pause', '0s');
  expect(await stage.until(done, hasEnded)).toMatchObject({ status: 'completed' });
  expect(await stage.until(tried, hasEnded)).toMatchObject({ status: 'exhausted' });
  worker.process.kill('SIGTERM');
  await worker.ended;

  for (const words of [
    ['pause', done],
    ['steer', done, 'Hurry.'],
  ])
    expect(await refusal(stage, ...words)).toMatchObject({
      next: `nothing is left to do; dacapo fleet logs ${done} shows the proof.`,
    });
  expect((await refusal(stage, 'resume', done)).next).toContain('dacapo fleet submit "PROMPT" --repo URL');
  expect((await refusal(stage, 'amend', done, '--max-cost', '5')).next).toBe('start a new one.');

  const { next } = await refusal(stage, 'pause', tried);
  for (const words of [
    ['steer', tried, 'Hurry.'],
    ['amend', tried, '--timeout', '2h'],
  ])
    expect(await refusal(stage, ...words)).toMatchObject({ next });
  const [, command = ''] = /^dacapo fleet (resume .*) continues it; /.exec(next) ?? [];
  expect(await stage.fleet(...command.split(' '))).toMatchObject({ status: 'waiting' });
});

test('a loop whose repository has a config can be resumed from anywhere', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  writeFileSync(join(stage.root, 'work', 'dacapo.config.json'), '{"checks": {"x": "test -e x.txt"}}');
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'config');
  stage.git('push', '-q', stage.repo, 'HEAD:refs/heads/main');
  const go = join(stage.root, 'go');
  const id = await stage.submit(`Add.\ndo: until [ -e ${go} ]; do sleep 0.1; done; echo x > x.txt`);
  // The config is known when a worker has begun the loop.
  await stage.fleet('amend', id, '--remove-check', 'none such');
  const worker = await stage.worker('w1');
  await passBegins(stage);
  await stage.fleet('pause', id);
  // It would take the loop again at once.
  worker.process.kill('SIGTERM');
  await worker.ended;
  // Which programs its workers have, nobody knows here.
  await stage.fleet('amend', id, '--check', 'only-on-workers || true');
  writeFileSync(go, '');
  expect(await stage.fleet('resume', id)).toMatchObject({ status: 'waiting', waits: { for: 'worker' } });
  const events = await stage.logs(id);
  expect(events.find(({ type }) => type === 'refused')).toMatchObject({
    act: 'amend',
    words: expect.stringContaining('has no check "none such". It has: "test -e x.txt".'),
  });
});

test('an amendment of a loop at work is checked at once', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const go = join(stage.root, 'go');
  const work = `Wait.\ndo: until [ -e ${go} ]; do sleep 0.1; done; echo x > x.txt`;
  const id = await stage.submit(work, '--check', 'test -e x.txt', '--pause', '0s');
  await stage.worker('w1');
  await passBegins(stage);
  expect(await refusal(stage, 'amend', id, '--keep', 'size')).toMatchObject({
    error: 'no measure has the name size.',
  });
  expect((await refusal(stage, 'amend', id, '--remove-check', 'true')).next).toBe('it has: "test -e x.txt".');
  stage.env['CLAUDECODE'] = '1';
  expect((await refusal(stage, 'amend', id, '--remove-check', 'test -e x.txt')).error).toContain('person');
  delete stage.env['CLAUDECODE'];
  expect(await stage.sql('select 1 from dacapo.inbox')).toEqual([]);
  // What waits already counts, and what only the worker sees is in the journal.
  await stage.fleet('amend', id, '--check', 'true');
  await stage.fleet('amend', id, '--remove-check', 'true');
  await stage.fleet('amend', id, '--check', 'only-elsewhere');
  writeFileSync(go, '');
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  const { stdout } = await stage.run('fleet', 'logs', id);
  expect(stdout).toMatch(/refused +amend: /);
});
