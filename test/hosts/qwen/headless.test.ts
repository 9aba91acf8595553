import { PASS_PLACE } from '../pass-place.ts';
import { describe, expect, it } from 'vitest';
import { qwenAdapter } from '#hosts/qwen/adapter.ts';
import { readRow } from '#hosts/qwen/stream.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';

const host = qwenAdapter.headless;

/** What its real program wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });

/**
 * Qwen has no field for a status: it stands at the beginning of its words. What follows is what the service
 * said.
 */
const OWN_WORDS = /^\[API Error: \d{3}/;

function disguise(line: string, prose: string): string {
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) => {
      if (typeof value !== 'string' || !['text', 'message', 'content', 'result'].includes(key)) return value;
      return `${OWN_WORDS.exec(value)?.[0] ?? ''} ${prose}`.trimStart();
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

it('names the session, the model, the fallback, the mode and the tools', () => {
  const pass = { ...PASS, model: 'm', fallbackModel: 'f', permissionMode: 'yolo', allowedTools: ['a', 'b'] };
  expect(host.command(pass, PASS_PLACE).args).toEqual([
    '--output-format',
    'stream-json',
    '--session-id',
    PASS.session,
    '--allowed-tools=a',
    '--allowed-tools=b',
    '--model=m',
    '--fallback-model=f',
    '--approval-mode',
    'yolo',
  ]);
});

describe('its stream', () => {
  it('shows commands and how they ended, and the tokens of the session', () => {
    const { seen, record } = replay(host, TOOLS);
    const tools = seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []));
    expect(tools).toEqual(['echo HI > a.txt; ls', 'exit 3']);
    const failed = seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []));
    expect(failed).toEqual([false, true]);
    expect(record.spent?.tokens).toEqual({ input: 270, output: 60, cacheRead: 40, cacheWrite: 0 });
    expect(record).toMatchObject({ model: 'scripted', version: '0.24.4', permissionMode: 'yolo' });
  });

  it('keeps a subagent apart', () => {
    const line = {
      type: 'assistant',
      parent_tool_use_id: 'p',
      message: { content: [{ type: 'text', text: 'x' }] },
    };
    expect(host.openStream().read(JSON.stringify(line))).toMatchObject([{ is: 'subagent', of: 'p' }]);
  });
});

it('reads the rows of a transcript', () => {
  const row = (type: string, ...parts: object[]) => readRow({ type, uuid: 'u', message: { parts } });
  const call = { functionCall: { id: 'c', name: 'run_shell_command', args: { command: 'ls' } } };
  expect(row('assistant', { text: 'Look.' }, call)).toMatchObject([
    { is: 'text', text: 'Look.' },
    { is: 'tool', id: 'c', summary: 'ls' },
  ]);
  const answer = { functionResponse: { id: 'c', response: { output: 'HI' } } };
  expect(row('tool_result', answer)).toMatchObject([
    { is: 'tool-outcome', id: 'c', failed: false, text: 'HI' },
  ]);
  expect(row('user', { text: 'Make it' })).toEqual([{ is: 'other' }]);
});
