// @module-tag postgres
/** A loop of the fleet, looked at on a machine that has no part in it; and what is wrong with a fleet. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage } from '../stage.ts';

test(
  'a pulled loop can be looked at with every command, and changed by none',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(
      'Add.\ndo: echo x >> x.txt',
      '--check',
      'cat x.txt; seq 20000; test $(wc -l < x.txt) -ge 2',
      '--pause',
      '60s',
    );
    expect(JSON.parse((await stage.run('fleet', 'pull', id, '--json')).stdout)).toMatchObject({ exit: 1 });
    await stage.worker('w1');
    await stage.until(id, ({ waits }) => waits?.for === 'pause');
    const { folder } = await stage.fleet<{ folder: string }>('pull', id);
    expect(folder).toBe(`${stage.root}/dacapo/loops/${id}`);
    const logs = async (...of: string[]) =>
      (await stage.run(...of, 'logs', id, '--json')).stdout.trim().split('\n');
    const events = await stage.logs(id);
    expect((await logs()).map((line) => JSON.parse(line) as unknown)).toEqual(events);
    expect((await logs('fleet')).map((line) => JSON.parse(line) as unknown)).toEqual(events);
    for (const command of ['status', 'explain', 'logs', 'report'])
      expect({ command, ...(await stage.run(command, id)) }).toMatchObject({ code: 0 });
    const html = (await stage.run('report', id, '--html')).stdout;
    expect(html).toContain('19999');
    // The beginning and the end of what the check printed.
    const [proof = ''] = readdirSync(join(folder, 'evidence'));
    const printed = readFileSync(join(folder, 'evidence', proof), 'utf8');
    expect(printed).toMatch(/^x\n1\n2\n[^]*\n…\n[^]*\n20000\n$/);
    expect(printed.length).toBeLessThan(65_600);
    for (const words of [
      ['cancel'],
      ['pause'],
      ['resume'],
      ['amend', '--check', 'true'],
      ['run', '--loop'],
    ]) {
      const ran = await stage.run(...words, id, '--json');
      expect({ words, ...ran }).toMatchObject({ code: 1 });
      expect(JSON.parse(ran.stdout)).toMatchObject({ next: expect.stringContaining('dacapo fleet ') });
    }
    await stage.fleet('cancel', id);
    const before = (await logs()).length;
    await stage.fleet('pull', id.slice(-8));
    expect((await logs()).length).toBeGreaterThan(before);
    expect(JSON.parse((await stage.run('status', id, '--json')).stdout)).toMatchObject([
      { status: 'cancelled' },
    ]);
  },
);

test(
  'the request of a pulled loop is answered in the fleet, not in the copy',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit('Add.\ndo: echo x > x.txt', '--check', 'test -e x.txt', '--approve-done');
    await stage.worker('w1');
    const { requests } = await stage.until(id, (loop) => loop.requests.length > 0);
    const request = requests[0]?.id ?? '';
    await stage.fleet('pull', id);
    const ran = await stage.run('approve', request, '--json');
    const next = `dacapo fleet answer ${request} --approve answers it.`;
    expect({ code: ran.code, ...(JSON.parse(ran.stdout) as object) }).toMatchObject({ code: 1, next });
    expect((await stage.run('fleet', 'status', id)).stdout).toContain(`--approve or dacapo fleet answer`);
    await stage.fleet('answer', request, '--approve');
    await stage.until(id, ({ status }) => status === 'completed');
    expect((await stage.run('fleet', 'status', id)).stdout).toMatch(
      /next +nothing is left to do; dacapo fleet logs /,
    );
  },
);

test('doctor finds a loop that no worker has the labels for', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  const id = await stage.submit('Work.', '--check', 'true', '--needs', 'gpu');
  await stage.worker('w1');
  const ran = await stage.run('fleet', 'doctor', '--json');
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain(`No worker has what loop ${id} needs: gpu.`);
  await stage.fleet('cancel', id);
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  // As an older program could leave it.
  await stage.sql('alter table dacapo.loop drop constraint live_loop_can_be_taken');
  await stage.sql(`update dacapo.loop set status = 'running', ready_at = null`);
  expect((await stage.run('fleet', 'doctor')).code).toBe(1);
});
