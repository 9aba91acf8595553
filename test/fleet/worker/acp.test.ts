// @module-tag postgres
/** An agent by a command runs on a worker only if whoever started the worker gave exactly that command. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage } from '../stage.ts';

const AGENT = join(import.meta.dirname, '../../hosts/acp/agent.mjs');
const HOST = `acp:${process.execPath} ${AGENT} answers`;

test(
  'a worker takes loops of an agent by a command that it was started with',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const flags = ['--check', 'true', '--pause', '0s', '--host', HOST];
    const id = await stage.submit('Say it.', ...flags);
    const forged = await stage.submit('Say it.', ...flags, '--needs', 'forged');
    // Somebody who can write rows hides what the loop needs.
    await stage.sql(`update dacapo.loop set hosts = '{}' where id = $1`, [forged]);
    const plain = await stage.worker('plain', ['--labels', 'forged']);
    const { reason } = await stage.until(forged, ({ waits }) => waits?.for === 'retry');
    expect(reason).toContain('this worker was not started with --host "acp:');
    expect(await stage.status(id)).toMatchObject({ status: 'pending' });
    plain.process.kill('SIGTERM');
    await plain.ended;
    const able = await stage.worker('able', ['--host', HOST]);
    expect(able.lines[0]).toMatchObject({ hosts: expect.arrayContaining([HOST]) });
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  },
);
