/** A signed callback of a webhook answers a request. Anything else is refused. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeHome, servedIn, type Answer, type Place } from './served.ts';
import { seed, type Seeded } from './seed.ts';

const SECRET = 'a secret of some length';
const REQUEST = 'ask-abc123-1';
const ID = `callback_${REQUEST}`;
const APPROVED = JSON.stringify({ request: REQUEST, answer: 'approved', note: 'Go.' });

async function asking(
  env: Record<string, string> = { DACAPO_NOTIFY_SECRET: SECRET },
): Promise<Place & { loop: Seeded }> {
  const home = makeHome();
  const loop = seed(home.home, {
    id: 'RALPH_20260101_abc123',
    project: home.project,
    prompt: 'Fix it.',
    promise: 'DONE',
    startedAt: Date.now() - 60_000,
  });
  onTestFinished(() => loop.open.close());
  loop.take(process.pid);
  expect(loop.ask()).toBe(REQUEST);
  return { ...(await servedIn(home, { env })), loop };
}

/** Signed by the library of Standard Webhooks, as another program would. */
function call(place: Place, body: string, secret = SECRET, offS = 0, headers = {}): Promise<Answer> {
  const at = new Date(Date.now() + offS * 1_000);
  return place.send('/callback', {
    method: 'POST',
    headers: {
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(ID, at, body),
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
}

function answers({ loop }: { loop: Seeded }): object[] {
  return loop.open.journal.read(0).events.filter(({ type }) => type === 'answered');
}

describe('a callback', () => {
  test('with the right signature answers, from any host and without a cookie', async () => {
    const place = await asking();
    const { status } = await call(place, APPROVED, SECRET, 0, { host: 'dacapo.example.com' });
    expect(status).toBe(200);
    expect(answers(place)).toMatchObject([{ id: REQUEST, answer: 'approved', by: 'webhook', note: 'Go.' }]);
  });

  test('is accepted once', async () => {
    const place = await asking();
    expect((await call(place, APPROVED)).status).toBe(200);
    expect((await call(place, APPROVED)).status).toBe(409);
    expect(answers(place)).toHaveLength(1);
  });

  test.each([
    ['a wrong secret', 401, (place: Place) => call(place, APPROVED, 'another secret, as long')],
    ['an old timestamp', 401, (place: Place) => call(place, APPROVED, SECRET, -400)],
    ['no signature', 401, (place: Place) => call(place, APPROVED, SECRET, 0, { 'webhook-signature': '' })],
    ['another body', 400, (place: Place) => call(place, JSON.stringify({ event: 'approval' }))],
    [
      'an unknown request',
      409,
      (place: Place) => call(place, JSON.stringify({ request: 'x', answer: 'approved' })),
    ],
  ])('with %s is refused', async (_, wanted, send) => {
    const place = await asking();
    expect((await send(place)).status).toBe(wanted);
    expect(answers(place)).toEqual([]);
  });

  test('without a secret of ours is refused', async () => {
    const place = await asking({});
    expect((await call(place, APPROVED)).status).toBe(403);
  });
});
