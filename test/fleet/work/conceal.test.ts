import { describe, expect, it } from 'vitest';
import { concealer } from '#fleet/driven/conceal.ts';

const PEM =
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nzRkQKxJ8uVbW1s6VtK0C9yYw\n-----END PRIVATE KEY-----\n';
const TOKEN = 'tok_0123456789abcdefghijklmnop';
const conceal = concealer({
  DEPLOY_KEY: PEM,
  API_TOKEN: TOKEN,
  SHORT_KEY: 'abc',
  PATH: '/usr/bin/elsewhere',
});
const sent = (text: string): unknown => JSON.parse(conceal(JSON.stringify({ text }))).text;
const BODY = /MIIEvQIBADAN|zRkQKxJ8uVbW|K0C9yYw/;

describe('the keys of a worker', () => {
  it('leave as their names', () => {
    expect(sent(`with ${TOKEN}.`)).toBe('with [API_TOKEN].');
    expect(sent(PEM)).not.toMatch(BODY);
  });

  it.each([
    JSON.stringify({ key: PEM }),
    JSON.stringify(JSON.stringify({ key: PEM })),
    PEM.replaceAll('\n', '\r\n'),
  ])('of several lines, inside JSON %#', (text) => expect(sent(text)).not.toMatch(BODY));

  it('where the text was cut within one', () => {
    expect(sent(`output: ${TOKEN.slice(0, 20)}`)).toBe('output: [API_TOKEN]');
    expect(sent(`${TOKEN.slice(9)} and more`)).toBe('[API_TOKEN] and more');
    expect(sent(`${TOKEN.slice(0, 15)}\n[900 characters left out]\n${TOKEN.slice(-14)}`)).toBe(
      '[API_TOKEN]\n[900 characters left out]\n[API_TOKEN]',
    );
  });

  it('and nothing else is touched', () => {
    const text = 'abc /usr/bin/elsewhere tok_ -----';
    expect(sent(text)).toBe(text);
  });
});
