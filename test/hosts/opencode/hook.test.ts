import { expect, it } from 'vitest';
import { json } from '#hosts/json/host.ts';
import { opencodeAdapter } from '#hosts/opencode/adapter.ts';
import { hostConformance } from '../conformance.ts';
import { PLUGIN, pluginPayloads } from '../plugin-bench.ts';

const PAYLOADS = pluginPayloads('opencode');
const ENV = { HOME: '/home/me' };

hostConformance({ host: opencodeAdapter.hook, env: ENV, payloads: PAYLOADS, ...PLUGIN });

it('is known by the name that its plugin gives, with its own names of tools and of fields', () => {
  const acts = (tool: string, input: object) => {
    const arrival = json.readArrival({ ...PAYLOADS.tool, tool, input }, ENV);
    if (arrival?.is !== 'tool') throw new Error('not heard');
    expect(arrival.from.host).toBe('opencode');
    return arrival.acts();
  };
  expect(acts('bash', { command: 'ls' })).toMatchObject([{ is: 'shell', line: 'ls' }]);
  expect(acts('write', { filePath: 'a', content: 'x' })).toMatchObject([{ path: 'a', content: 'x' }]);
  const edit = { filePath: 'a', oldString: 'x', newString: 'y' };
  expect(acts('edit', edit)).toMatchObject([{ path: 'a', edits: [{ from: 'x', to: 'y' }] }]);
  const patchText = '*** Begin Patch\n*** Update File: a\n*** End Patch';
  expect(acts('apply_patch', { patchText })).toMatchObject([{ is: 'write', path: 'a' }]);
});

it('guards its settings and plugins, and those of the project', () => {
  const arrival = json.readArrival(PAYLOADS.tool, ENV);
  const files = arrival?.is === 'tool' ? arrival.hostFiles() : [];
  expect(files).toEqual(
    expect.arrayContaining([
      '/home/me/.config/opencode/plugins',
      '/project/.opencode/plugins',
      '/project/opencode.json',
      '/home/me/.local/share/opencode',
    ]),
  );
});
