/** Nobody but the person with the link sees or does anything through the page's server. */
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cookieOf, makeHome, servedIn, type Answer, type Place } from './served.ts';
import { DEAD, seed } from './seed.ts';
import { PASS_HEADER } from '#surfaces/page/wire.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function withLoop(): { home: string; project: string } {
  const place = makeHome();
  const loop = seed(place.home, {
    id: 'RALPH_20260101_abc123',
    project: place.project,
    prompt: 'Fix it.',
    checks: ['npm test'],
    startedAt: Date.now() - 600_000,
  });
  loop.pass(DEAD, { claims: true, failing: { 'npm test': '<b>red</b>' } });
  loop.close();
  return place;
}

const DATA = [
  '/api/loops',
  '/api/stats',
  '/api/events',
  '/api/loops/RALPH_20260101_abc123',
  '/api/loops/RALPH_20260101_abc123/story',
  '/api/loops/RALPH_20260101_abc123/series',
  '/api/loops/RALPH_20260101_abc123/agent',
  '/api/loops/RALPH_20260101_abc123/features',
  '/api/loops/RALPH_20260101_abc123/report',
  '/api/loops/RALPH_20260101_abc123/evidence/stop-1-check-1.txt',
];
const ACTIONS = [
  '/api/loops',
  '/api/loops/RALPH_20260101_abc123/pause',
  '/api/loops/RALPH_20260101_abc123/cancel',
  '/api/loops/RALPH_20260101_abc123/resume',
  '/api/loops/RALPH_20260101_abc123/steer',
  '/api/loops/RALPH_20260101_abc123/requests/abc123-1/approve',
];

describe('without the cookie', () => {
  test('the page itself is there, and holds no data', async () => {
    const { send } = await servedIn(withLoop());
    const { status, text } = await send('/');
    expect(status).toBe(200);
    expect(text).not.toContain('RALPH_');
  });

  test('no data is given', async () => {
    const { send } = await servedIn(withLoop());
    for (const path of DATA) expect([path, (await send(path)).status]).toEqual([path, 401]);
    const wrong = { cookie: 'dacapo_1=x; dacapo=1' };
    expect((await send('/api/loops', { headers: wrong })).status).toBe(401);
  });

  test('no action is done', async () => {
    const place = await servedIn(withLoop());
    for (const path of ACTIONS) {
      const headers = { origin: place.origin, ...JSON_TYPE };
      const { status } = await place.send(path, { method: 'POST', headers, body: '{}' });
      expect([path, status]).toEqual([path, 401]);
    }
    expect(statusOf(place)).toBe('interrupted');
  });

  test('a wrong key opens nothing, and many wrong ones are refused for a while', async () => {
    const { send, origin } = await servedIn(withLoop());
    const headers = { origin, ...JSON_TYPE };
    const tried = async (key: string) =>
      (await send('/session', { method: 'POST', headers, body: JSON.stringify({ key }) })).status;
    expect(await tried('wrong')).toBe(403);
    const all = await Promise.all(Array.from({ length: 15 }, (_, k) => tried(`wrong ${k}`)));
    expect(all).toContain(429);
    expect(all.every((status) => status === 403 || status === 429)).toBe(true);
  });
});

describe('the link', () => {
  test('has the key in its fragment, which is exchanged for a cookie that scripts and other sites never get', async () => {
    const { send, origin, key, served } = await servedIn(withLoop());
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{40,}$/);
    const headers = { origin, ...JSON_TYPE };
    const answer = await send('/session', { method: 'POST', headers, body: JSON.stringify({ key }) });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^dacapo_\d+=[\w-]{40,}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const loops = await send('/api/loops', { headers: { cookie: cookieOf(answer) } });
    expect(loops.status).toBe(200);
    expect(loops.text).toContain('RALPH_20260101_abc123');
  });

  test('of a browser that we start works once; a second use ends every session', async () => {
    const place = await servedIn(withLoop());
    const { send, served, newLinks } = place;
    let isUsed = false;
    const key = keyOf(served.onceUrl(() => (isUsed = true)));
    expect((await exchange(place, place.key)).status).toBe(200);
    const taken = await exchange(place, key);
    expect([taken.status, isUsed, newLinks]).toEqual([200, true, []]);
    const stream = send('/api/events', { headers: { cookie: cookieOf(taken) } });
    expect((await place.get('/api/loops')).status).toBe(200);

    expect((await exchange(place, key)).status).toBe(403);
    // An answer ends: the stream was cut.
    expect((await stream).status).toBe(200);
    for (const cookie of [cookieOf(taken), await place.cookie()])
      expect((await send('/api/loops', { headers: { cookie } })).status).toBe(401);
    expect((await exchange(place, place.key)).status).toBe(403);

    const [link = '', ...more] = newLinks;
    expect(more).toEqual([]);
    const again = await exchange(place, keyOf(link));
    const cookie = cookieOf(again);
    expect((await send('/api/loops', { headers: { cookie } })).status).toBe(200);
    const headers = { origin: place.origin, cookie, [PASS_HEADER]: await place.pass(), ...JSON_TYPE };
    expect((await send(ACTIONS[1] ?? '', { method: 'POST', headers, body: '{}' })).status).toBe(401);
    // Whoever has the used key can't end the new sessions as well.
    expect((await exchange(place, key)).status).toBe(403);
    expect((await send('/api/loops', { headers: { cookie } })).status).toBe(200);
  });

  test('a cookie alone does nothing: the browser shows it to every server on this address, also to that of an agent', async () => {
    const place = await servedIn(withLoop());
    const headers = { origin: place.origin, cookie: await place.cookie(), ...JSON_TYPE };
    for (const pass of [{}, { [PASS_HEADER]: '' }, { [PASS_HEADER]: place.key }])
      for (const path of ACTIONS) {
        const sent = { method: 'POST', headers: { ...headers, ...pass }, body: '{}' };
        expect([path, (await place.send(path, sent)).status]).toEqual([path, 401]);
      }
    expect(statusOf(place)).toBe('interrupted');
  });

  test('of one server opens no other', async () => {
    const one = await servedIn(withLoop());
    const other = await servedIn(withLoop());
    const cookie = await one.cookie();
    expect((await other.send('/api/loops', { headers: { cookie } })).status).toBe(401);
  });
});

describe('who asks', () => {
  test.each([
    ['another name', 'evil.example'],
    ['another name with our port', 'evil.example:PORT'],
    ['our address with another port', '127.0.0.1:1'],
    ['a name that begins like ours', '127.0.0.1.evil.example:PORT'],
    ['an address that listens elsewhere', '10.0.0.1:PORT'],
  ])('Host: %s is refused', async (_, host) => {
    const place = await servedIn(withLoop());
    const headers = { host: host.replace('PORT', String(place.served.port)), cookie: await place.cookie() };
    for (const path of ['/', '/api/loops', '/page.js'])
      expect((await place.send(path, { headers })).status).toBe(421);
  });

  test('an empty Host is refused', async () => {
    const place = await servedIn(withLoop());
    expect((await place.send('/api/loops', { headers: { host: '' } })).status).toBe(400);
  });

  test('localhost is one of our names', async () => {
    const place = await servedIn(withLoop());
    const headers = { host: `localhost:${place.served.port}`, cookie: await place.cookie() };
    expect((await place.send('/api/loops', { headers })).status).toBe(200);
  });

  test.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
  ])('Origin: %s is refused, cookie or not', async (origin) => {
    const place = await servedIn(withLoop());
    const headers = {
      origin: origin.replace('PORT', String(place.served.port)),
      cookie: await place.cookie(),
      ...JSON_TYPE,
    };
    for (const path of ACTIONS)
      expect((await place.send(path, { method: 'POST', headers, body: '{}' })).status).toBe(403);
    expect((await place.send('/api/loops', { headers })).status).toBe(403);
    expect(statusOf(place)).toBe('interrupted');
  });

  test('a post that does not say where it comes from is refused', async () => {
    const place = await servedIn(withLoop());
    const headers = { cookie: await place.cookie(), ...JSON_TYPE };
    const { status } = await place.send(ACTIONS[1] ?? '', { method: 'POST', headers, body: '{}' });
    expect(status).toBe(403);
  });

  test('a form of another site is refused by its content type alone', async () => {
    const place = await servedIn(withLoop());
    const headers = { ...(await ownHeaders(place)), 'content-type': 'text/plain' };
    const { status } = await place.send(ACTIONS[1] ?? '', { method: 'POST', headers, body: '{}' });
    expect(status).toBe(415);
    expect(statusOf(place)).toBe('interrupted');
  });

  test('data is not given to a page of another site', async () => {
    const place = await servedIn(withLoop());
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, cookie: await place.cookie() };
      expect((await place.send('/api/loops', { headers })).status).toBe(403);
    }
  });

  test('listens on loopback unless asked, and knows its own names where it listens everywhere', async () => {
    const everywhere = await servedIn(withLoop(), { host: '0.0.0.0' });
    const headers = { host: `evil.example:${everywhere.served.port}` };
    expect((await everywhere.send('/', { headers })).status).toBe(421);
    expect((await everywhere.send('/')).status).toBe(200);
    expect(everywhere.served.url).toContain('http://127.0.0.1:');
  });
});

describe('what it sends', () => {
  test('carries a policy without inline script, and no way into a frame', async () => {
    const { send, get } = await servedIn(withLoop());
    for (const answer of [
      await send('/'),
      await send('/page.js'),
      await get('/api/loops'),
      await send('/nothing'),
    ]) {
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const { text } = await send('/');
    expect(text).not.toMatch(/<script(?![^>]* src=)/);
    expect(text).not.toMatch(/\son\w+=|<style|https?:/);
  });

  test('is never something that a browser would run: evidence is JSON', async () => {
    const { get } = await servedIn(withLoop());
    const { headers, text, status } = await get(DATA.at(-1) ?? '');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(text)).toMatchObject({ text: '<b>red</b>' });
  });

  test('a report is a file to keep, not a page of ours', async () => {
    const { get } = await servedIn(withLoop());
    const { status, headers, text } = await get('/api/loops/RALPH_20260101_abc123/report');
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe('attachment; filename="RALPH_20260101_abc123.html"');
    expect(text).toContain('Fix it.');
    expect(text).not.toContain('<b>red</b>');
    expect((await get('/api/loops/none/report')).status).toBe(404);
  });

  test('evidence comes from the loop alone', async () => {
    const place = withLoop();
    const folder = join(place.home, 'loops/RALPH_20260101_abc123/evidence');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(place.project, 'secret.txt'), 'secret');
    symlinkSync(join(place.project, 'secret.txt'), join(folder, 'link.txt'));
    const { get } = await servedIn(place);
    for (const name of [
      '../journal.jsonl',
      '..%2fjournal.jsonl',
      '%2e%2e%2fjournal.jsonl',
      '..%5cjournal.jsonl',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'link.txt',
      'none.txt',
      '',
      '%00',
    ]) {
      const { status, text } = await get(`/api/loops/RALPH_20260101_abc123/evidence/${name}`);
      expect([name, status]).toEqual([name, name.includes('../') ? status : 404]);
      expect(status).not.toBe(200);
      expect(text).not.toContain('secret');
    }
    expect((await get('/api/loops/..%2f..%2fetc')).status).toBe(404);
    expect((await get('/api/loops/..')).status).toBe(404);
  });
});

describe('bounds', () => {
  test('an address that is none is not an error of the server', async () => {
    const place = await servedIn(withLoop());
    for (const path of ['//', 'http://x', '*']) expect((await place.send(path)).status).toBeLessThan(500);
  });

  test('a flood of actions is refused', async () => {
    const place = await servedIn(withLoop());
    const all = await Promise.all(
      Array.from({ length: 40 }, () => place.post('/api/loops/RALPH_20260101_abc123/nothing', {})),
    );
    expect(all.map(({ status }) => status)).toContain(429);
  });

  test('a body that is too long, and one that is not an object, are refused', async () => {
    const place = await servedIn(withLoop());
    const path = '/api/loops/RALPH_20260101_abc123/steer';
    expect((await place.post(path, { words: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { ...(await ownHeaders(place)), ...JSON_TYPE };
    for (const body of ['', '[1]', 'null', '{'])
      expect((await place.send(path, { method: 'POST', headers, body })).status).toBe(400);
  });

  test.each(['__proto__', 'constructor', 'toString', 'approved'])(
    'an answer that is called %s is none, and nothing is written',
    async (how) => {
      const home = makeHome();
      const loop = seed(home.home, {
        id: 'RALPH_20260101_abc123',
        project: home.project,
        prompt: 'Fix it.',
        startedAt: Date.now(),
      });
      onTestFinished(() => loop.open.close());
      const id = loop.ask();
      const place = await servedIn(home);
      const before = loop.open.journal.read(0).events;
      expect((await place.post(`/api/loops/RALPH_20260101_abc123/requests/${id}/${how}`, {})).status).toBe(
        404,
      );
      expect((await place.post(`/api/loops/RALPH_20260101_abc123/${how}`, {})).status).toBe(404);
      expect(loop.open.journal.read(0).events).toEqual(before);
    },
  );

  test('a connection that sends half a request is closed, before Node would look for it by itself', async () => {
    const { served } = await servedIn(withLoop());
    const half = connect(served.port, '127.0.0.1');
    half.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    await once(half.resume(), 'close', { signal: AbortSignal.timeout(25_000) });
  }, 30_000);

  test('other methods are refused', async () => {
    const place = await servedIn(withLoop());
    const headers = { origin: place.origin, cookie: await place.cookie() };
    for (const method of ['PUT', 'DELETE', 'OPTIONS'])
      expect((await place.send('/api/loops', { method, headers })).status).toBe(405);
  });
});

function keyOf(url: string): string {
  return new URL(url).hash.replace('#key=', '');
}

function exchange({ send, origin }: Place, key: string): Promise<Answer> {
  return send('/session', {
    method: 'POST',
    headers: { origin, ...JSON_TYPE },
    body: JSON.stringify({ key }),
  });
}

async function ownHeaders(place: Place): Promise<Record<string, string>> {
  return { origin: place.origin, cookie: await place.cookie(), [PASS_HEADER]: await place.pass() };
}

function statusOf({ runtime }: Place): string | undefined {
  const loop = runtime.store.open('RALPH_20260101_abc123');
  const status = loop?.loop().status.is;
  loop?.close();
  // Its process is gone, which the record can't know.
  return status === 'running' ? 'interrupted' : status;
}
