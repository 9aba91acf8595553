import { PASS_PLACE } from '../pass-place.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { droidAdapter } from '#hosts/droid/adapter.ts';
import { readRow } from '#hosts/droid/stream.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';
import { rowOf } from './payloads.ts';

const host = droidAdapter.headless;

/** What its real program wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });

/** It has no field for a status, which stands before the words of the service. */
function disguise(line: string, prose: string): string {
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) => {
      if (typeof value !== 'string' || !['text', 'message', 'value', 'finalText'].includes(key)) return value;
      return `${/^\d{3} /.exec(value)?.[0] ?? ''}${prose}`;
    }),
  );
}

headlessConformance({
  host,
  recorded: [
    of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    of('401', 1, { is: 'fatal', kind: 'auth' }),
    of('403', 1, { is: 'fatal', kind: 'permission' }),
    of('404', 1, { is: 'fatal', kind: 'model' }),
    of('400', 1, { is: 'fatal', kind: 'config' }),
  ],
  disguise,
});

it('goes on in a fork, with the model and the mode, and brings the guard along', () => {
  const { args } = host.command(
    { ...PASS, resume: 'earlier', model: 'm', permissionMode: 'high' },
    PASS_PLACE,
  );
  expect(args.slice(0, 4)).toEqual(['exec', '-o', 'stream-json', '--settings']);
  expect(args.slice(5)).toEqual(['--fork', 'earlier', '--model=m', '--auto', 'high']);
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

  it('that ends in an answer after an error did not fail', () => {
    const error = JSON.stringify({ type: 'error', source: 'agent_loop', message: '429 busy' });
    const [first = '', ...rest] = TOOLS.lines;
    expect(replay(host, { lines: [first, error, ...rest], exit: 0 }).outcome).toMatchObject({
      is: 'stopped',
    });
  });
});

it('what a session has used is told beside its record, that of subagents with it', () => {
  const home = temporaryFolder();
  const folder = join(home, '.factory', 'sessions', '-project');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 's1.jsonl'), '');
  const usage = { inputTokens: 700, outputTokens: 140, cacheReadTokens: 40 };
  writeFileSync(join(folder, 's1.settings.json'), JSON.stringify({ inclusiveTokenUsage: usage }));
  expect(host.spentSince?.('s1', '', { HOME: home })?.tokens).toMatchObject({
    input: 700,
    output: 140,
    cacheRead: 40,
  });
  expect(host.spentSince?.('unknown', '', { HOME: home })?.tokens).toMatchObject({ input: 0 });
});

it('reads the rows of a transcript', () => {
  expect(readRow(rowOf('a', 'assistant', 'Look.', ''))).toMatchObject([{ is: 'text', text: 'Look.' }]);
  expect(readRow(rowOf('u', 'user', 'Make it.', ''))).toEqual([]);
});

it('a file for hooks alone shadows those that init writes, and doctor says so', () => {
  const home = temporaryFolder();
  const place = { project: join(home, 'project'), env: { HOME: home }, platform: 'linux' };
  const order = { scope: 'user', place, plugin: join(home, 'plugin') } as const;
  const more = { cap: false, statusLine: false, home: join(home, 'dacapo'), exclude: null };
  const plan = droidAdapter.settings.planInstall({ ...order, ...more });
  if (plan.ok) plan.apply();
  const ids = () => droidAdapter.settings.registrationFindings(place).map(({ id }) => id);
  expect(ids()).not.toContain('shadowed');
  writeFileSync(join(home, '.factory', 'hooks.json'), '{}');
  expect(ids()).toContain('shadowed');
});
