import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_CONFIG, readUserConfig } from '../../../src/flags/user-config/user-config.ts';

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
    const config = read({
      rules: { commands: ['npm test'], custom: { there: { type: 'file-exists', file: 'a' } } },
    });
    expect(config.ok && config.value.rules).toEqual({
      commands: ['npm test'],
      custom: new Map([['there', { name: 'there', type: 'file-exists', file: 'a' }]]),
    });
  });

  it('is refused if it can not be read', () => {
    const config = readUserConfig(() => readFileSync(import.meta.dirname, 'utf8'));
    expect(config).toMatchObject({ ok: false, message: "config.json can't be read (EISDIR)." });
  });

  it.each([
    ['{', 'config.json is no JSON.'],
    [[], 'config.json is no object.'],
    [{ notifi: [] }, 'notifi is no field of config.json. Did you mean notify?'],
    [{ notify: 'desktop' }, 'notify is no list.'],
    [{ notify: ['desktop', 'gopher://x'] }, 'notify[1] takes desktop or an address'],
    [{ notify: [{ type: 'email' }] }, 'notify[0].type is none of desktop'],
    [{ notify: [{ type: 'webhook' }] }, 'notify[0].url is no text.'],
    [{ notify: [{ type: 'webhook', url: 'x' }] }, 'notify[0].url takes desktop or an address'],
    [{ notify: [{ type: 'desktop', url: 'https://x.y' }] }, 'notify[0].url is no field of config.json.'],
    [{ notify: [{ type: 'command', command: ' ' }] }, 'notify[0].command is no text.'],
    [{ notify: [{ type: 'desktop', events: ['end'] }] }, 'notify[0].events[0] is no event.'],
    [{ notify: [{ type: 'ntfy', url: 'https://ntfy.sh/t', token: 'a\nb' }] }, 'notify[0].token is no token.'],
    [{ notify: [7] }, 'notify[0] is no target.'],
    [{ notify: Array(21).fill('desktop') }, 'notify has more than 20 targets.'],
    [{ notifySecret: 'short' }, 'notifySecret is no text of at least 16 characters.'],
    [{ notifyEvents: 'all' }, 'notifyEvents is no list.'],
    [{ quietHours: '22:00-07:00' }, 'quietHours is no field of config.json.'],
    [{ callbackUrl: 'dacapo' }, 'callbackUrl is no address.'],
    [{ rules: [] }, 'rules is no object. Write {"commands": ["npm test"]'],
    [{ rules: { command: [] } }, 'rules.command is no field of config.json. Did you mean commands?'],
    [{ rules: { commands: 'npm test' } }, 'rules.commands is no list.'],
    [{ rules: { commands: ['npm test', 7] } }, 'rules.commands[1] is no text.'],
    [{ rules: { custom: [] } }, 'rules.custom is no object.'],
    [{ rules: { custom: { a: 'npm test' } } }, 'rules.custom.a is no rule.'],
    [{ rules: { custom: { a: { type: 'custom', rule: 'a' } } } }, 'rules.custom.a.type is none of command,'],
    [{ rules: { custom: { a: { type: 'command' } } } }, 'rules.custom.a.command is missing.'],
    [
      { rules: { custom: { a: { type: 'coverage', threshold: 101 } } } },
      'rules.custom.a.threshold does not fit. The rule has the form { type: "coverage", threshold, metric?, file? }.',
    ],
    [
      { rules: { custom: { a: { type: 'pattern', pattern: 'x', flag: 'i' } } } },
      'rules.custom.a.flag is no field of config.json. Did you mean flags?',
    ],
  ])('%j is refused: %s', (value, words) => expect(said(value)).toContain(words));
});
