import { PASS_PLACE } from '../pass-place.ts';
import { describe, expect, it } from 'vitest';
import { piAdapter } from '#hosts/pi/adapter.ts';
import { readMessage } from '#hosts/pi/stream.ts';
import { headlessConformance, PASS, replay, type Recorded, streamsIn } from '../headless-conformance.ts';

const host = piAdapter.headless;

/**
 * What its real program wrote, with the scripted model behind it. It exits with 0 whatever the model answers.
 */
const recordedAs = streamsIn(import.meta.dirname);
const of = (name: string, outcome: Recorded['outcome']) => recordedAs(name, 0, outcome);

const TOOLS = of('tools', { is: 'stopped', message: 'Done.', toolUsed: true });

headlessConformance({
  host,
  recorded: [
    of('stopped', { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    of('401', { is: 'fatal', kind: 'auth' }),
    of('403', { is: 'fatal', kind: 'permission' }),
    of('404', { is: 'fatal', kind: 'model' }),
    of('400', { is: 'fatal', kind: 'config' }),
    of('429', { is: 'transient', status: 429 }),
    of('500', { is: 'transient', status: 500 }),
  ],
  disguise: (line, prose) =>
    JSON.stringify(
      JSON.parse(line, (key, value: unknown) =>
        typeof value === 'string' && key === 'text' ? prose : value,
      ),
    ),
});

it('names the session, the model and the tools, and brings the guard along', () => {
  const { args } = host.command(
    { ...PASS, resume: 's', model: 'm', allowedTools: ['read', 'bash'] },
    PASS_PLACE,
  );
  expect(args.slice(0, 3)).toEqual(['--mode', 'json', '--extension']);
  expect(args.slice(4)).toEqual(['--session', 's', '--model', 'm', '--tools', 'read,bash']);
});

describe('its stream', () => {
  const answer = (stopReason: string, more = {}) => {
    const usage = { input: 100, output: 20, cacheRead: 10, cacheWrite: 5, cost: { total: 0.5 } };
    return JSON.stringify({
      type: 'message_end',
      message: { role: 'assistant', content: [], responseId: stopReason, usage, stopReason, ...more },
    });
  };

  it('shows commands and how they ended, and the tokens of the pass', () => {
    const { seen, record } = replay(host, TOOLS);
    const tools = seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []));
    expect(tools).toEqual(['echo HI > a.txt; ls', 'exit 3']);
    expect(seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []))).toEqual([false, true]);
    expect(record.spent?.tokens).toEqual({ input: 270, output: 60, cacheRead: 30, cacheWrite: 0 });
  });

  it('tells the price of all answers, also of a pass that was cut off', () => {
    const lines = [answer('toolUse'), answer('stop')];
    expect(replay(host, { lines, exit: 0 }).record.spent?.costUsd).toBe(1);
    const { reckoned } = replay(host, { lines: lines.slice(0, 1), exit: null, signal: 'SIGKILL' }).record;
    expect(reckoned.last?.costUsd).toBe(0.5);
  });

  it.each([
    ['an answer of Google', '{"error":{"code":403,"message":"no"}}', { is: 'fatal', kind: 'permission' }],
    [
      'a usage limit',
      'You have hit your ChatGPT usage limit (plus plan). Try again in ~5 min.',
      { is: 'limit' },
    ],
    ['a network that is gone', 'Connection error.', { is: 'transient', status: null }],
  ])('knows %s', (_name, errorMessage, outcome) => {
    expect(replay(host, { lines: [answer('error', { errorMessage })], exit: 0 }).outcome).toMatchObject(
      outcome,
    );
  });
});

it('a model that it does not know needs a person, although the session has begun', () => {
  const lines = ['{"type":"session","id":"s1"}'];
  const outcome = replay(host, { lines, exit: 1, stderr: 'No API key found for anthropic.' }).outcome;
  expect(outcome).toEqual({ is: 'fatal', kind: 'config', why: 'No API key found for anthropic.' });
});

it('reads the rows of a transcript', () => {
  const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } };
  const content = [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Look.' }, call];
  expect(readMessage({ role: 'assistant', content })).toMatchObject([
    { is: 'text', text: 'Look.' },
    { is: 'tool', id: 'c', name: 'bash', summary: 'ls' },
  ]);
  expect(readMessage({ role: 'toolResult', toolCallId: 'c', content: [{ text: 'a' }] })).toMatchObject([
    { is: 'tool-outcome', id: 'c', failed: false, text: 'a' },
  ]);
  expect(readMessage({ role: 'user', content })).toEqual([{ is: 'other' }]);
});
