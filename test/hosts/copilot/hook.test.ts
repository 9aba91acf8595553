import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilot } from '#hosts/copilot/hook.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { hostConformance } from '../conformance.ts';
import { FAMILY } from '../family-bench.ts';
import { AFTER, BEFORE, countOf, SINCE } from '../transcript-rows.ts';
import { ENV, PATCH, PAYLOADS, SUBAGENT } from './payloads.ts';

hostConformance({
  host: copilot,
  env: ENV,
  payloads: PAYLOADS,
  ...FAMILY,
  read: (output) => {
    const { additionalContext = '' } = JSON.parse(output.stdout || '{}') as { additionalContext?: string };
    const { toAgent, toPerson } = FAMILY.read(output);
    return { toAgent: toAgent || additionalContext, toPerson };
  },
});

function heard(payload: object) {
  const arrival = copilot.readArrival(payload, ENV);
  if (arrival === null) throw new Error('not heard');
  return arrival;
}

it('its own words come back as a prompt, and are no prompt of a person', () => {
  const words = { toAgent: 'Go on.', toPerson: 'Iteration 2.' };
  const { stdout } = copilot.encode(
    { is: 'continue', iteration: { n: 2, of: null }, ...words },
    heard(PAYLOADS.stop),
  );
  const { reason } = JSON.parse(stdout) as { reason: string };
  expect(copilot.readArrival({ ...PAYLOADS.prompt, prompt: reason }, ENV)).toBeNull();
});

describe('a subagent', () => {
  it('writes for the session that started it, and never stops it', () => {
    expect(heard({ ...PAYLOADS.tool, ...SUBAGENT }).from.session).toBe(PAYLOADS.tool.session_id);
    expect(copilot.readArrival({ ...PAYLOADS.stop, ...SUBAGENT }, ENV)).toBeNull();
    expect(copilot.readArrival({ ...PAYLOADS.prompt, ...SUBAGENT }, ENV)).toBeNull();
  });
});

it('a patch is a write of its files, and can be approved as such', () => {
  const call = heard(PATCH);
  if (call.is !== 'tool') throw new Error('no tool');
  expect(call.acts()).toMatchObject([{ is: 'write', path: 'b.txt' }]);
  expect(call.call().shown).toContain('+hello');
});

describe('its record', () => {
  const row = (type: string, data: object, timestamp: string = AFTER) => ({ type, data, timestamp });
  const answer = (content: string) => row('assistant.message', { content });
  const hook = (at: string) =>
    row('hook.start', { hookType: 'agentStop', input: { timestamp: Date.parse(at) } });
  const lines = (rows: readonly object[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('');

  function stopWith(rows: readonly object[]) {
    const path = join(temporaryFolder(), 'session-state', 's', 'events.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines(rows));
    const stop = heard({ ...PAYLOADS.stop, transcript_path: path });
    if (stop.is !== 'stop') throw new Error('no stop');
    return { path, stop };
  }

  it('is late: the last message is what stands there once it tells of this stop', async () => {
    const earlier = hook('2026-11-17T09:00:00.000Z');
    const { path, stop } = stopWith([answer('Old.'), earlier]);
    const rest = stop.rest?.();
    appendFileSync(path, lines([answer('New.'), { ...answer('Of a subagent.'), agentId: 'a' }]));
    appendFileSync(path, lines([hook(PAYLOADS.stop.timestamp)]));
    expect(await rest).toEqual({ message: 'New.', failed: null });
  });

  it('that never tells of this stop is believed after a while', async () => {
    const { stop } = stopWith([answer('Old.')]);
    expect(await stop.rest?.()).toMatchObject({ message: 'Old.' });
  });

  it('shows a tool call of this loop, and no earlier one', () => {
    const used = (at: string) =>
      stopWith([row('tool.execution_start', {}, at)]).stop.look({ offset: 0, waiting: 0 }, SINCE).toolUsed;
    expect([used(AFTER), used(BEFORE)]).toEqual([true, false]);
  });

  it('counts the tokens of the loop, those of subagents too', async () => {
    const usage = (usageId: string, timestamp: string) =>
      row(
        'session.usage_record',
        { usage: { model: 'm', inputTokens: 100, outputTokens: 20, accounting: { usageId } } },
        timestamp,
      );
    const { stop } = stopWith([
      usage('a', BEFORE),
      usage('b', AFTER),
      { ...usage('c', AFTER), agentId: 'a' },
    ]);
    expect(await countOf(stop)).toEqual({ used: { costUsd: 0, tokens: 240, estimated: true }, note: null });
    // With a limit of money, a model without a price counts like the dearest one, unless the person has named
    // one.
    const dear = await countOf(stop, { maxUsd: 5 });
    expect(dear?.used?.costUsd).toBeCloseTo(2 * (100 * 150 + 20 * 600) * 1e-6, 9);
    expect(dear?.note).toContain('the price of m is not known');
    const config = JSON.stringify({ prices: { m: { input: 1, output: 2 } } });
    const own = await countOf(stop, { maxUsd: 5, config });
    expect(own).toMatchObject({ used: { costUsd: expect.closeTo(280e-6, 9) }, note: null });
  });
});

it('its cap is eight blocks, and a tool call does not reset it', () => {
  expect(heard(PAYLOADS.stop)).toMatchObject({ cap: 8, from: { limits: { toolResetsCap: false } } });
});
