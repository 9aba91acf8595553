import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_CONFIG, readUserConfig } from '#input/config/user-config.ts';

const read = (value: unknown) =>
  readUserConfig(() => (typeof value === 'string' ? value : JSON.stringify(value)));
const said = (value: unknown) => {
  const config = read(value);
  return config.ok ? 'ok' : `${config.message} ${config.next}`;
};

describe('the config of a user', () => {
  it('is empty where there is none', () => {
    expect(readUserConfig(() => null)).toEqual({ ok: true, value: NO_CONFIG });
    expect(read({})).toEqual({ ok: true, value: NO_CONFIG });
  });

  it('names targets as words or in full', () => {
    const config = read({
      notify: [
        'desktop',
        'https://example.com/hook',
        { type: 'ntfy', url: 'https://push.example.com/topic', token: 'tk_1' },
        { type: 'command', command: 'say.sh', events: ['completed'] },
      ],
      notifySecret: 'a secret of some length',
      notifyEvents: ['stuck', 'escalated'],
      callbackUrl: 'https://dacapo.example.com',
    });
    expect(config).toEqual({
      ok: true,
      value: {
        notify: [
          { target: { kind: 'desktop' }, events: null },
          { target: { kind: 'webhook', url: 'https://example.com/hook' }, events: null },
          {
            target: { kind: 'ntfy', url: 'https://push.example.com/topic', token: 'tk_1' },
            events: null,
          },
          { target: { kind: 'command', command: 'say.sh' }, events: ['completed'] },
        ],
        events: ['stuck', 'escalated'],
        secret: 'a secret of some length',
        callbackUrl: 'https://dacapo.example.com/',
        rules: NO_CONFIG.rules,
      },
    });
  });

  it('says what validation rules may use', () => {
    const config = read({ rules: { commands: ['npm test'] } });
    expect(config.ok && config.value.rules).toEqual({ commands: ['npm test'] });
  });

  it('names prices of models', () => {
    expect(read({ prices: { 'my/model:1': { input: 1, cachedInput: 0.1, output: 5 } } }).ok).toBe(true);
    expect(read({ prices: { m: { input: '1', output: 5 } } })).toMatchObject({
      ok: false,
      message: expect.stringContaining('prices.m.input'),
      next: expect.stringContaining('US dollars for a million tokens'),
    });
  });

  it('is refused if it can not be read', () => {
    const config = readUserConfig(() => readFileSync(import.meta.dirname, 'utf8'));
    expect(config).toMatchObject({ ok: false, message: "config.json can't be read (EISDIR)." });
  });

  it.each([
    ['{', 'config.json is not JSON.'],
    [[], 'config.json is a list. It must be an object.'],
    [{ notifi: [] }, 'notifi is not a field of config.json. Did you mean notify?'],
    [
      { notify: 'desktop' },
      'notify is "desktop". It must be a list of at most 20 targets, such as ["desktop"].',
    ],
    [{ notify: ['desktop', 'gopher://x'] }, 'notify[1] takes desktop or an address'],
    [{ notify: ['command:x'] }, 'notify[0] takes no command. Name it in config.json'],
    [{ notify: [{ type: 'emial' }] }, 'notify[0].type is "emial", which is not the type of a target.'],
    [{ notify: [{ type: 'slak' }] }, 'Did you mean slack? Known types: desktop,'],
    [{ notify: [{ type: 'webhook' }] }, 'notify[0].url is missing. It must be an address such as "https:'],
    [{ notify: [{ type: 'webhook', url: 'x' }] }, 'notify[0].url is "x". It must be an address'],
    [{ notify: [{ type: 'ntfy', url: 'https://ntfy.sh/' }] }, 'It must be an address with one topic'],
    [
      { notify: [{ type: 'desktop', url: 'https://x.y' }] },
      'notify[0].url is not a field of a target of type',
    ],
    [{ notify: [{ type: 'command', command: ' ' }] }, 'notify[0].command is " ". It must be a command'],
    [{ notify: [{ type: 'desktop', events: ['end'] }] }, 'notify[0].events[0] is "end". It must be '],
    [
      { notify: [{ type: 'ntfy', url: 'https://ntfy.sh/t', token: 'a\nb' }] },
      'notify[0].token does not fit.',
    ],
    [{ notify: [7] }, 'notify[0] is 7. It must be "desktop", a URL, or {"type": …}.'],
    [{ notify: Array(21).fill('desktop') }, 'notify has 21 entries. It must be a list of at most 20 targets'],
    [{ notifySecret: 'short' }, 'notifySecret does not fit. It must be a text of at least 16 characters.'],
    [{ notifyEvents: 'all' }, 'notifyEvents is "all". It must be a list of events: '],
    [{ quietHours: '22:00-07:00' }, 'quietHours is not a field of config.json.'],
    [{ callbackUrl: 'dacapo' }, 'callbackUrl is "dacapo". It must be an address'],
    [{ rules: [] }, 'rules is a list. It must be an object.'],
    [
      { rules: { command: [] } },
      'rules.command is not a field of rules in config.json. Did you mean commands?',
    ],
    [{ rules: { custom: {} } }, 'rules.custom is not a field of rules in config.json.'],
    [{ rules: { commands: 'npm test' } }, 'rules.commands is "npm test". It must be a list of commands'],
    [{ rules: { commands: ['npm test', 7] } }, 'rules.commands[1] is 7. It must be a command'],
  ])('%j is refused: %s', (value, words) => expect(said(value)).toContain(words));

  it('a secret that does not fit is not repeated', () => {
    expect(said({ notifySecret: 'my own' })).not.toContain('my own');
    const target = { type: 'ntfy', url: 'https://ntfy.sh/t', token: 'my own' };
    expect(said({ notify: [target] })).not.toContain('my own');
  });
});
