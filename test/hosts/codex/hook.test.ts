import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '#hosts/codex/hook.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { hostConformance } from '../conformance.ts';
import { FAMILY } from '../family-bench.ts';
import { AFTER, BEFORE, countOf, ledgerOf, SINCE } from '../transcript-rows.ts';
import { PATCH, PAYLOADS } from './payloads.ts';

hostConformance({ host: codex, env: {}, payloads: PAYLOADS, ...FAMILY });

function heard(payload: object) {
  const arrival = codex.readArrival(payload, {});
  if (arrival === null) throw new Error('not heard');
  return arrival;
}

describe('what breaks Codex', () => {
  const stop = heard(PAYLOADS.stop);
  const words = { toAgent: 'Go on.', toPerson: 'Iteration 2.' };

  it('a stop that goes on has a decision and a reason, and not a key more', () => {
    const { stdout, exit } = codex.encode({ is: 'continue', iteration: { n: 2, of: null }, ...words }, stop);
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'Go on.' });
    expect(exit).toBe(0);
  });

  it('a refused call never says continue: false, with which Codex uses the tool after all', () => {
    const { stdout } = codex.encode({ is: 'deny', ends: true, ...words }, heard(PAYLOADS.tool));
    expect(JSON.parse(stdout)).not.toHaveProperty('continue');
  });
});

describe('a stop', () => {
  it('is of the turn that its prompt began, and names the last message', () => {
    const stop = heard(PAYLOADS.stop);
    expect(stop).toMatchObject({ is: 'stop', message: 'done it' });
    expect(stop.from.prompt).toBe(heard(PAYLOADS.prompt).from.prompt);
  });

  const rollout = (...rows: object[]) => {
    const path = join(temporaryFolder(), 'rollout-x.jsonl');
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const arrival = heard({ ...PAYLOADS.stop, model: 'gpt-5.4', transcript_path: path });
    if (arrival.is !== 'stop') throw new Error('no stop');
    return arrival;
  };
  const call = (at: string) => ({ timestamp: at, type: 'response_item', payload: { type: 'function_call' } });
  const total = (at: string, total_tokens: number, more: object = { input_tokens: 1 }) => ({
    timestamp: at,
    type: 'event_msg',
    payload: { type: 'token_count', info: { total_token_usage: { ...more, total_tokens } } },
  });

  it('shows a tool call of this loop, and no earlier one', () => {
    const from = { offset: 0, waiting: 0 };
    expect(rollout(call(AFTER)).look(from, SINCE)).toMatchObject({ toolUsed: true });
    expect(rollout(call(BEFORE)).look(from, SINCE)).toMatchObject({ toolUsed: false });
  });

  it('counts the tokens of the loop, not those that the session used before, nor any twice', async () => {
    const ledger = ledgerOf();
    const first = rollout(total(BEFORE, 100), total(AFTER, 160));
    expect(await countOf(first, { ledger })).toMatchObject({ used: { tokens: 60 } });
    const next = rollout(total(BEFORE, 100), total(AFTER, 160), total(AFTER, 200));
    expect(await countOf(next, { ledger })).toMatchObject({ used: { tokens: 40 } });
  });

  it('is estimated at the price of the model that the payload names', async () => {
    const usage = { input_tokens: 3_000_000, cached_input_tokens: 1_000_000, output_tokens: 100_000 };
    const stop = rollout(total(AFTER, 3_100_000, usage));
    // Of gpt-5.4: 2 at $2.50, 1 at $0.25, 0.1 at $15.
    expect(await countOf(stop)).toEqual({
      used: { costUsd: expect.closeTo(6.75, 9), tokens: 3_100_000, estimated: true },
      note: null,
    });
  });
});

it('a patch writes each of its files', () => {
  const arrival = heard({ ...PAYLOADS.tool, tool_name: 'apply_patch', tool_input: { command: PATCH } });
  const acts = arrival.is === 'tool' ? arrival.acts() : [];
  expect(acts.map((act) => act.is === 'write' && act.path)).toEqual(['b.txt', 'c.txt', 'd.txt']);
});
