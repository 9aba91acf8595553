import { describe, expect, it } from 'vitest';
import { notices, type NoticeKind } from '#law/notices.ts';
import type { Status } from '#law/loop.ts';
import { logSink, tellSinks } from '#engine/notices/tell-sinks.ts';
import { memorySink } from './memory.ts';
import { tellingStore } from '#engine/process-runtime.ts';
import { memoryStore } from '#store/memory/store.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { MINUTE, after, bound, claim, created, running, verdict } from '../../law/given.ts';
import { request } from './given.ts';
import { NOTICES, conforms } from './conformance.ts';

conforms('the log', () => {
  const lines: string[] = [];
  return { sink: logSink((line) => lines.push(line)), told: () => lines.length };
});

it('the log has one line for each, with nothing that steers a terminal', () => {
  const lines: string[] = [];
  const [first] = NOTICES;
  if (first === undefined) throw new Error('no notice');
  logSink((line) => lines.push(line))({ ...first, is: 'running' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^loop=\S+ notice=running: \P{Cc}+$/u);
});

it('a sink that throws disturbs neither the others nor the loop', () => {
  const { sink, notices: told } = memorySink();
  const broken = () => {
    throw new Error('no receiver');
  };
  const loop = running();
  expect(() => tellSinks([broken, sink], null, loop, created())).not.toThrow();
  expect(told).toHaveLength(1);
});

it('what is written through a store is told, and only what changes the state of a loop', () => {
  const { sink, notices: told } = memorySink();
  const store = tellingStore(memoryStore(null, temporaryFolder), () => [sink]);
  const open = store.make(created(), () => undefined);
  if (open === 'taken') throw new Error('taken');
  for (const event of [bound(), claim(1), verdict(1), claim(2), verdict(2, { verdict: { is: 'complete' } })])
    open.write(event);
  expect(told.map(({ is }) => is)).toEqual(['started', 'running', 'completed']);
  expect(store.open(open.loop().id)?.loop().status.is).toBe('completed');
});

describe('a notice', () => {
  const loop = running();
  const event = { at: after(MINUTE) };
  const until = after(MINUTE);
  const to = (status: Status) => notices(loop, { ...loop, status }, event).map(({ is }) => is);

  it.each<[NoticeKind, Status]>([
    ['completed', { is: 'completed' }],
    ['escalated', { is: 'escalated', why: { is: 'asked', words: '' } }],
    ['stuck', { is: 'stuck', limit: 'stagnation', detail: '' }],
    ['ended', { is: 'stuck', limit: 'staleness' }],
    ['ended', { is: 'exhausted', limit: 'iterations' }],
    ['ended', { is: 'cancelled', by: 'terminal', prompt: null }],
    ['ended', { is: 'aborted', why: 'view', detail: '', evidence: null }],
    ['limit', { is: 'waiting', for: 'limit', until }],
    ['waiting', { is: 'waiting', for: 'retry', until }],
    ['waiting', { is: 'waiting', for: 'background' }],
    ['interrupted', { is: 'interrupted', why: 'fault', detail: '' }],
    ['interrupted', { is: 'paused', by: 'host', why: 'capped' }],
    ['paused', { is: 'interrupted', why: 'session-end', detail: '' }],
    ['paused', { is: 'paused', by: 'terminal', why: 'command' }],
    ['paused', { is: 'pending' }],
  ])('%s comes from %j', (is, status) => expect(to(status)).toEqual([is]));

  it('comes for a change alone, and for a change of what it waits for', () => {
    const retry = { ...loop, status: { is: 'waiting', for: 'retry', until } } as const;
    const limit = { ...loop, status: { is: 'waiting', for: 'limit', until } } as const;
    expect(notices(retry, { ...retry, events: 9 }, event)).toEqual([]);
    expect(notices(retry, limit, event)[0]?.is).toBe('limit');
    expect(notices(limit, loop, event)[0]?.is).toBe('running');
  });

  it.each([
    ['approval', 'approval'],
    ['completion', 'approval'],
    ['question', 'question'],
  ] as const)('of a request for %s is %s, with what is asked', (kind, is) => {
    const asked = request(kind, 'git push');
    const [notice] = notices(
      loop,
      { ...loop, people: { ...loop.people, requested: 1, requests: [asked] } },
      event,
    );
    expect(notice).toMatchObject({ is, request: asked });
  });
});
