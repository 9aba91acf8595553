// @module-tag postgres
/** What one machine lacks and another has: the loop goes there instead of ending. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage, type Stage } from '../stage.ts';

/** The environment of a machine that has this program. */
function machineWith(stage: Stage, program: string): Record<string, string> {
  const bin = join(stage.root, 'more');
  mkdirSync(bin);
  writeFileSync(join(bin, program), '#!/bin/sh\ntest -e x.txt\n');
  chmodSync(join(bin, program), 0o755);
  return { PATH: `${bin}:${stage.env['PATH']}`, DACAPO_HOME: join(stage.root, 'elsewhere') };
}

test(
  'a check whose program a worker lacks is left to a worker that has it',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const rich = machineWith(stage, 'prover');
    const id = await stage.submit('Add.\ndo: echo x > x.txt', '--check', 'prover', '--pause', '0s');
    const poor = await stage.worker('poor');
    const { reason } = await stage.until(id, ({ waits }) => waits?.for === 'retry');
    expect(reason).toContain('there is no program prover in PATH');
    // A slow machine must not meet it at its next try.
    poor.process.kill('SIGSTOP');
    const doctor = await stage.run('fleet', 'doctor');
    poor.process.kill('SIGCONT');
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('no program prover') });
    poor.process.kill('SIGTERM');
    await poor.ended;
    await stage.worker('rich', [], rich);
    await stage.fleet('resume', id);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
  },
);

test('a loop that moves to a worker without its reviewer moves on', { timeout: 90_000 }, async () => {
  const stage = await openStage();
  writeFileSync(join(stage.root, 'work', 'dacapo.config.json'), '{"review": "codex"}');
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'config');
  stage.git('push', '-q', stage.repo, 'HEAD:refs/heads/main');
  const id = await stage.submit('Add.\ndo: echo x >> x.txt', '--check', 'false', '--pause', '8s');
  const rich = await stage.worker('rich', [], machineWith(stage, 'codex'));
  await stage.until(id, ({ waits }) => waits?.for === 'pause');
  await rich.die();
  await stage.worker('poor');
  const { reason, iteration } = await stage.until(id, ({ waits }) => waits?.for === 'retry');
  expect({ reason, iteration }).toEqual({
    iteration: 2,
    reason: expect.stringContaining("The work can't be reviewed"),
  });
});
