/** An answer by a signed callback: taken once, from someone who knows the secret, and refused otherwise. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answerByCallback,
  callbackStatus,
  type CallbackOrder,
} from '../../src/operations/requests/callback.ts';
import { signatureOf } from '../../src/sinks/signature.ts';
import { Stage } from '../hearing/stage.ts';

const SECRET = 'a secret that both sides know';

let stage: Stage;
let request: string;
beforeEach(async () => {
  stage = new Stage();
  stage.env = { DACAPO_NOTIFY_SECRET: SECRET };
  const { id } = await stage.start('Fix.');
  await stage.stop('<promise>ASK: Which colour?</promise>');
  request = stage.store.open(id)?.loop().requests[0]?.id ?? '';
});

function order(body: unknown, secret = SECRET): CallbackOrder {
  const timestamp = String(Math.floor(Date.parse(stage.now()) / 1_000));
  const text = JSON.stringify(body);
  return { timestamp, body: text, signature: signatureOf(timestamp, text, secret) };
}

function send(given: CallbackOrder) {
  const answered = answerByCallback(given, stage.world());
  return [answered.ok ? 'ok' : answered.code, callbackStatus(answered)];
}

describe('a callback', () => {
  it('answers, and is journaled as an answer of the webhook', () => {
    const given = order({ request, answer: 'text', note: 'blue' });
    const answered = answerByCallback(given, stage.world());
    expect(answered).toMatchObject({
      ok: true,
      request: { answer: { is: 'text', note: 'blue', by: 'webhook' } },
    });
    expect(callbackStatus(answered)).toBe(200);
  });

  it('that is replayed is refused, and so is a second answer', () => {
    const given = order({ request, answer: 'text', note: 'blue' });
    expect([send(given), send(given)]).toEqual([
      ['ok', 200],
      ['replayed', 409],
    ]);
    expect(send(order({ request, answer: 'text', note: 'red' }))).toEqual(['answered', 409]);
  });

  it('of someone else is refused, and changes nothing', () => {
    expect(send(order({ request, answer: 'approved' }, 'another secret'))).toEqual(['unsigned', 401]);
    stage.env = {};
    expect(send(order({ request, answer: 'approved' }))).toEqual(['no-secret', 401]);
    expect(stage.status()).toBe('waiting');
  });

  it('that makes no sense is refused', () => {
    expect(send(order({ request, answer: 'maybe' }))).toEqual(['bad-body', 400]);
    expect(send(order({ request: 'REQ_9', answer: 'approved' }))).toEqual(['no-request', 404]);
    const old = order({ request, answer: 'approved' });
    stage.wait(301_000);
    expect(send(old)).toEqual(['old', 401]);
  });
});
