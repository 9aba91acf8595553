/** Two clients at once, and a server that is killed: nothing is lost, and nothing is counted twice. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Loop } from '#law/loop.ts';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { connect, makePlace, SERVER, type Place } from './server.ts';

const CLAIM = 'It works.\n\n<promise>COMPLETE</promise>';
const CONFIG = 'dacapo.config.json';

/** As `dacapo trust` does it. */
function configure({ project, store }: Place, config: object): void {
  writeFileSync(join(project, CONFIG), JSON.stringify(config));
  const pinned = pinConfig(project, CONFIG);
  if (!pinned.ok) throw new Error(pinned.message);
  store.trust.keep({ ...pinned, project, file: CONFIG, at: new Date().toISOString() });
}

function onlyLoop({ store }: Place): Loop {
  const [stored, ...others] = store.loops();
  if (stored?.loop === null || stored === undefined || others.length > 0) throw new Error('not one loop');
  return stored.loop;
}

async function until(look: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !look(); await sleep(20))
    if (Date.now() > deadline) throw new Error('not within 10 s');
}

it('a server whose client dies during a call ends after it', async () => {
  const place = makePlace();
  const { call } = await connect(place);
  const { taskId } = await call('task_create', { title: 'Add the login' });
  const server = spawn(process.execPath, [SERVER], {
    cwd: place.project,
    env: { PATH: process.env['PATH'], HOME: place.home, DACAPO_HOME: place.home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  let answers = '';
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => (answers += chunk));
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const use = (id: number, name: string, input: object) =>
    send({ id, method: 'tools/call', params: { name, arguments: input } });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  use(2, 'iteration_start', { taskId });
  await until(() => answers.includes('"id":2'));
  const { iterationId } = await call('task_get', { taskId });
  use(3, 'iteration_validate', { iterationId, agentOutput: 'Hm.' });
  server.stdin.destroy();
  server.stdout.destroy();
  await until(() => server.exitCode !== null);
});

describe('two clients on one task', () => {
  it('lose no hook, begin one run, and each validation counts once', async () => {
    const place = makePlace();
    const [one, two] = [await connect(place), await connect(place, '2025-11-25')];
    const { taskId } = await one.call('task_create', { title: 'Add the login' });
    const clients = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? one : two));
    await Promise.all(clients.map(({ call }) => call('hook_register', { taskId, hookType: 'promise' })));
    expect(await two.call('hook_list', { taskId })).toMatchObject({ hookCount: 8 });

    const begun = await Promise.allSettled(
      [one, two].map(({ call }) => call('iteration_start', { taskId, completionPromises: ['COMPLETE'] })),
    );
    const [started, ...others] = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(others).toEqual([]);
    const iterationId = started?.['iterationId'];
    expect(begun.filter(({ status }) => status === 'rejected')).toHaveLength(1);

    const judged = await Promise.all(
      clients.map(({ call }, n) => call('iteration_validate', { iterationId, agentOutput: `Step ${n}.` })),
    );
    expect(judged.map(({ iteration }) => Number(iteration)).toSorted((a, b) => a - b)).toEqual(
      clients.map((_, n) => n + 1),
    );
    const loops = place.store.loops().flatMap(({ loop }) => loop ?? []);
    const live = loops.find(({ id }) => id === started?.['loopId']);
    expect(live && live.frame.passes).toBe(8);
    // The other start had made a loop before it found out, and has ended it.
    expect(loops.filter(({ status }) => status.is === 'running')).toHaveLength(1);
  });

  it('the same words from both at once are one stop', async () => {
    const place = makePlace();
    configure(place, { checks: { slow: 'node -e "setTimeout(() => {}, 800)"' } });
    const [one, two] = [await connect(place), await connect(place)];
    const { taskId } = await one.call('task_create', { title: 'Add the login' });
    const { iterationId } = await one.call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    writeFileSync(join(place.project, 'login.ts'), '');
    const [first, second] = await Promise.all(
      [one, two].map(({ call }) => call('iteration_validate', { iterationId, agentOutput: CLAIM })),
    );
    expect(second).toEqual(first);
    expect(onlyLoop(place)).toMatchObject({ stops: 1, status: { is: 'completed' } });
  });
});

describe('kill -9', () => {
  it('in the middle of iteration_validate: the stop is lost, spends nothing, and is judged when asked again', async () => {
    const place = makePlace();
    configure(place, {
      checks: { slow: "node -e \"setTimeout(() => {}, require('fs').existsSync('fast') ? 0 : 60000)\"" },
    });
    writeFileSync(join(place.project, 'fast'), '');
    const first = await connect(place);
    const { taskId } = await first.call('task_create', { title: 'Add the login' });
    await first.call('hook_register', { taskId, hookType: 'default' });
    const { iterationId } = await first.call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    writeFileSync(join(place.project, 'login.ts'), '');
    rmSync(join(place.project, 'fast'));
    const asked = first.call('iteration_validate', { iterationId, agentOutput: CLAIM });
    await until(() => onlyLoop(place).open !== null);
    process.kill(first.pid(), 'SIGKILL');
    await expect(asked).rejects.toThrow(/closed/i);
    expect(onlyLoop(place).frame.passes).toBe(0);

    writeFileSync(join(place.project, 'fast'), '');
    const second = await connect(place);
    expect(await second.call('hook_list', { taskId })).toMatchObject({ hookCount: 1 });
    expect(await second.call('task_get', { taskId })).toMatchObject({ status: 'in_progress', iterationId });
    expect(await second.call('iteration_validate', { iterationId, agentOutput: CLAIM })).toMatchObject({
      iteration: 1,
      completionSignal: 'COMPLETE',
    });
    expect(onlyLoop(place).frame.passes).toBe(1);
  });

  it('after the verdict and before the answer: asked again, it answers the same and counts nothing', async () => {
    const place = makePlace();
    const first = await connect(place);
    const { taskId } = await first.call('task_create', { title: 'Add the login' });
    const { iterationId } = await first.call('iteration_start', { taskId, maxIterations: 5 });
    const asked = { iterationId, agentOutput: 'Not yet.' };
    const answer = await first.call('iteration_validate', asked);
    await first.client.close();
    // As if it had been killed before the answer left: the mark that it did is written after that.
    const log = join(place.home, 'tasks', `${String(iterationId)}.jsonl`);
    const lines = readFileSync(log, 'utf8');
    writeFileSync(log, lines.replace('\n{"type":"answered"}\n', ''));
    expect(readFileSync(log, 'utf8')).not.toBe(lines);

    const second = await connect(place);
    expect(await second.call('iteration_validate', asked)).toEqual(answer);
    expect(onlyLoop(place)).toMatchObject({ stops: 1 });
    // That answer has arrived, so the next call is a new iteration, whatever its words are.
    expect(await second.call('iteration_validate', asked)).toMatchObject({ iteration: 2 });
  });
});
