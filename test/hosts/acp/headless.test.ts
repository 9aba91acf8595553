import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterNamed, hostOf } from '#hosts/tables/adapters.ts';
import { ruleTools } from '#hosts/tables/rules.ts';
import { findProgram } from '#hosts/port/program.ts';
import { acpWords } from '#base/words/acp-host.ts';
import { PASS_PLACE } from '../pass-place.ts';
import { headlessConformance, PASS, replay, type Recorded, streamsIn } from '../headless-conformance.ts';

const adapter = hostOf({ host: 'acp:agent --acp' });
const host = adapter.headless;

/** What the program `acp` wrote, with real agents and the scripted model behind it. */
const recordedAs = streamsIn(import.meta.dirname);
const of = (name: string, outcome: Recorded['outcome']) => recordedAs(name, 0, outcome);

const [GEMINI, KIMI, DENIED, OPENCODE] = [
  of('gemini-stopped', { is: 'stopped', message: 'Still nothing.', toolUsed: false }),
  of('kimi-tools', { is: 'stopped', message: 'Done.', toolUsed: true }),
  of('kimi-denied', { is: 'stopped', message: 'I may not.', toolUsed: true }),
  of('opencode-tools', { is: 'stopped', message: 'There it is.', toolUsed: true }),
] as const;

headlessConformance({
  host,
  // The last one tells a refused key in words alone, which we do not read.
  recorded: [GEMINI, KIMI, DENIED, OPENCODE, of('copilot-401', { is: 'stopped' })],
  disguise: (line, prose) =>
    JSON.stringify(
      JSON.parse(line, (key, value: unknown) =>
        typeof value === 'string' && key === 'text' ? prose : value,
      ),
    ),
});

describe('its stream', () => {
  it('shows commands once their lines are known, and how they ended', () => {
    const { seen } = replay(host, KIMI);
    expect(seen.flatMap((one) => (one.is === 'tool' ? [[one.name, one.summary]] : []))).toEqual([
      ['execute', 'echo HI > a.txt; ls'],
      ['execute', 'exit 3'],
    ]);
    expect(seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []))).toEqual([false, true]);
  });

  it('tells tokens and cost where the agent does, and else nothing', () => {
    expect(replay(host, GEMINI).record.spent).toMatchObject({
      costUsd: null,
      tokens: { input: 100, output: 20 },
    });
    expect(replay(host, OPENCODE).record.spent?.costUsd).toBeCloseTo(0.0004, 6);
    expect(replay(host, KIMI).record.spent).toBeNull();
    expect(replay(host, KIMI).record.context).toEqual({ tokens: 120, window: 100_000 });
  });

  it('lists what was denied', () => {
    expect(replay(host, DENIED).outcome).toMatchObject({
      denied: [{ tool: 'execute', summary: 'touch done.txt' }],
    });
  });
});

describe('its name', () => {
  it.each([
    ['acp:gemini --acp', ['gemini', '--acp']],
    [`acp: a "b c" 'd\\e' f\\ g "h\\"i" ''`, ['a', 'b c', 'd\\e', 'f g', 'h"i', '']],
    ['acp:$(id);x', ['$(id);x']],
    [
      String.raw`acp:C:\bin\a.exe "D:\my dir\x.mjs" \\server\y`,
      ['C:\\bin\\a.exe', 'D:\\my dir\\x.mjs', '\\\\server\\y'],
    ],
    ['acp:', null],
    ['acp:a "b', null],
    ['acp:a\nb', null],
    [`acp:${'x'.repeat(500)}`, null],
    ['gemini', null],
  ])('%j is read without a shell', (name, words) => {
    expect(acpWords(name)).toEqual(words);
    expect(adapterNamed(name)?.name ?? null).toBe(name === 'gemini' || words !== null ? name : null);
  });

  it('gives the command of a pass its words, and the rules the tools of every host', () => {
    const { args } = hostOf({ host: 'acp:agent "two words"' }).headless.command(PASS, PASS_PLACE);
    expect(args.slice(-3)).toEqual(['--', 'agent', 'two words']);
    expect(ruleTools('acp:agent').familyOf('shell')).toBe('shell');
  });

  it('names a program that has to be there', () => {
    const found = findProgram(hostOf({ host: 'acp:no-such-agent --acp' }), { PATH: '/nowhere' });
    expect(found).toMatchObject({ ok: false, code: 'no-host' });
    expect(findProgram(hostOf({ host: `acp:${process.execPath} x` }), {}).ok).toBe(true);
    expect(findProgram(hostOf({ host: 'acp:bin/agent' }), {})).toMatchObject({
      message: 'bin/agent is not a full path.',
      next: expect.stringContaining(`"acp:${resolve('bin/agent')} …"`),
    });
  });
});

it('has no session in a terminal, and nothing to install', () => {
  expect(adapter.program.noSession).toMatchObject({ code: 'no-session-of-acp' });
});
