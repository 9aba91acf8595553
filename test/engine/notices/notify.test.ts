import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Notice, NoticeKind } from '#law/notices.ts';
import {
  isSending,
  MAX_NOTICES_SPOOLED,
  OUTBOX,
  readSpooled,
  spooledIn,
  takeLock,
} from '#engine/notices/outbox.ts';
import { CALLBACK_PATH } from '#engine/notices/message.ts';
import { notifySink } from '#engine/notices/notify.ts';
import { isAlive, type Runtime } from '#store/runtime.ts';
import { memoryStore } from '#store/memory/store.ts';
import { after, running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { conforms } from './conformance.ts';
import { request } from './given.ts';

const ALL = ['started', 'running', 'waiting', 'paused', 'completed', 'ended', 'stuck', 'limit'];

function bench(
  config: unknown,
  { now = new Date(2026, 0, 5, 12), env = {} }: { now?: Date; env?: Runtime['env'] } = {},
) {
  const store = memoryStore(config === null ? null : JSON.stringify(config), temporaryFolder);
  const lines: string[] = [];
  let started = 0;
  const runtime: Runtime = {
    store,
    env,
    isAlive,
    now: () => now.toISOString(),
    process: process.pid,
    started: after(0),
    runner: '',
    log: (line) => lines.push(line),
  };
  const sink = notifySink(runtime, '/nowhere', () => started++);
  const files = () => {
    const folder = store.folder(OUTBOX);
    return spooledIn(folder).flatMap((name) => readSpooled(folder, name) ?? []);
  };
  return { sink, store, lines, files, started: () => started };
}

function notice(is: NoticeKind, notify: readonly string[] = [], event = 1): Notice {
  const begun = running();
  return { is, at: after(0), loop: { ...begun, people: { ...begun.people, notify }, events: event } };
}

conforms('notifications', () => {
  const { sink, files } = bench({ notify: ['desktop'], notifyEvents: ALL });
  return { sink, told: () => files().length };
});

describe('notifications', () => {
  it('without a target cost nothing and leave nothing', () => {
    const { sink, started, lines, store } = bench(null);
    sink(notice('completed'));
    expect([started(), lines]).toEqual([0, []]);
    expect(spooledIn(store.folder(OUTBOX))).toEqual([]);
  });

  it('go to the targets of the config and of the loop, each once', () => {
    const { sink, files, started } = bench({ notify: ['desktop', 'https://example.com/a'] });
    sink(notice('completed', ['desktop', 'https://example.com/b']));
    expect(files()[0]?.targets).toEqual([
      { kind: 'desktop' },
      { kind: 'webhook', url: 'https://example.com/a' },
      { kind: 'webhook', url: 'https://example.com/b' },
    ]);
    expect(started()).toBe(1);
  });

  it.each<[NoticeKind, boolean]>([
    ['completed', true],
    ['ended', true],
    ['escalated', true],
    ['stuck', true],
    ['approval', true],
    ['question', true],
    ['limit', true],
    ['interrupted', true],
    ['started', false],
    ['running', false],
    ['waiting', false],
    ['paused', false],
  ])('tell of %s by default: %s', (is, told) => {
    const { sink, files } = bench({ notify: ['desktop'] });
    sink(notice(is));
    expect(files()).toHaveLength(told ? 1 : 0);
  });

  it('tell each target of what it wants', () => {
    const { sink, files } = bench({
      notify: ['desktop', { type: 'command', command: 'told.sh', events: ['completed'] }],
      notifyEvents: ['stuck'],
    });
    sink(notice('completed'));
    sink(notice('stuck', [], 2));
    expect(files().map(({ targets }) => targets.map(({ kind }) => kind))).toEqual([['command'], ['desktop']]);
  });

  it('take the secret of the environment before that of the config', () => {
    const config = { notify: ['desktop'], notifySecret: 'the secret of the config' };
    const own = bench(config);
    own.sink(notice('completed'));
    expect(own.files()[0]?.secret).toBe('the secret of the config');
    const other = bench(config, { env: { DACAPO_NOTIFY_SECRET: 'another' } });
    other.sink(notice('completed'));
    expect(other.files()[0]?.secret).toBe('another');
  });

  it('with a broken config name the field in the log, and still tell those of the loop', () => {
    const { sink, files, lines } = bench({ notify: ['desktop'], notifySecret: 'short' });
    sink(notice('completed', ['https://example.com/b']));
    expect(files()[0]?.targets.map(({ kind }) => kind)).toEqual(['webhook']);
    expect(lines).toEqual([expect.stringContaining('config.json: notifySecret does not fit.')]);
  });

  it('say where a request can be answered', () => {
    const { sink, files } = bench({ notify: ['desktop'], callbackUrl: 'https://dacapo.example.com/x/' });
    sink({ ...notice('approval'), request: request('approval', 'git push\u0007') });
    expect(files()[0]?.message.payload.request).toEqual({
      id: 'REQ_1',
      kind: 'approval',
      what: 'git push',
      why: 'a rule',
      expires_at: after(9),
      answers: ['approved', 'rejected'],
      callback_url: `https://dacapo.example.com/x${CALLBACK_PATH}`,
    });
    expect(files()[0]?.message.text).toContain('dacapo approve REQ_1');

    const question = bench({ notify: ['desktop'] });
    question.sink({ ...notice('question'), request: request('question', 'Which blue?') });
    const [asked] = question.files();
    // A yes is no answer to a question, so `approved` is refused there.
    expect(asked?.message.payload.request?.answers).toEqual(['text', 'rejected']);
    expect(asked?.message.text).toContain('dacapo answer REQ_1');
  });

  it('are bounded in size, in number, and hold no control characters', () => {
    const { sink, files, lines, store } = bench({ notify: ['desktop'] });
    const long = 'x\u001b[2J\n'.repeat(100_000);
    const loop = { ...running(), name: long, project: `/${long}` };
    sink({ is: 'question', at: after(0), loop, request: request('question', long, long) });
    const [name = ''] = spooledIn(store.folder(OUTBOX));
    const path = join(store.folder(OUTBOX), name);
    expect(statSync(path).size).toBeLessThan(16_384);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { title, text, payload } = files()[0]?.message ?? {};
    expect(JSON.stringify([title, text, payload?.request])).not.toMatch(/\\u001b|\\n/);
    for (let event = 2; event < MAX_NOTICES_SPOOLED + 10; event++) sink(notice('completed', [], event));
    expect(files()).toHaveLength(MAX_NOTICES_SPOOLED);
    expect(lines.at(-1)).toContain('the outbox is full');
  });

  it('start no second sender while one is at work', () => {
    const { sink, started, store } = bench({ notify: ['desktop'] });
    const lock = takeLock(store.folder(OUTBOX), isAlive);
    sink(notice('completed'));
    expect(started()).toBe(0);
    lock?.drop();
    sink(notice('completed', [], 2));
    expect(started()).toBe(1);
  });
});

describe('the lock of the sender', () => {
  it('is for one process, and is given up when its process is gone', () => {
    const folder = temporaryFolder();
    const lock = takeLock(folder, isAlive);
    expect([lock?.isOurs(), takeLock(folder, isAlive), isSending(folder, isAlive)]).toEqual([
      true,
      null,
      true,
    ]);
    lock?.drop();
    expect(isSending(folder, isAlive)).toBe(false);
    takeLock(folder, isAlive);
    expect(isSending(folder, () => false)).toBe(false);
    expect(takeLock(folder, () => false)?.isOurs()).toBe(true);
  });

  it('that another process has taken over is neither touched nor dropped', () => {
    const folder = temporaryFolder();
    const lock = takeLock(folder, isAlive);
    const path = join(folder, 'sender.lock');
    writeFileSync(path, '1');
    expect(lock?.isOurs()).toBe(false);
    lock?.touch();
    lock?.drop();
    expect(readFileSync(path, 'utf8')).toBe('1');
  });
});
