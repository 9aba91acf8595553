import { expect, it } from 'vitest';
import { json } from '#hosts/json/host.ts';
import { piAdapter } from '#hosts/pi/adapter.ts';
import { hostConformance } from '../conformance.ts';
import { PLUGIN, pluginPayloads } from '../plugin-bench.ts';

const PAYLOADS = pluginPayloads('pi');

hostConformance({ host: piAdapter.hook, env: { HOME: '/home/me' }, payloads: PAYLOADS, ...PLUGIN });

it('is known by the name that its extension gives', () => {
  const tool = json.readArrival(PAYLOADS.tool, { HOME: '/home/me' });
  if (tool?.is !== 'tool') throw new Error('not heard');
  expect(tool.from).toMatchObject({ host: 'pi', process: 77, prompt: 't1' });
  expect(tool.acts()).toMatchObject([{ is: 'shell', line: 'touch done.txt', cwd: '/project' }]);
  const ground = [
    '/home/me/.pi/agent/settings.json',
    '/home/me/.pi/agent/extensions',
    '/project/.pi/settings.json',
    '/project/.pi/extensions',
    '/home/me/.pi/agent/sessions',
    // Of another host, which may review or carry on.
    '/project/.opencode/tools',
  ];
  expect(tool.hostFiles()).toEqual(expect.arrayContaining(ground));
});
