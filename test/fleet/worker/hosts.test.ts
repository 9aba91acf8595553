// @module-tag postgres
/** A worker takes the loops whose agents it has, and says which those are. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBox } from '../../surfaces/cli/box.ts';
import type { FleetStatus } from '#fleet/record.ts';
import { hasEnded, openStage, type Stage } from '../stage.ts';

const END = {
  type: 'message_end',
  message: {
    role: 'assistant',
    responseId: 'r1',
    stopReason: 'stop',
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input: 1, output: 1, cost: { total: 0.01 } },
  },
};

/** The PATH of a machine that has pi, and no Claude Code. */
function pathWithPi({ root }: Stage): string {
  const bin = join(root, 'pi-bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'pi'),
    `#!/bin/sh
if [ "$1" = --version ]; then echo 0.80.0; exit; fi
cat > /dev/null
echo x > x.txt
echo '{"type":"session","id":"s1"}'
echo '${JSON.stringify(END)}'
`,
    { mode: 0o755 },
  );
  return `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
}

test(
  'a worker takes the loops of the hosts that it has, and doctor names the others',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const PATH = pathWithPi(stage);
    const check = ['--check', 'test -e x.txt'];
    const byClaude = await stage.submit('Add.\ndo: echo x > x.txt', ...check);
    const reviewed = await stage.submit('Add.\ndo: echo x > x.txt', ...check, '--review', 'pi');
    const byPi = await stage.submit('Add.', ...check, '--host', 'pi');
    const findings = async () => {
      const { stdout, code } = await stage.run('fleet', 'doctor', '--json');
      const told = JSON.parse(stdout) as { findings: { id: string; level: string; says: string }[] };
      const bad = told.findings.filter(({ level }) => level === 'problem');
      return { code, bad: bad.map(({ id, says }) => `${id}: ${says}`).toSorted() };
    };
    const pi = await stage.worker('pi', [], { PATH });
    expect(pi.lines[0]).toMatchObject({ is: 'ready', worker: 'pi', hosts: ['pi'] });
    expect(await stage.until(byPi, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(await stage.status(byClaude)).toMatchObject({ status: 'pending', waits: { for: 'worker' } });
    expect(await findings()).toEqual({
      code: 1,
      bad: [
        `host: No worker has claude-code and pi for loop ${reviewed}.`,
        `host: No worker has claude-code for loop ${byClaude}.`,
      ].toSorted(),
    });
    await stage.worker('claude', ['--accept', '*.git']);
    expect(await stage.until(byClaude, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    const { workers } = await stage.fleet<FleetStatus>('status');
    expect(workers.map(({ name, hosts }) => [name, hosts])).toEqual([
      ['claude', ['claude-code']],
      ['pi', ['pi']],
    ]);
    // Its agent is here and its reviewer there, so nobody begins it.
    expect(await findings()).toEqual({
      code: 1,
      bad: [`host: No worker has claude-code and pi for loop ${reviewed}.`],
    });
    const both = await stage.worker('both', [], { PATH: `${PATH}:${stage.env['PATH']}` });
    expect(both.lines[0]).toMatchObject({ hosts: ['claude-code', 'pi'] });
    await both.hear(({ is, loop }) => is === 'takes' && loop === reviewed);
    expect(await findings()).toEqual({ code: 0, bad: [] });
  },
);

test(
  'doctor names a loop that no worker accepts, and one of which each worker lacks a part',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Add.', '--check', 'true', '--needs', 'gpu');
    await stage.worker('here', ['--accept', '*/origin.git']);
    await stage.worker('gpu', ['--accept', 'https://example.org/*', '--labels', 'gpu']);
    const doctor = async () => (await stage.run('fleet', 'doctor')).stdout;
    expect(await doctor()).toContain(`No worker has all that loop ${id} needs: gpu, claude-code`);
    await stage.fleet('drain', 'here');
    expect(await doctor()).toContain(`No worker accepts the repository of loop ${id}: ${stage.repo}.`);
  },
);

test('a worker without any host says what to install, and one with an unfit host what it lacks', () => {
  const box = makeBox();
  const env = { PATH: '/usr/bin:/bin', DACAPO_FLEET: 'postgres://u:canary-password@127.0.0.1:1/d' };
  const fail = (more: Record<string, string>) => {
    const ran = box.run(['worker', '--json'], { ...env, ...more });
    expect(ran.stdout + ran.stderr).not.toContain('canary-password');
    return JSON.parse(ran.stdout) as unknown;
  };
  expect(fail({})).toEqual({
    error: 'no coding agent can work here. Claude Code was not found: there is no claude on the PATH.',
    next: expect.stringContaining('install it ('),
    exit: 1,
  });
  expect(fail({ DACAPO_PI: '/nowhere/pi' })).toMatchObject({
    error: expect.stringContaining('DACAPO_PI names /nowhere/pi, which is not a program.'),
    exit: 1,
  });
});
