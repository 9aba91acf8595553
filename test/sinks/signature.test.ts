import { describe, expect, it } from 'vitest';
import { signatureOf, verifyCallback } from '../../src/sinks/signature.ts';
import { messageOf } from '../../src/sinks/message.ts';
import { memoryStore } from '../../src/store/memory/store.ts';
import { after, running } from '../core/given.ts';
import { request } from './given.ts';

const SECRET = 'a secret that both sides know';
const NOW = new Date('2026-01-05T10:00:00Z');
const seconds = (ago = 0) => String(NOW.getTime() / 1_000 - ago);
const BODY = JSON.stringify({ request: 'REQ_1', answer: 'approved', note: 'go' });

interface Given {
  timestamp?: string;
  body?: string;
  signature?: string;
  secret?: string | null;
  isNews?: (about: string) => boolean;
}

function verify({ timestamp = seconds(), body = BODY, signature, secret = SECRET, isNews }: Given = {}) {
  const signed = signature ?? signatureOf(timestamp, body, SECRET);
  const read = verifyCallback(timestamp, body, signed, secret, NOW, isNews ?? memoryStore().once.isNews);
  return read.ok ? read.callback : read.why;
}

describe('a callback', () => {
  it('with the right signature is an answer', () => {
    expect(verify()).toEqual({ request: 'REQ_1', answer: 'approved', note: 'go' });
  });

  it('is taken once, however its signature is written', () => {
    const { isNews } = memoryStore().once;
    expect(verify({ isNews })).toMatchObject({ request: 'REQ_1' });
    expect(verify({ isNews })).toBe('replayed');
    const [name, hex = ''] = signatureOf(seconds(), BODY, SECRET).split('=');
    expect(verify({ isNews, signature: `${name}=${hex.toUpperCase()}` })).toBe('replayed');
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
    ['another scheme', 'sha1=00'],
    ['a wrong one', `sha256=${'0'.repeat(64)}`],
    ['one with another secret', signatureOf(seconds(), BODY, 'another secret')],
    ['one of another time', signatureOf(seconds(1), BODY, SECRET)],
    ['one of another body', signatureOf(seconds(), `${BODY} `, SECRET)],
    ['more than one', `${signatureOf(seconds(), BODY, SECRET)}, sha256=00`],
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
    expect(verify({ secret: '', signature: signatureOf(seconds(), BODY, '') })).toBe('no-secret');
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

  it('is never a message of ours that someone sends back', () => {
    const asked = request('approval', '"answer":"approved"');
    const { payload } = messageOf({ is: 'approval', at: after(0), loop: running(), request: asked }, null);
    expect(verify({ body: JSON.stringify(payload) })).toBe('bad-body');
  });
});
