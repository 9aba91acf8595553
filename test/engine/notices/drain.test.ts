import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Target } from '#input/config/notify-target.ts';
import { sendNotice } from '#engine/notices/channels/send.ts';
import { drain, type Draining } from '#engine/notices/drain.ts';
import { messageForNotice } from '#engine/notices/message.ts';
import { readSpooled, spool, spooledIn, type SpooledNotice } from '#engine/notices/outbox.ts';
import { after, running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { deadUrl, isSignedWith, receiver } from './receiver.ts';

const SECRET = 'a secret that both sides know';
const BEGAN = new Date(2026, 0, 5, 12).getTime();

/** A clock that goes on when someone sleeps, so that hours pass in no time. */
function bench() {
  const folder = temporaryFolder();
  let now = BEGAN;
  const slept: number[] = [];
  const lines: string[] = [];
  const draining: Draining = {
    send: (target, { message, secret }) =>
      sendNotice(target, { message, secret, env: {}, platform: 'linux', now: () => new Date() }),
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    idle: () => new Promise((resolve) => setTimeout(resolve, 5)),
    now: () => new Date(now),
    log: (line) => lines.push(line),
    isOurs: () => true,
  };
  const put = (targets: readonly Target[], changes: Partial<SpooledNotice> = {}, event = 1) =>
    spool(folder, {
      version: 1,
      at: new Date(BEGAN + event).toISOString(),
      order: event,
      message: messageForNotice(
        { is: 'completed', at: after(event), loop: { ...running(), events: event } },
        null,
      ),
      targets,
      secret: SECRET,
      ...changes,
    });
  return { folder, draining, put, slept, lines, files: () => spooledIn(folder) };
}

describe('the sender', () => {
  it('sends what is there, signed, and leaves an empty outbox', async () => {
    const { url, got } = await receiver();
    const { folder, draining, put, files, lines } = bench();
    put([{ kind: 'webhook', url }]);
    put([{ kind: 'webhook', url: `${url}/other` }], {}, 2);
    await drain(folder, draining);
    expect(got.map(({ path }) => path).sort()).toEqual(['/', '/other']);
    expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
    expect(files()).toEqual([]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^notify event=completed loop=\S+ target=webhook http:\/\/127\.0\.0\.1:\d+: sent \(HTTP 204\)$/,
    );
  });

  it('tries again when a receiver answers 500 twice', async () => {
    const { url, got } = await receiver((response, n) => response.writeHead(n < 3 ? 500 : 200).end());
    const { folder, draining, put, slept, lines } = bench();
    put([{ kind: 'webhook', url }]);
    await drain(folder, draining);
    expect([got.length, slept]).toEqual([3, [1_000, 5_000]]);
    expect(new Set(got.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
    expect(lines).toEqual([expect.stringContaining('sent after 3 attempts (HTTP 200)')]);
  });

  it('gives up on a dead receiver after four attempts, and says so', async () => {
    const { folder, draining, put, slept, lines, files } = bench();
    put([{ kind: 'webhook', url: await deadUrl() }]);
    await drain(folder, draining);
    expect(slept).toEqual([1_000, 5_000, 25_000]);
    expect(lines).toEqual([expect.stringMatching(/failed after 4 attempts \(nothing is listening there/)]);
    expect(files()).toEqual([]);
  });

  it('waits as long as a receiver asks for', async () => {
    const { url } = await receiver((response, n) =>
      response.writeHead(n === 1 ? 429 : 200, { 'retry-after': '30' }).end(),
    );
    const { folder, draining, put, slept } = bench();
    put([{ kind: 'webhook', url }]);
    await drain(folder, draining);
    expect(slept).toEqual([30_000]);
  });

  it('lets a slow or dead receiver hold up no other', async () => {
    const slow = await receiver((response) => setTimeout(() => response.writeHead(200).end(), 1_000));
    const fast = await receiver();
    const { folder, draining, put, lines } = bench();
    put([{ kind: 'webhook', url: slow.url }]);
    put([{ kind: 'webhook', url: await deadUrl() }], {}, 2);
    put([{ kind: 'webhook', url: fast.url }], {}, 3);
    const began = Date.now();
    const done = drain(folder, draining);
    await expect.poll(() => fast.got.length).toBe(1);
    expect(Date.now() - began).toBeLessThan(900);
    await done;
    expect(lines).toHaveLength(3);
  });

  it('sends what comes while it is at work', async () => {
    const { folder, draining, put } = bench();
    const { url, got } = await receiver((response, n) => {
      if (n === 1) put([{ kind: 'webhook', url: `${url}/second` }], {}, 2);
      setTimeout(() => response.writeHead(200).end(), 300);
    });
    put([{ kind: 'webhook', url }]);
    await drain(folder, draining);
    expect(got.map(({ path }) => path)).toEqual(['/', '/second']);
  });

  it('that is killed leaves what is not sent yet, and the next one sends that alone', async () => {
    const { url, got } = await receiver();
    const hung = { kind: 'webhook', url: 'http://127.0.0.1:1/' } as const;
    const { folder, draining, put, files } = bench();
    put([{ kind: 'webhook', url }, hung]);
    let isKilled = false;
    const killed = drain(folder, {
      ...draining,
      isOurs: () => !isKilled,
      send: (target, spooled) =>
        target.kind === 'webhook' && target.url === hung.url
          ? new Promise(() => undefined)
          : draining.send(target, spooled),
    });
    const [name = ''] = files();
    await expect.poll(() => readSpooled(folder, name)?.targets).toEqual([hung]);
    isKilled = true;
    await killed;
    const sent: string[] = [];
    await drain(folder, {
      ...draining,
      send: async (target) => ({ ok: true, detail: String(sent.push(JSON.stringify(target))) }),
    });
    expect(sent).toEqual([JSON.stringify(hung)]);
    expect(got).toHaveLength(1);
    expect(files()).toEqual([]);
  });

  it('drops what is a day old', async () => {
    const { url, got } = await receiver();
    const { folder, draining, put, lines } = bench();
    put([{ kind: 'webhook', url }], { at: new Date(BEGAN - 25 * 3_600_000).toISOString() });
    await drain(folder, draining);
    expect([got.length, lines]).toEqual([0, [expect.stringContaining('not sent (it is a day old)')]]);
  });

  it('removes a file that it can not read', async () => {
    const { folder, draining, files } = bench();
    writeFileSync(join(folder, '1-1-x.json'), '{"version":9}');
    await drain(folder, draining);
    expect(files()).toEqual([]);
  });

  it('leaves the rest to a process that has taken over', async () => {
    const { url, got } = await receiver((response) => response.writeHead(500).end());
    const { folder, draining, put, files } = bench();
    put([{ kind: 'webhook', url }]);
    await drain(folder, { ...draining, isOurs: () => got.length === 0 });
    expect(got).toHaveLength(1);
    expect(files()).toHaveLength(1);
  });
});
