/** Resources, prompts, progress and cancelling, in both eras. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { connect, ERAS, makePlace, type Connected } from './server.ts';

const CLI = resolve(import.meta.dirname, '../../../dist/cli.cjs');

async function begin({ call }: Connected): Promise<{ iterationId: unknown; loopId: string }> {
  const { taskId } = await call('task_create', { title: 'Add the login' });
  const { iterationId, loopId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
  return { iterationId, loopId: String(loopId) };
}

async function until(look: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !look(); await sleep(20))
    if (Date.now() > deadline) throw new Error('not within 10 s');
}

describe.each(ERAS)('in %s', (era) => {
  it('the state, journal and report of a loop are read, and changes are told', async () => {
    const connected = await connect(makePlace(), era);
    const { client, call } = connected;
    const { iterationId, loopId } = await begin(connected);
    const uri = `dacapo://loops/${loopId}/state`;
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual(
      expect.arrayContaining(
        ['state', 'journal', 'report'].map((kind) => `dacapo://loops/${loopId}/${kind}`),
      ),
    );
    const read = async (kind: string) => {
      const { contents } = await client.readResource({ uri: `dacapo://loops/${loopId}/${kind}` });
      const [content] = contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    expect(JSON.parse(await read('state'))).toMatchObject({ id: loopId, status: 'running' });
    expect((await read('journal')).split('\n')[0]).toContain('"type":"created"');
    expect(await read('report')).toContain('# Add the login');
    await expect(client.readResource({ uri: 'dacapo://loops/RALPH_20260101_zzzzzz/state' })).rejects.toThrow(
      'no loop',
    );

    const updated: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updated.push(params.uri),
    );
    if (era === '2025-11-25') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    await call('iteration_validate', { iterationId, agentOutput: 'Not yet.' });
    await until(() => updated.includes(uri));
  });

  it('prompts start and cancel say what to do', async () => {
    const { client } = await connect(makePlace(), era);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['start', 'cancel']);
    const { messages } = await client.getPrompt({
      name: 'start',
      arguments: { task: 'Add the login', maxIterations: '5' },
    });
    expect(JSON.stringify(messages)).toContain('loop_start');
    expect(JSON.stringify(messages)).toContain('maxIterations');
    expect(JSON.stringify(await client.getPrompt({ name: 'cancel' }))).toContain('no loop');
  });

  it('a long proof reports progress, and can be cancelled without spending anything', async () => {
    const place = makePlace();
    const { project, store } = place;
    const check = "node -e \"setTimeout(() => {}, require('fs').existsSync('slow') ? 60000 : 0)\"";
    writeFileSync(join(project, 'dacapo.config.json'), JSON.stringify({ checks: { slow: check } }));
    const pinned = pinConfig(project, 'dacapo.config.json');
    if (!pinned.ok) throw new Error(pinned.message);
    store.trust.keep({ ...pinned, project, file: 'dacapo.config.json', at: new Date().toISOString() });
    const connected = await connect(place, era);
    const { iterationId } = await begin(connected);
    writeFileSync(join(project, 'slow'), '');
    const said: string[] = [];
    const cancel = new AbortController();
    const asked = connected.client.callTool(
      {
        name: 'iteration_validate',
        arguments: { iterationId, agentOutput: 'Done.\n\n<promise>COMPLETE</promise>' },
      },
      { signal: cancel.signal, onprogress: ({ message }) => void said.push(message ?? '') },
    );
    asked.catch(() => undefined);
    await until(() => said.some((line) => /^running .*slow/.test(line)));
    cancel.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    const loop = () => store.loops()[0]?.loop;
    await until(() => loop()?.open === null);
    expect(loop()).toMatchObject({ last: null, status: { is: 'running' } });
  });

  it('a question reaches a person, and its answer the agent', async () => {
    const place = makePlace();
    const connected = await connect(place, era);
    const { call } = connected;
    const { loopId } = await begin(connected);
    const asked = await call('loop_ask', { loopId, question: 'Which port?' });
    expect(await call('loop_ask', { loopId, question: 'Which port?' })).toEqual(asked);
    expect(await call('loop_status', { loopId })).toMatchObject({
      requests: [{ requestId: asked['requestId'], question: 'Which port?', answer: null }],
    });
    const env = { PATH: process.env['PATH'], HOME: place.home, DACAPO_HOME: place.home };
    execFileSync(process.execPath, [CLI, 'answer', String(asked['requestId']), '8080'], { env });
    expect(await call('loop_status', { loopId })).toMatchObject({
      status: 'running',
      requests: [{ answer: '8080', note: null }],
    });
  });
});
