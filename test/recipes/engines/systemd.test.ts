// @module-tag postgres
/** The unit for systemd: its command, started and stopped as systemd would. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded } from '../../fleet/stage.ts';
import { ENGINES, openRecipeStage } from './recipe-stage.ts';

const UNIT = readFileSync(join(ENGINES, 'systemd/dacapo-worker@.service'), 'utf8');
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

test('a worker under systemd works, and leaves in time', { timeout: 60_000 }, async () => {
  const grace = /--grace (\d+)s/.exec(setting('ExecStart'))?.[1];
  expect(Number.parseInt(setting('TimeoutStopSec'))).toBeGreaterThan(Number(grace));
  // To the worker alone: an agent that got SIGTERM, too, would end in the middle of its pass.
  expect(setting('KillMode')).toBe('mixed');
  expect(setting('Restart')).toBe('always');
  expect(setting('StandardInput')).toMatch(/^file:/);
  const { stage, start } = await openRecipeStage();
  const id = await stage.submit('Work.\ndo: echo x > x.txt', '--check', 'test -e x.txt');
  const command = setting('ExecStart').replaceAll('%l', 'machine').replaceAll('%i', '1');
  const service = start('sh', ['-c', `exec ${command} < "$DACAPO_URL_FILE"`]);
  expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
  const [worker] = await stage.sql<{ name: string }>('select name from dacapo.worker');
  expect(worker?.name).toBe('machine-1');
  service.signal('SIGTERM');
  expect(await service.code).toBe(0);
});
