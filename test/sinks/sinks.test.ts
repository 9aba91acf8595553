import { expect, it } from 'vitest';
import { notices } from '../../src/core/notices.ts';
import { logSink } from '../../src/sinks/log.ts';
import { memorySink } from '../../src/sinks/memory.ts';
import { tellSinks } from '../../src/sinks/sink.ts';
import { tellingStore } from '../../src/sinks/telling.ts';
import { memoryStore } from '../../src/store/memory/store.ts';
import { MINUTE, after, bound, claim, created, running, told, verdict } from '../core/given.ts';
import { NOTICES, conforms } from './conformance.ts';

conforms('the log', () => {
  const lines: string[] = [];
  return { sink: logSink((line) => lines.push(line)), told: () => lines.length };
});

conforms('memory', () => {
  const sink = memorySink();
  return { sink, told: () => sink.notices().length };
});

it('the log has one line for each, with nothing that steers a terminal', () => {
  const lines: string[] = [];
  const [first] = NOTICES;
  if (first === undefined) throw new Error('no notice');
  logSink((line) => lines.push(line)).tell({ ...first, is: 'goes-on' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^loop=\S+ notice=goes-on: \P{Cc}+$/u);
});

it('memory keeps the last thousand', () => {
  const sink = memorySink();
  const loop = running();
  for (let n = 0; n < 1_500; n++) sink.tell({ is: 'waits', at: after(n * MINUTE), loop });
  expect(sink.notices()).toHaveLength(1_000);
  expect(sink.notices()[0]?.at).toBe(after(500 * MINUTE));
});

it('a sink that throws disturbs neither the others nor the loop', () => {
  const sink = memorySink();
  const broken = {
    tell: () => {
      throw new Error('no receiver');
    },
  };
  const loop = running();
  expect(() => tellSinks([broken, sink], null, loop, created())).not.toThrow();
  expect(sink.notices()).toHaveLength(1);
});

it('what is written through a store is told, and only what changes the state of a loop', () => {
  const sink = memorySink();
  const store = tellingStore(memoryStore(), () => [sink]);
  const open = store.make(created(), () => undefined);
  if (open === 'taken') throw new Error('taken');
  for (const event of [bound(), claim(1), verdict(1), claim(2), verdict(2, { verdict: { is: 'complete' } })])
    open.write(event);
  expect(sink.notices().map(({ is }) => is)).toEqual(['started', 'goes-on', 'completed']);
  expect(store.open(open.loop().id)?.loop().status.is).toBe('completed');
});

it('a loop that needs its person says so, and one that waits for something else says that too', () => {
  const loop = running();
  const event = { at: after(MINUTE) };
  const asked = { ...loop, status: { is: 'escalated', why: { is: 'asked', words: '' } } } as const;
  expect(notices(loop, asked, event)[0]?.is).toBe('needs-person');
  const until = after(MINUTE);
  const retry = { ...loop, status: { is: 'waiting', for: 'retry', until } } as const;
  const limit = { ...loop, status: { is: 'waiting', for: 'limit', until } } as const;
  expect(notices(retry, limit, event)[0]?.is).toBe('waits');
  expect(notices(retry, { ...retry, events: 9 }, event)).toEqual([]);
  expect(notices(limit, loop, event)[0]?.is).toBe('goes-on');
  expect(notices(loop, told(created()), event)[0]?.is).toBe('rests');
});
