/**
 * What the page's server tells and does: loops, stories, the stream of changes, actions with the page as
 * their hand.
 */
import { get as httpGet } from 'node:http';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { makeLeadingPage, openerOf, pageParent } from '#surfaces/page/open-browser.ts';
import { makeRate } from '#surfaces/page/server/request.ts';
import { readForm } from '#surfaces/page/server/start-form.ts';
import type {
  AgentNews,
  LoopDetail,
  LoopsChanged,
  Overview,
  Series,
  StoryPage,
} from '#surfaces/page/wire.ts';
import { makeHome, servedIn, type Answer, type Place } from './served.ts';
import { seed, type Seeded } from './seed.ts';

const ID = 'RALPH_20260101_abc123';
const PATH = `/api/loops/${ID}`;

function loopIn({ home, project }: { home: string; project: string }): Seeded {
  const loop = seed(home, {
    id: ID,
    project,
    prompt: 'Fix the parser.\n\nAll of it.',
    checks: ['npm test'],
    costUsd: 5,
    startedAt: Date.now() - 600_000,
  });
  loop.pass(process.pid, { words: 'First.' });
  loop.pass(process.pid, { words: 'Second.', claims: true, failing: { 'npm test': 'red' } });
  loop.take(process.pid);
  return loop;
}

async function served(): Promise<Place & { loop: Seeded }> {
  const place = makeHome();
  const loop = loopIn(place);
  onTestFinished(() => loop.open.close());
  return { ...(await servedIn(place)), loop };
}

/** The server says what the type says; the page relies on the same. */
function read<T>({ status, text }: Answer): T {
  expect(status).toBe(200);
  return JSON.parse(text);
}

function eventsOf({ runtime }: Place): readonly Event[] {
  const open = runtime.store.open(ID);
  const events = open?.journal.read(0).events ?? [];
  open?.close();
  return events;
}

describe('data', () => {
  test('all loops, as cards', async () => {
    const place = await served();
    const all = read<Overview>(await place.get('/api/loops'));
    expect(all).toMatchObject({ unread: [], projects: [place.project] });
    expect(all.loops).toMatchObject([
      { id: ID, status: 'running', iteration: 3, task: 'Fix the parser. All of it.' },
    ]);
  });

  test('one loop: what was asked, why it goes on, what would end it', async () => {
    const detail = read<LoopDetail>(await (await served()).get(PATH));
    expect(detail.asked).toBe('Fix the parser.\n\nAll of it.');
    expect(detail.last).toMatchObject({ iteration: 2, verdict: { is: 'continue' } });
    expect(detail.last?.verdict?.reasons.map(({ words }) => words).join()).toContain('npm test');
    expect(detail.tested).toEqual([{ command: 'npm test', says: 'failed with exit code 1', iteration: 2 }]);
    expect(detail.endsWhen.join()).toContain('exhausted');
    expect(detail.evidence).toContain('stop-2-check-1.txt');
  });

  test('the story page by page, and its figures', async () => {
    const { get } = await served();
    const page = read<StoryPage>(await get(`${PATH}/story?most=1`));
    expect(page.entries).toHaveLength(1);
    expect(page.entries[0]).toMatchObject({ is: 'iteration', iteration: 2, claim: expect.any(String) });
    const before = read<StoryPage>(await get(`${PATH}/story?before=${page.total - 1}&most=1`));
    expect(before.entries[0]).toMatchObject({ iteration: 1, said: 'First.' });
    const series = read<Series>(await get(`${PATH}/series`));
    expect(series).toMatchObject({
      judged: 2,
      points: [
        { iteration: 1, costUsd: 0.12, spentUsd: 0.12 },
        { iteration: 2, costUsd: 0.12, spentUsd: 0.24 },
      ],
    });
    const around = read<StoryPage>(await get(`${PATH}/story?iteration=1&most=2`));
    expect(around.entries).toContainEqual(expect.objectContaining({ iteration: 1 }));
  });

  test('what the agent does, from where the page was', async () => {
    const { get, loop } = await served();
    loop.says('pass-3.jsonl', { type: 'text', text: 'On it.' });
    const first = read<AgentNews>(await get(`${PATH}/agent`));
    expect(first.acts).toEqual([{ at: null, kind: 'says', name: '', text: 'On it.' }]);
    loop.says('pass-3.jsonl', { type: 'text', text: 'More.' });
    const second = read<AgentNews>(await get(`${PATH}/agent?after=${first.next}`));
    expect(second.acts).toMatchObject([{ text: 'More.' }]);
    expect(read<AgentNews>(await get(`${PATH}/agent?after=${second.next}`)).acts).toEqual([]);
    expect(read<AgentNews>(await get(`${PATH}/agent?after=0`)).acts).toHaveLength(2);
  });

  test('no such loop, no such thing', async () => {
    const { get } = await served();
    for (const path of ['/api/loops/none', `${PATH}/nothing`, '/api/nothing', '/nothing'])
      expect((await get(path)).status).toBe(404);
    expect((await get(`${PATH}/features`)).status).toBe(409);
  });
});

interface Stream {
  readonly text: () => string;
  readonly until: (words: string) => Promise<void>;
  readonly end: () => void;
}

async function follow(place: Place): Promise<Stream> {
  const cookie = await place.cookie();
  let text = '';
  const request = httpGet({
    host: '127.0.0.1',
    port: place.served.port,
    path: '/api/events',
    headers: { cookie },
  });
  request.on('response', (response) => response.on('data', (chunk: Buffer) => (text += chunk.toString())));
  request.on('error', () => undefined);
  onTestFinished(() => void request.destroy());
  const until = async (words: string): Promise<void> => {
    for (let waited = 0; !text.includes(words); waited += 20) {
      if (waited > 5_000) throw new Error(`the stream did not say ${words}:\n${text}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  };
  await until('event: all');
  return { text: () => text, until, end: () => request.destroy() };
}

function changesIn(text: string): LoopsChanged[] {
  return [...text.matchAll(/^event: loops\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

describe('the stream', () => {
  test('tells of an iteration within a second', async () => {
    const place = await served();
    const stream = await follow(place);
    const began = Date.now();
    place.loop.pass(process.pid, { words: 'Third.' });
    place.loop.open.keep();
    await stream.until('"iterationsInAll":3');
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(changesIn(stream.text()).at(-1)?.changed).toMatchObject([{ id: ID, iterationsInAll: 3 }]);
  });

  test('gives a page that was away what it missed', async () => {
    const place = await served();
    const stream = await follow(place);
    place.loop.pass(process.pid);
    await stream.until('"iterationsInAll":3');
    stream.end();
    place.loop.pass(process.pid);
    const other = await follow(place);
    await other.until('"iterationsInAll":4');
  });

  test('has room for so many pages, and no more', async () => {
    const place = await served();
    await Promise.all(Array.from({ length: 32 }, () => follow(place)));
    expect((await place.get('/api/events')).status).toBe(503);
  }, 30_000);
});

describe('actions', () => {
  test('pause and cancel, in the journal with the page as the hand', async () => {
    const place = await served();
    expect(read<object>(await place.post(`${PATH}/pause`, {}))).toMatchObject({ card: { status: 'paused' } });
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'paused', by: 'page' });
    expect(read<object>(await place.post(`${PATH}/cancel`, {}))).toMatchObject({
      card: { status: 'cancelled' },
    });
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'cancelled', by: 'page' });
  });

  test('steer', async () => {
    const place = await served();
    await place.post(`${PATH}/steer`, { words: 'Use the old parser.' });
    expect(eventsOf(place).at(-1)).toMatchObject({
      type: 'steered',
      by: 'page',
      words: 'Use the old parser.',
    });
    const empty = await place.post(`${PATH}/steer`, { words: ' ' });
    expect(empty.status).toBe(409);
    expect(JSON.parse(empty.text)).toMatchObject({ error: { code: 'no-words' } });
  });

  test('approve and reject: the first answer counts', async () => {
    const place = await served();
    const id = place.loop.ask();
    expect(read<Overview>(await place.get('/api/loops')).loops[0]?.requests).toMatchObject([
      { id, kind: 'approval', what: 'Bash: git push' },
    ]);
    const approved = read<object>(await place.post(`${PATH}/requests/${id}/approve`, { words: 'Go.' }));
    expect(approved).toMatchObject({ card: { requests: [] } });
    expect(eventsOf(place)).toContainEqual(
      expect.objectContaining({
        type: 'answered',
        id,
        answer: 'approved',
        by: 'page',
        note: 'Go.',
      }),
    );
    expect((await place.post(`${PATH}/requests/${id}/reject`, {})).status).toBe(409);
    expect((await place.post(`${PATH}/requests/none/approve`, {})).status).toBe(409);
    expect((await place.post(`${PATH}/requests/${id}/explode`, {})).status).toBe(404);
  });

  test('an agent that opens the page in its shell can answer nothing and start nothing', async () => {
    const home = makeHome();
    const loop = loopIn(home);
    onTestFinished(() => loop.open.close());
    const id = loop.ask();
    const place = await servedIn(home, { env: { AI_AGENT: '1' } });
    for (const [path, body] of [
      [`${PATH}/requests/${id}/approve`, {}],
      [`${PATH}/steer`, { words: 'x' }],
      ['/api/loops', { prompt: 'x' }],
    ] as const) {
      const { status, text } = await place.post(path, body);
      expect(status).toBe(409);
      expect(text).toContain('people-only');
    }
    await place.post(`${PATH}/pause`, {});
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'paused', by: 'agent' });
  });
});

describe('the form', () => {
  const form = {
    project: '/code/shop',
    prompt: 'Fix it.',
    flags: {
      '--check': 'npm test\n\n npm run lint ',
      '--measure': 'tests=npm test | grep -c ok',
      '--keep': 'tests',
      '--target': 'tests>=3\n',
      '--completion-promise': '',
      '--max-iterations': '20',
      '--max-cost': '$5',
      '--timeout': '1h',
      '--protect': 'tests/**',
    },
    worktree: true,
    commit: false,
  };

  test('becomes the request of a run', () => {
    expect(
      readForm({ ...form, commit: true, flags: { ...form.flags, '--model': 'opus' } }, ['/code/shop'], []),
    ).toMatchObject({
      ok: true,
      project: '/code/shop',
      request: {
        prompt: 'Fix it.',
        checks: ['npm test', 'npm run lint'],
        measures: [{ name: 'tests', command: 'npm test | grep -c ok' }],
        keep: ['tests'],
        targets: [{ name: 'tests', is: '>=', bound: 3 }],
        maxIterations: 20,
        maxCostUsd: 5,
        timeoutMs: 3_600_000,
        protect: ['tests/**'],
      },
      plan: { model: 'opus', commit: 'own' },
      worktree: { setup: null },
    });
  });

  test.each([
    ['another folder', { project: '/etc' }, 'unknown-project'],
    ['no task', { prompt: ' ' }, 'no-prompt'],
    ['a value that would be a flag', { flags: { '--model': '--dangerously-skip-permissions' } }, 'odd-value'],
    ['a check that would end our flags', { flags: { '--check': 'true\n--' } }, 'odd-value'],
    ['a flag that it does not offer', { flags: { '--config': 'x.mjs' } }, 'odd-value'],
    ['words that are no flag', { flags: { 'Fix it': 'x' } }, 'odd-value'],
    ['a field of another type', { flags: { '--check': ['npm test'] } }, 'bad-form'],
    ['a mode that the host does not know', { flags: { '--permission-mode': 'yolo' } }, 'permission-mode'],
  ])('refuses %s', (_, part, code) => {
    expect(readForm({ ...form, ...part }, ['/code/shop'], ['plan', 'auto'])).toMatchObject({
      ok: false,
      code,
    });
  });
});

describe('small parts', () => {
  test('the rate refills with time', () => {
    let now = 0;
    const rate = makeRate(2, 1_000, () => now);
    expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false]);
    now = 500;
    expect([rate.take(), rate.take()]).toEqual([true, false]);
  });

  test('locks nobody out when the clock is set back', () => {
    let now = 3_600_000;
    const rate = makeRate(2, 1_000, () => now);
    now = 0;
    expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false]);
    now += 500;
    expect(rate.take()).toBe(true);
  });

  test('the browser is opened without a shell', () => {
    const url = 'http://127.0.0.1:1/#key=a&b';
    expect(openerOf(url, 'linux', {})).toEqual({ program: 'xdg-open', args: [url] });
    expect(openerOf(url, 'darwin', {})).toEqual({ program: 'open', args: [url] });
    expect(openerOf(url, 'win32', {}).program).toBe('rundll32.exe');
    const own = (BROWSER: string) => openerOf(url, 'linux', { BROWSER });
    expect(own('firefox')).toEqual({ program: 'firefox', args: [url] });
    expect(own('firefox --new-window')).toEqual({ program: 'firefox', args: ['--new-window', url] });
    expect(own('firefox --url %s -x:lynx')).toEqual({ program: 'firefox', args: ['--url', url, '-x'] });
    expect(own(' ')).toEqual({ program: 'xdg-open', args: [url] });
    const spaced = join(mkdtempSync(join(tmpdir(), 'a browser-')), 'my browser');
    writeFileSync(spaced, '');
    expect(own(spaced)).toEqual({ program: spaced, args: [url] });
  });
});

test('the page that leads to the link is where the browser can read it, and nowhere without a home', () => {
  const home = mkdtempSync(join(tmpdir(), 'dacapo-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const leading = makeLeadingPage(() => 'http://127.0.0.1:1/#key=k', home);
  const [folder = ''] = readdirSync(home);
  expect(folder).toMatch(/^dacapo-page-\w{6}$/);
  expect(leading.address).toBe(pathToFileURL(join(home, folder, 'dacapo.html')).href);
  expect(statSync(join(home, folder)).mode & 0o077).toBe(0);
  expect(statSync(join(home, folder, 'dacapo.html')).mode & 0o077).toBe(0);
  leading.remove();
  expect(readdirSync(home)).toEqual([]);
  const elsewhere = makeLeadingPage(() => 'http://127.0.0.1:1/', join(home, 'gone'));
  expect(elsewhere.address).toContain(pathToFileURL(tmpdir()).href);
  elsewhere.remove();
  expect([pageParent(true), pageParent(false)]).toEqual([homedir(), tmpdir()]);
});

describe('the built page', () => {
  const folder = join(resolve(import.meta.dirname, '../../..'), 'dist/ui');

  test('has at most 60 KB gzipped in all', () => {
    const sent = readdirSync(folder).filter((name) => /\.(?:html|js|css|svg)$/.test(name));
    expect(sent.toSorted()).toEqual(['icon.svg', 'index.html', 'page.css', 'page.js']);
    const bytes = sent.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    expect(bytes).toBeLessThanOrEqual(60 * 1024);
  });

  test('asks for nothing from elsewhere', () => {
    const text = ['index.html', 'page.js', 'page.css']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join();
    const urls = [...text.matchAll(/https?:\/\/[^"'`\s)]+/g)].map(([url]) => url);
    // Namespaces of SVG and MathML: names, not addresses.
    expect(urls.filter((url) => !url.startsWith('http://www.w3.org/'))).toEqual([]);
  });
});
