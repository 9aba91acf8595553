// @module-tag postgres
/** What a person does to a loop of the fleet, from a machine that is none of its workers. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processesBelow } from '../../processes.ts';
import { hasEnded, openStage, passesNow, type Stage } from '../stage.ts';

const SLOW = 'Work slowly.\ncost: 0.5\ndo: echo x >> x.txt; sleep 60';

async function passBegins(stage: Stage): Promise<number> {
  for (;;) {
    const [pid] = passesNow(stage.passes());
    if (pid !== undefined) return pid;
    await sleep(20);
  }
}

async function noPass(stage: Stage): Promise<void> {
  while (passesNow(stage.passes()).length > 0) await sleep(20);
}

test(
  'cancel is in the record when it is back, and ends the pass within a second',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(SLOW, '--check', 'false');
    await stage.worker('w1');
    await passBegins(stage);
    const loop = await stage.fleet<{ status: string; worker: null }>('cancel', id);
    const cancelled = Date.now();
    expect(loop).toMatchObject({ status: 'cancelled', worker: null, waits: null });
    await noPass(stage);
    expect(Date.now() - cancelled).toBeLessThan(1_000);
    const events = await stage.logs(id);
    expect(events.at(-1)).toMatchObject({ type: 'cancelled' });
    expect(await stage.fleet('cancel', id)).toMatchObject({ status: 'cancelled' });
    expect(await stage.logs(id)).toHaveLength(events.length);
    expect(await stage.sql('select 1 from dacapo.pass where ended is null')).toEqual([]);
  },
);

test(
  'cancel of a frozen worker fences it: what it ships when it wakes is refused',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const work = 'Work.\ndo: sleep 1; echo x >> x.txt';
    const id = await stage.submit(work, '--check', 'false', '--pause', '0s', '--commit');
    const worker = await stage.worker('w1');
    await stage.until(id, ({ iteration }) => iteration === 2);
    const refs = stage.git('ls-remote', stage.repo);
    worker.process.kill('SIGSTOP');
    await stage.fleet('cancel', id);
    const events = await stage.logs(id);
    await sleep(2_000);
    worker.process.kill('SIGCONT');
    await worker.hear(({ is }) => is === 'ends-loop');
    await noPass(stage);
    expect(await stage.logs(id)).toEqual(events);
    expect(stage.git('ls-remote', stage.repo)).toBe(refs);
  },
);

test('a loop that nobody has begun can be paused, resumed and cancelled', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Do nothing.', '--check', 'true');
  expect(await stage.fleet('pause', id)).toMatchObject({ status: 'paused', waits: null });
  expect(await stage.fleet('resume', id)).toMatchObject({ status: 'pending', waits: { for: 'worker' } });
  expect(await stage.fleet('cancel', id)).toMatchObject({ status: 'cancelled', waits: null });
  expect((await stage.logs(id)).map(({ type }) => type)).toEqual(['created', 'planned', 'cancelled']);
});

test('limits of a resume count for a loop that nobody has begun', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Do nothing.', '--check', 'false', '--pause', '0s');
  await stage.fleet('pause', id);
  expect(await stage.fleet('resume', id, '--max-iterations', '2')).toMatchObject({ status: 'pending' });
  await stage.worker('w1');
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'exhausted', iteration: 2 });
});

test(
  'pause: the pass is not counted; resume goes on from the last counted one, on any worker',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    writeFileSync(`${stage.root}/nap`, '60');
    const work = `Add.\ncost: 0.5\ndo: echo x >> x.txt; sleep $(cat ${stage.root}/nap)`;
    const id = await stage.submit(work, '--check', 'test $(wc -l < x.txt) -ge 2', '--pause', '0s');
    const first = await stage.worker('w1');
    await passBegins(stage);
    await sleep(4_500);
    expect(await stage.fleet('pause', id)).toMatchObject({ status: 'paused', iteration: 1, worker: null });
    await noPass(stage);
    expect((await stage.logs(id)).map(({ type }) => type).slice(-2)).toEqual(['spent', 'paused']);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    writeFileSync(`${stage.root}/nap`, '0');
    expect(await stage.fleet('resume', id)).toMatchObject({ status: 'waiting', waits: { for: 'worker' } });
    await stage.worker('w2');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
  },
);

test('a loop that asks holds no process; the first answer counts', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit(
    'Add.\ndo: echo x >> x.txt',
    '--check',
    'test -e x.txt',
    '--approve-done',
    '--pause',
    '0s',
  );
  const worker = await stage.worker('w1');
  const asking = await stage.until(id, ({ waits }) => waits?.for === 'approval');
  expect(asking).toMatchObject({
    status: 'waiting',
    worker: null,
    requests: [{ loop: id, kind: 'completion' }],
  });
  expect(asking.waits?.until).not.toBeNull();
  const request = asking.requests[0]?.id ?? '';
  await worker.hear(({ is }) => is === 'ends-loop');
  worker.process.kill('SIGTERM');
  await worker.ended;
  expect(processesBelow(stage.root)).toEqual([]);
  const answered = await stage.fleet('answer', request, '--approve', '--note', 'Good.');
  expect(answered).toMatchObject({ status: 'completed' });
  const late = await stage.run('fleet', 'answer', request, '--reject', '--json');
  expect(late.code).toBe(1);
  expect(JSON.parse(late.stdout)).toMatchObject({ error: expect.stringContaining('already'), exit: 1 });
  expect((await stage.logs(id)).filter(({ type }) => type === 'answered')).toHaveLength(1);
});

test(
  'a loop that waits for a person goes on elsewhere with its work, and ends with it',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const submit = (...flags: string[]) =>
      stage.submit(
        'Add.\ndo: echo x >> x.txt',
        '--check',
        'test -e x.txt',
        '--approve-done',
        '--pause',
        '0s',
        ...flags,
      );
    const ids = [await submit(), await submit('--commit')];
    const asked = (id: string, name: string) =>
      stage.until(id, ({ requests: [request] }) => request?.id.endsWith(name) === true);
    const answer = async (id: string, nth: string, how: string) => {
      const { requests } = await asked(id, nth);
      await stage.fleet('answer', requests[0]?.id ?? '', how);
    };
    const first = await stage.worker('w1', ['--capacity', '2']);
    for (const id of ids) await asked(id, '-1');
    await first.die();
    for (const id of ids) await answer(id, '-1', '--reject');
    const elsewhere = { DACAPO_HOME: join(stage.root, 'elsewhere') };
    const second = await stage.worker('w2', ['--capacity', '2'], elsewhere);
    for (const id of ids) await asked(id, '-2');
    await second.die();
    for (const id of ids) await answer(id, '-2', '--approve');
    for (const id of ids) {
      const { status, point, branch } = await stage.status(id);
      expect({ id, status }).toEqual({ id, status: 'completed' });
      const listed = stage.git('ls-remote', stage.repo, `refs/dacapo/${id}/*`);
      expect(listed).toContain(point);
      stage.git('fetch', '-q', stage.repo, branch ?? listed.split('\t').at(-1) ?? '');
      expect(stage.git('show', 'FETCH_HEAD:x.txt')).toBe('x\nx');
    }
  },
);

test(
  'a check that says "not yet" is a wait that holds no process; another worker looks again at the same work',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const go = join(stage.root, 'go');
    const check = `test -e x.txt || exit 1; test -e ${go} || exit 75`;
    const id = await stage.submit('Add.\ndo: echo x > x.txt', '--check', check);
    const first = await stage.worker('w1');
    const { waits, reason, status } = await stage.until(id, (loop) => loop.waits?.for === 'retry');
    expect({ status, reason }).toEqual({
      status: 'waiting',
      reason: `waiting for another try, until ${waits?.until}`,
    });
    await first.die();
    writeFileSync(go, '');
    await stage.fleet('resume', id);
    const elsewhere = { DACAPO_HOME: join(stage.root, 'elsewhere') };
    await stage.worker('w2', [], elsewhere);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(1);
  },
);

test('a pause between iterations is a wait that holds no process', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit(
    'Add.\ndo: echo x >> x.txt',
    '--check',
    'test $(wc -l < x.txt) -ge 2',
    '--pause',
    '8s',
  );
  await stage.worker('w1');
  const waiting = await stage.until(id, ({ waits }) => waits?.for === 'pause');
  expect(waiting).toMatchObject({ status: 'waiting', worker: null });
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
});

test(
  'words and new checks reach a loop that is being driven, before its next iteration',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const go = `${stage.root}/go`;
    const work = `Wait.\ndo: echo "$PROMPT" > prompt.txt; until [ -e ${go} ]; do sleep 0.1; done`;
    const id = await stage.submit(
      work,
      '--check',
      'grep -q "lef[t] of the door" prompt.txt',
      '--pause',
      '0s',
    );
    await stage.worker('w1');
    await passBegins(stage);
    await stage.fleet('steer', id, 'It is left of the door.');
    await stage.fleet('amend', id, '--check', 'test -e prompt.txt');
    expect((await stage.logs(id)).some(({ type }) => type === 'steered')).toBe(false);
    writeFileSync(go, '');
    const loop = await stage.until(id, hasEnded);
    expect(loop).toMatchObject({ status: 'completed', iteration: 2 });
    expect(loop.gates.map(({ wanted }) => wanted)).toContain('test -e prompt.txt');
    const types = (await stage.logs(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'steered' || type === 'amended')).toEqual(['steered', 'amended']);
    expect(await stage.sql('select 1 from dacapo.inbox')).toEqual([]);
    expect(existsSync(go)).toBe(true);
  },
);

test('a loop that cannot begin ends with the reason', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const id = await stage.submit('Work.', '--features', 'no-such-list.json');
  await stage.worker('w1');
  const loop = await stage.until(id, hasEnded);
  expect(loop).toMatchObject({ status: 'aborted', reason: expect.stringContaining('no-such-list.json') });
});

test(
  'a repository that is not there is tried again later, and the status says why',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const { id } = await stage.fleet<{ id: string }>(
      'submit',
      'Work.\ndo: echo x > x.txt',
      '--repo',
      `${stage.root}/none.git`,
      '--ref',
      'main',
      '--check',
      'test -e x.txt',
    );
    await stage.worker('w1');
    const loop = await stage.until(id, ({ waits }) => waits?.for === 'retry');
    expect(loop).toMatchObject({ status: 'waiting', reason: expect.stringContaining('could not be cloned') });
    cpSync(stage.repo, `${stage.root}/none.git`, { recursive: true });
    await stage.fleet('resume', id);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  },
);

test(
  'a usage limit is a wait that outlives its worker; a person can try at once',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(
      'Add.\nlimit: 3600\ndo: echo x > x.txt',
      '--check',
      'test -e x.txt',
      '--pause',
      '0s',
    );
    const first = await stage.worker('w1');
    const waiting = await stage.until(id, ({ waits }) => waits?.for === 'limit');
    expect(waiting).toMatchObject({ status: 'waiting', iteration: 1, worker: null });
    expect(Date.parse(waiting.waits?.until ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    first.process.kill('SIGKILL');
    await stage.worker('w2');
    expect(await stage.status(id)).toMatchObject({ waits: { for: 'limit' } });
    await stage.fleet('resume', id);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
  },
);
