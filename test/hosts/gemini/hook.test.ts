import { describe, expect, it } from 'vitest';
import { gemini } from '#hosts/gemini/hook.ts';
import { hostConformance } from '../conformance.ts';
import { FAMILY } from '../family-bench.ts';
import { AFTER, BEFORE, countOf, SINCE, stopWith } from '../transcript-rows.ts';
import { ENV, PAYLOADS } from './payloads.ts';

hostConformance({ host: gemini, env: ENV, payloads: PAYLOADS, ...FAMILY });

const FILE = 'session-2026-11-17T06-38-3f0f5a3e.jsonl';
const row = (timestamp: string, id: string, content: string, total: number, more = {}) => ({
  id,
  timestamp,
  type: 'gemini',
  content,
  tokens: { input: 1, output: 1, total },
  ...more,
});

describe('its last message', () => {
  const said = async (all: string, ...answers: string[]) => {
    const rows = answers.map((content, at) => row(AFTER, `r${at}`, content, 1));
    const stop = stopWith(gemini, { ...PAYLOADS.stop, prompt_response: all }, FILE, rows);
    return (await stop.rest?.())?.message;
  };

  it('is the last answer, not all of the chain: an earlier promise does not count again', async () => {
    const [promise, last] = ['<promise>DONE</promise>', 'Not yet.\nI go on.'];
    expect(await said(`${promise}\n${last}`, promise, last)).toBe(last);
  });

  it('is the last line where the transcript does not show the answer', async () => {
    expect(await said('One.\nTwo.', 'Another.')).toBe('Two.');
    expect(await said('One.\nTwo.')).toBe('Two.');
  });
});

describe('a turn that its loop detector has cut', () => {
  const detected = {
    id: 'd',
    timestamp: AFTER,
    type: 'user',
    content: [{ text: 'System: Potential loop detected. Details: …' }],
  };
  const failedIn = async (...rows: object[]) =>
    (await stopWith(gemini, PAYLOADS.stop, FILE, [...rows, { $set: { messages: [] } }]).rest?.())?.failed;

  it('has failed: each continue would be cut as well, and spend an iteration', async () => {
    expect(await failedIn(row(AFTER, 'r', 'The same.', 1), detected)).toMatchObject({
      error: 'loop_detected',
      fatal: null,
    });
  });

  it('has not failed where the model has answered since', async () => {
    expect(await failedIn(detected, row(AFTER, 'r', 'Another way.', 1))).toBeNull();
  });
});

describe('a chain', () => {
  const words = { toAgent: 'Go on.', toPerson: 'Iteration 2.' };
  const stop = gemini.readArrival(PAYLOADS.stop, ENV);

  it('is known by its prompt, which every stop repeats', () => {
    expect(stop?.from.prompt).toBe(gemini.readArrival(PAYLOADS.prompt, ENV)?.from.prompt);
    const other = gemini.readArrival({ ...PAYLOADS.prompt, prompt: 'Another.' }, ENV);
    expect(stop?.from.prompt).not.toBe(other?.from.prompt);
  });

  it('does not take our own words for a prompt of the person, which would pause the loop', () => {
    if (stop === null) throw new Error('not heard');
    const { stdout } = gemini.encode({ is: 'continue', iteration: { n: 2, of: null }, ...words }, stop);
    const { reason } = JSON.parse(stdout) as { reason: string };
    expect(gemini.readArrival({ ...PAYLOADS.prompt, prompt: reason }, ENV)).toBeNull();
  });

  it('a refused call is a decision: the host knows no permissionDecision', () => {
    const tool = gemini.readArrival(PAYLOADS.tool, ENV);
    if (tool === null) throw new Error('not heard');
    const { stdout } = gemini.encode({ is: 'deny', ends: true, ...words }, tool);
    expect(JSON.parse(stdout)).toEqual({ decision: 'deny', reason: 'Go on.' });
  });
});

describe('its transcript', () => {
  const calls = { toolCalls: [{ id: 'c', name: 'run_shell_command' }] };

  it('shows a tool call of this loop, and no earlier one', () => {
    const from = { offset: 0, waiting: 0 };
    const used = (at: string) =>
      stopWith(gemini, PAYLOADS.stop, FILE, [row(at, 'r', '', 1, calls)]).look(from, SINCE).toolUsed;
    expect([used(AFTER), used(BEFORE)]).toEqual([true, false]);
  });

  it('counts an answer once, although one with calls is written twice', async () => {
    const rows = [row(BEFORE, 'a', '', 100), row(AFTER, 'b', '', 60), row(AFTER, 'b', '', 60, calls)];
    const stop = stopWith(gemini, PAYLOADS.stop, FILE, rows);
    expect(await countOf(stop)).toMatchObject({ used: { tokens: 60 } });
  });

  it('is estimated at the price of the model of each answer, thoughts with it', async () => {
    const tokens = { input: 1_000_000, cached: 400_000, output: 100_000, thoughts: 50_000, total: 1_150_000 };
    const rows = ['gemini-2.5-flash', 'gemini-2.5-pro'].map((model) =>
      row(AFTER, model, '', 0, { tokens, model }),
    );
    const flash = 0.6 * 0.3 + 0.4 * 0.03 + 0.15 * 2.5;
    const pro = 0.6 * 1.25 + 0.4 * 0.125 + 0.15 * 10;
    const counted = await countOf(stopWith(gemini, PAYLOADS.stop, FILE, rows));
    expect(counted?.used?.costUsd).toBeCloseTo(flash + pro, 9);
  });
});
