import { describe, expect, it } from 'vitest';
import { nameOfTarget, readNotify, targetOf } from '#input/config/notify-target.ts';

const kindOf = (text: string) => {
  const read = targetOf(text);
  return read.ok ? read.value.kind : read.code;
};

describe('a target of notifications', () => {
  it.each([
    ['desktop', 'desktop'],
    ['https://example.com/hook', 'webhook'],
    ['http://127.0.0.1:8080', 'webhook'],
    ['https://ntfy.sh/topic', 'ntfy'],
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://discord.com/channels/1', 'webhook'],
    ['ntfy:https://push.example.com/topic', 'ntfy'],
    ['slack:https://chat.example.com/hooks/x', 'slack'],
    ['webhook:https://ntfy.sh/topic', 'webhook'],
  ])('%s is told as %s', (text, kind) => expect(kindOf(text)).toBe(kind));

  it.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'javascript:alert(1)',
    '//example.com',
    'example.com',
    'email',
    '',
    'https://',
    'https://a b.com',
    'https://exa\tmple.com',
    `https://example.com/${'x'.repeat(3_000)}`,
    'https://ntfy.sh/',
    'ntfy:https://ntfy.sh/a/b',
  ])('%j is none', (text) => expect(kindOf(text)).toBe('bad-target'));

  it('a command is refused, with where it belongs', () => {
    const read = readNotify('command:rm -rf ~');
    expect(read).toMatchObject({ ok: false, code: 'notify-command' });
    expect(read.ok || read.next).toContain('config.json');
  });

  it('the name in a message shows no secret', () => {
    const read = targetOf('https://user:word@hooks.slack.com/services/T0/B0/secret?token=x');
    if (!read.ok) throw new Error(read.message);
    expect(nameOfTarget(read.value)).toBe('webhook https://hooks.slack.com');
  });
});
