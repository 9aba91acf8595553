import { describe, expect, it } from 'vitest';
import { json } from '#hosts/json/host.ts';
import { hostConformance } from '../conformance.ts';
import { PLUGIN } from '../plugin-bench.ts';

const FROM = { session: 's1', project: '/project', turn: 't1' };
const PAYLOADS = {
  stop: { ...FROM, event: 'stop', message: 'Done.' },
  prompt: { ...FROM, event: 'prompt', text: 'Do it.' },
  tool: { ...FROM, event: 'tool', tool: 'write', input: { path: 'a', content: 'x' }, id: 'c1' },
  'session-start': { ...FROM, event: 'session-start', source: 'resume' },
  'session-end': { ...FROM, event: 'session-end', reason: 'quit' },
} as const;

hostConformance({ host: json, env: {}, payloads: PAYLOADS, ...PLUGIN });

describe('the protocol', () => {
  it('takes the words of a stop, the turn, and the host that a plugin speaks for', () => {
    const stop = json.readArrival({ ...PAYLOADS.stop, host: 'pi' }, {});
    expect(stop).toMatchObject({ is: 'stop', message: 'Done.', from: { host: 'pi', prompt: 't1' } });
  });

  it('takes a write and a command as what they are', () => {
    const acts = (tool: string, input: object) => {
      const arrival = json.readArrival({ ...PAYLOADS.tool, tool, input }, {});
      return arrival?.is === 'tool' ? arrival.acts() : null;
    };
    expect(acts('write', { path: 'a', content: 'x' })).toMatchObject([
      { is: 'write', path: 'a', content: 'x' },
    ]);
    expect(acts('shell', { command: 'rm a' })).toMatchObject([
      { is: 'shell', line: 'rm a', cwd: '/project' },
    ]);
    expect(acts('read', { path: 'a' })).toEqual([]);
  });

  it('hears that a turn failed, and whether a person has to act', async () => {
    const stop = json.readArrival({ ...PAYLOADS.stop, failed: { error: '401', fatal: 'auth' } }, {});
    const rest = stop?.is === 'stop' ? await stop.rest?.() : null;
    expect(rest).toEqual({ message: 'Done.', failed: { error: '401', detail: '', fatal: 'auth' } });
    const by = json.readArrival({ ...PAYLOADS.stop, failed: { error: 'no', status: 402 } }, {});
    expect(by?.is === 'stop' && (await by.rest?.())?.failed?.fatal).toBe('billing');
  });

  it('takes what a turn has used, whether a tool was, and the process', () => {
    const used = { costUsd: 0.5, tokens: 120 };
    const look = (more: object) => {
      const stop = json.readArrival({ ...PAYLOADS.stop, process: 77, ...more }, {});
      if (stop?.is !== 'stop') throw new Error('not heard');
      return { ...stop.look({ offset: 0, waiting: 0 }, ''), process: stop.from.process };
    };
    expect(look({ used, idle: true })).toMatchObject({ used, toolUsed: false, process: 77 });
    expect(look({ used: { tokens: -1 } })).toMatchObject({ used: null, toolUsed: true });
  });
});
