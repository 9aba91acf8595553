import { PASS_PLACE } from '../pass-place.ts';
import { describe, expect, it } from 'vitest';
import { geminiAdapter } from '#hosts/gemini/adapter.ts';
import { readRow } from '#hosts/gemini/stream.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';

const host = geminiAdapter.headless;

/** What its real program wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });

function disguise(line: string, prose: string): string {
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) =>
      typeof value === 'string' && ['content', 'message', 'output'].includes(key) ? prose : value,
    ),
  );
}

headlessConformance({
  host,
  recorded: [
    of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    of('401', 145, { is: 'fatal', kind: 'auth' }),
    of('403', 147, { is: 'fatal', kind: 'permission' }),
    of('400', 144, { is: 'fatal', kind: 'config' }),
    of('429', 173, { is: 'transient', status: 429 }),
    of('500', 244, { is: 'transient', status: 500 }),
    // For this one it exits as for anything that it does not know.
    of('404', 1, { is: 'transient', status: null }),
  ],
  disguise,
});

it('names the session, the model, the mode and the tools', () => {
  const pass = { ...PASS, resume: 's', model: 'm', permissionMode: 'auto_edit', allowedTools: ['a'] };
  expect(host.command(pass, PASS_PLACE).args).toEqual([
    '--output-format',
    'stream-json',
    '--resume',
    's',
    '--allowed-tools=a',
    '--model=m',
    '--approval-mode',
    'auto_edit',
  ]);
});

describe('its stream', () => {
  it('shows commands and how they ended, and the tokens of the pass', () => {
    const { seen, record } = replay(host, TOOLS);
    const tools = seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []));
    expect(tools).toEqual(['echo HI > a.txt; ls', 'exit 3']);
    expect(record.spent?.tokens).toEqual({ input: 270, output: 60, cacheRead: 40, cacheWrite: 0 });
    expect(record.model).toBe('gemini-2.5-flash');
  });

  it('puts the parts of a text together', () => {
    const reader = host.openStream();
    const part = (content: string) =>
      JSON.stringify({ type: 'message', role: 'assistant', content, delta: true });
    expect([part('Hel'), part('lo.')].flatMap((line) => reader.read(line))).toMatchObject([
      { is: 'other' },
      { is: 'other' },
    ]);
    expect(reader.read('{"type":"result","status":"success"}')).toMatchObject([
      { is: 'text', text: 'Hello.' },
      { is: 'result' },
    ]);
  });
});

it('a folder that nobody trusts needs a person', () => {
  const stderr = 'Gemini CLI is not running in a trusted directory.';
  expect(replay(host, { lines: [], exit: 55, stderr }).outcome).toEqual({
    is: 'fatal',
    kind: 'config',
    why: stderr,
  });
});

it('reads the rows of a transcript, and the text of an answer once', () => {
  const calls = [
    { id: 'c', name: 'run_shell_command', args: { command: 'ls' }, status: 'success', resultDisplay: 'a' },
  ];
  expect(readRow({ type: 'gemini', id: 'r', content: 'Look.' })).toMatchObject([
    { is: 'text', text: 'Look.' },
  ]);
  expect(readRow({ type: 'gemini', id: 'r', content: 'Look.', toolCalls: calls })).toMatchObject([
    { is: 'tool', id: 'c', summary: 'ls' },
    { is: 'tool-outcome', id: 'c', failed: false, text: 'a' },
  ]);
  expect(readRow({ type: 'user', content: 'Make it' })).toEqual([{ is: 'other' }]);
});
