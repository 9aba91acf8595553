import { describe, expect, test } from 'vitest';
import { EMPTY_RECORD, recordEvent, spentBy } from '#engine/driver/pass/pass-record.ts';
import type { StreamEvent, PassRecord } from '#hosts/port/stream.ts';
import { cpuMs } from '../../../cpu.ts';

function told(...seen: StreamEvent[]): PassRecord {
  return seen.reduce(recordEvent, EMPTY_RECORD);
}

const text = (message: string, words: string): StreamEvent => ({ is: 'text', message, text: words });
const tool: StreamEvent = { is: 'tool', id: 't', name: 'Bash', summary: 'ls' };

describe('the last words', () => {
  test('are those of the last message, all of its blocks', () => {
    expect(told(text('1', 'a'), text('2', 'b'), text('2', 'c')).message).toBe('b\nc');
  });

  test('are not what was said before a tool call: a promise there is not the final message', () => {
    expect(told(text('1', '<promise>DONE</promise>'), tool).message).toBe('');
    expect(told(text('1', 'a'), tool, text('2', 'b')).message).toBe('b');
  });

  test('are never a subagent’s', () => {
    const subagent: StreamEvent = { is: 'subagent', of: 't', event: text('9', '<promise>DONE</promise>') };
    expect(told(text('1', 'mine'), subagent)).toMatchObject({ message: 'mine', toolUsed: false });
  });

  test('keep their end when they are huge', () => {
    const blocks = Array.from({ length: 40 }, () => text('1', 'x'.repeat(100_000)));
    const { message } = told(...blocks, text('1', 'end'));
    expect(message).toMatch(/x\nend$/);
    expect(message.length).toBeLessThanOrEqual(2_000_000);
  });

  test('are put together in no time, however many blocks they come in', async () => {
    const block = text('1', 'x'.repeat(900));
    const took = await cpuMs(() => told(...Array.from({ length: 20_000 }, () => block)));
    expect(took).toBeLessThan(3_000);
  });
});

test('a fault that the host got over is forgotten', () => {
  const fault: StreamEvent = {
    is: 'fault',
    word: 'overloaded',
    type: null,
    code: null,
    status: 529,
    text: '',
  };
  expect(told(fault).fault).toEqual(fault);
  expect(told(fault, text('1', 'on')).fault).toBeNull();
});

const spent = { costUsd: 1, tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
const denied = [{ id: 't1', tool: 'Bash', summary: 'ls' }];
const result: StreamEvent = {
  is: 'result',
  failed: false,
  reason: 'completed',
  subtype: 'success',
  status: null,
  type: null,
  code: null,
  total: spent,
  since: spent,
  window: 200_000,
  turns: 2,
  denied,
  error: null,
};
const init: StreamEvent = {
  is: 'init',
  session: 's',
  model: 'm',
  version: '1',
  permissionMode: 'plan',
  window: null,
};

test('a new turn in the same process takes the result back', () => {
  expect(told(init, result, init).result).toBeNull();
  const all = told(init, result, init, result);
  expect(all).toMatchObject({ turns: 4, spent: { costUsd: 2, tokens: { input: 2 } }, denied });
});

describe('what a pass has cost', () => {
  const usage = (message: string, costUsd: number): StreamEvent => ({
    is: 'usage',
    message,
    spent: { costUsd, tokens: { input: 10 * costUsd, output: 0, cacheRead: 0, cacheWrite: 0 } },
  });

  test('is nobody’s guess where nothing was asked of a model', () => {
    expect(spentBy(told(init))).toBeNull();
  });

  test('is reckoned where the host had no time to say: each message once, with its last figure', () => {
    const all = told(init, usage('1', 1), usage('1', 2), usage('2', 4), usage('2', 5));
    expect(spentBy(all)).toMatchObject({ costUsd: 7, tokens: { input: 70 } });
  });

  test('has that of subagents in it', () => {
    const subagent: StreamEvent = { is: 'subagent', of: 't', event: usage('9', 3) };
    expect(spentBy(told(usage('1', 1), subagent, usage('2', 1)))).toMatchObject({ costUsd: 5 });
  });

  test('is the host’s own figure once that is told', () => {
    expect(spentBy(told(init, usage('1', 8), result))).toEqual(spent);
  });

  test('is both, where a second turn was cut off', () => {
    expect(spentBy(told(init, usage('1', 8), result, init, usage('2', 3)))).toMatchObject({ costUsd: 4 });
  });
});
