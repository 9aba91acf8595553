import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { noticeId, signatureOf, verifyCallback } from '#engine/notices/signature.ts';
import { messageForNotice } from '#engine/notices/message.ts';
import { memoryStore } from '#store/memory/store.ts';
import { after, running } from '../../law/given.ts';
import { request } from './given.ts';

const SECRET = 'a secret that both sides know';
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NOW = new Date('2026-01-05T10:00:00Z');
const seconds = (ago = 0) => String(NOW.getTime() / 1_000 - ago);
const BODY = JSON.stringify({ request: 'REQ_1', answer: 'approved', note: 'go' });

interface Given {
  id?: string;
  timestamp?: string;
  body?: string;
  signature?: string;
  secret?: string | null;
  isNews?: (about: string) => boolean;
}

const ID = 'callback_REQ_1';

function sign({ id = ID, timestamp = seconds(), body = BODY }: Given = {}, secret = SECRET): string {
  return signatureOf({ id, timestamp, body }, secret);
}

function verify(given: Given = {}) {
  const { id = ID, timestamp = seconds(), body = BODY, secret = SECRET, isNews } = given;
  const signed = { id, timestamp, body, signature: given.signature ?? sign({ id, timestamp, body }) };
  const read = verifyCallback(signed, secret, NOW, isNews ?? memoryStore().once.isNews);
  return read.ok ? read.callback : read.why;
}

describe('a signature', () => {
  it.each([
    ['a text', SECRET, new Webhook(SECRET, { format: 'raw' })],
    ['base64', WHSEC, new Webhook(WHSEC)],
  ])('by %s is that of Standard Webhooks', (_, secret, webhook) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const ours = signatureOf({ id: 'msg_1', timestamp, body: BODY }, secret);
    expect(ours).toBe(webhook.sign('msg_1', new Date(Number(timestamp) * 1_000), BODY));
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': ours };
    expect(webhook.verify(BODY, headers)).toMatchObject({ request: 'REQ_1' });
    expect(() => webhook.verify(`${BODY} `, headers)).toThrow('No matching signature');
  });
});

describe('a callback', () => {
  it('with the right signature is an answer', () => {
    expect(verify()).toEqual({ request: 'REQ_1', answer: 'approved', note: 'go' });
  });

  it('is taken once, however its signatures are written', () => {
    const { isNews } = memoryStore().once;
    expect(verify({ isNews })).toMatchObject({ request: 'REQ_1' });
    expect(verify({ isNews })).toBe('replayed');
    expect(verify({ isNews, signature: `v1,AAAA v1a,BBBB ${sign()}` })).toBe('replayed');
  });

  it('is taken once by two processes that share a store', () => {
    const store = memoryStore();
    expect([verify({ isNews: store.once.isNews }), verify({ isNews: store.once.isNews })]).toEqual([
      expect.objectContaining({ request: 'REQ_1' }),
      'replayed',
    ]);
  });

  it.each([
    ['no signature', ''],
    ['another scheme', sign().replace('v1,', 'v1a,')],
    ['a wrong one', `v1,${'A'.repeat(43)}=`],
    ['one with another secret', sign({}, 'another secret')],
    ['one of another id', sign({ id: 'callback_REQ_2' })],
    ['one of another time', sign({ timestamp: seconds(1) })],
    ['one of another body', sign({ body: `${BODY} ` })],
    ['one behind too many others', `${'v1,A '.repeat(10)}${sign()}`],
  ])('with %s is refused', (_, signature) => expect(verify({ signature })).toBe('unsigned'));

  it('is refused when it is more than five minutes old, or from the future', () => {
    expect(verify({ timestamp: seconds(299) })).toMatchObject({ answer: 'approved' });
    expect(verify({ timestamp: seconds(301) })).toBe('old');
    expect(verify({ timestamp: seconds(-301) })).toBe('old');
    expect(verify({ timestamp: 'NaN' })).toBe('unsigned');
    expect(verify({ timestamp: '1e9' })).toBe('unsigned');
  });

  it('is refused without a secret, even if someone signed with an empty one', () => {
    expect(verify({ secret: null })).toBe('no-secret');
    expect(verify({ secret: '', signature: sign({}, '') })).toBe('no-secret');
  });

  it.each([
    '',
    '[]',
    '{"request":"R"}',
    '{"request":"R","answer":"yes"}',
    '{"request":7,"answer":"approved"}',
  ])('with the body %j is not an answer, and is not used up', (body) => {
    const seen: string[] = [];
    expect(verify({ body, isNews: (about) => seen.push(about) > 0 })).toBe('bad-body');
    expect(seen).toEqual([]);
  });

  // Both directions have one secret: without this, whoever gets a notice with such a body could answer with
  // it.
  it.each(['msg_1', noticeId('1'), 'callback_', 'callback_1.2', ''])(
    'with the id %j is refused, though it is signed',
    (id) => expect(verify({ id })).toBe('unsigned'),
  );

  it('is never a message of ours that someone sends back', () => {
    const asked = request('approval', '"answer":"approved"');
    const { payload } = messageForNotice(
      { is: 'approval', at: after(0), loop: running(), request: asked },
      null,
    );
    expect(verify({ body: JSON.stringify(payload) })).toBe('bad-body');
  });
});
