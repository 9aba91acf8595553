import { PASS_PLACE } from '../pass-place.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilotAdapter } from '#hosts/copilot/adapter.ts';
import { readRow } from '#hosts/copilot/stream.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';
import { AFTER, BEFORE, SINCE } from '../transcript-rows.ts';

const host = copilotAdapter.headless;

/** What its real program wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });
const AUTH = of('401', 1, { is: 'fatal', kind: 'auth' });
const DENIED = of('denied', 0, { is: 'stopped', message: 'Done.', toolUsed: true });
const LIMITED = of('429', 1, { is: 'transient', status: 429 });

function disguise(line: string, prose: string): string {
  const written = ['content', 'detailedContent', 'message', 'errorMessage'];
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) =>
      typeof value === 'string' && written.includes(key) && value !== '' ? prose : value,
    ),
  );
}

headlessConformance({
  host,
  recorded: [
    of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    DENIED,
    AUTH,
    of('403', 1, { is: 'fatal', kind: 'auth' }),
    of('404', 1, { is: 'fatal', kind: 'model' }),
    of('400', 1, { is: 'fatal', kind: 'config' }),
    LIMITED,
  ],
  disguise,
});

it('goes on in a session, with the model, the tools and the mode, and brings the guard along', () => {
  const asked = {
    resume: 'earlier',
    model: 'm',
    permissionMode: 'allow-all',
    allowedTools: ['shell(npm:*)'],
  };
  const { args } = host.command({ ...PASS, ...asked }, PASS_PLACE);
  expect(args.slice(2, 5)).toEqual(['--session-id', 'earlier', '--plugin-dir']);
  expect(args.slice(6)).toEqual(['--allow-tool=shell(npm:*)', '--model=m', '--allow-all']);
  expect(host.command({ ...PASS, permissionMode: 'write' }, PASS_PLACE).args.at(-1)).toBe(
    '--allow-tool=write',
  );
});

describe('permissions without a person', () => {
  const place = { project: '/project', platform: 'linux' };

  it('are to edit, unless the person allows everything', () => {
    expect(host.unattendedMode({ ...place, env: {} })).toBe('write');
    for (const on of ['true', '1', 'yes'])
      expect(host.unattendedMode({ ...place, env: { COPILOT_ALLOW_ALL: on } })).toBeNull();
    for (const off of ['', 'false', ' Off '])
      expect(host.unattendedMode({ ...place, env: { COPILOT_ALLOW_ALL: off } })).toBe('write');
  });

  it('that allow no command are told of', () => {
    const level = (permissionMode: string | null) =>
      host
        .preflight({ ...place, env: {}, program: '/nowhere', uid: 1, pass: { ...PASS, permissionMode } })
        .find(({ id }) => id === 'permissions')?.level;
    expect([level('write'), level('allow-all'), level(null)]).toEqual(['warning', 'ok', 'ok']);
  });
});

describe('its stream', () => {
  it('shows commands and how they ended', () => {
    const { seen } = replay(host, TOOLS);
    expect(seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []))).toEqual([
      'echo HI > a.txt; ls',
      'exit 3',
    ]);
    expect(seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []))).toEqual([false, true]);
  });

  it('names what was denied because nobody was there, and leaves out what a hook refused', () => {
    const one = { tool: 'bash', summary: 'echo HI > a.txt' };
    expect(replay(host, DENIED).record.denied).toMatchObject([one]);
    const refused = (line: string) => line.replace('Permission denied', 'Denied by preToolUse hook: no');
    expect(replay(host, { ...DENIED, lines: DENIED.lines.map(refused) }).record.denied).toEqual([]);
  });

  it('says at the first failure that no retry can fix a key that is not accepted', () => {
    const retry = replay(host, AUTH).seen.find(({ is }) => is === 'retry');
    expect(retry).toMatchObject({ attempt: 1, status: 401, hopeless: 'auth' });
  });

  it.each([
    ['the limit of an account', { errorCode: 'user_weekly_rate_limited' }, { is: 'limit' }],
    ['a used-up quota', { errorType: 'quota', errorCode: 'quota_exceeded' }, { is: 'limit' }],
    ['no billing', { errorType: 'quota', errorCode: 'billing_not_configured' }, { kind: 'billing' }],
  ])('knows %s', (_what, fields, outcome) => {
    const told = (line: string) => {
      const value = JSON.parse(line) as { type: string; data: object };
      return JSON.stringify(
        value.type === 'session.error' ? { ...value, data: { ...value.data, ...fields } } : value,
      );
    };
    expect(replay(host, { ...LIMITED, lines: LIMITED.lines.map(told) }).outcome).toMatchObject(outcome);
  });

  it('keeps a subagent apart', () => {
    const row = { type: 'assistant.message', data: { content: 'x' }, agentId: 'a' };
    expect(readRow(row)).toMatchObject([{ is: 'subagent', of: 'a' }]);
  });
});

it('its record tells what a pass has used', () => {
  const home = temporaryFolder();
  const folder = join(home, '.copilot', 'session-state', 's1');
  mkdirSync(folder, { recursive: true });
  const row = (usageId: string, timestamp: string) => ({
    type: 'session.usage_record',
    data: { usage: { model: 'm', inputTokens: 100, outputTokens: 20, accounting: { usageId } } },
    timestamp,
  });
  const rows = [row('a', BEFORE), row('b', AFTER), row('c', AFTER)].map((one) => JSON.stringify(one));
  writeFileSync(join(folder, 'events.jsonl'), rows.join('\n'));
  expect(host.spentSince?.('s1', SINCE, { HOME: home })?.tokens).toMatchObject({ input: 200, output: 40 });
  expect(host.spentSince?.('unknown', SINCE, { HOME: home })?.tokens).toMatchObject({ input: 0 });
});
