import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { droid } from '#hosts/droid/hook.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { hostConformance } from '../conformance.ts';
import { FAMILY } from '../family-bench.ts';
import { AFTER, BEFORE, countOf, ledgerOf, SINCE } from '../transcript-rows.ts';
import { ENV, PATCH, PAYLOADS, rowOf } from './payloads.ts';

hostConformance({ host: droid, env: ENV, payloads: PAYLOADS, ...FAMILY });

/** A payload of a session of which these files are there. */
function inSession<P extends object>(
  payload: P,
  rows: readonly object[],
  settings: Record<string, object> = {},
) {
  const folder = temporaryFolder();
  const path = join(folder, `${PAYLOADS.stop.session_id}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  for (const [session, content] of Object.entries(settings))
    writeFileSync(join(folder, `${session}.settings.json`), JSON.stringify(content, null, 2));
  return { ...payload, transcript_path: path };
}

function stopWith(rows: readonly object[], settings?: object) {
  const kept = settings === undefined ? {} : { [PAYLOADS.stop.session_id]: settings };
  const stop = droid.readArrival(inSession(PAYLOADS.stop, rows, kept), ENV);
  if (stop?.is !== 'stop') throw new Error('no stop');
  return stop;
}

describe('a stop', () => {
  const { message_id: id } = PAYLOADS.stop;

  it('names the last message, which the record has', async () => {
    const rows = [rowOf('other', 'assistant', 'Old.', AFTER), rowOf(id, 'assistant', 'Done.', AFTER)];
    expect(await stopWith(rows).rest?.()).toEqual({ message: 'Done.', failed: null });
  });

  it.each([
    ['BYOK Error: 401 scripted 401\n\nUpstream error', 'auth'],
    ['BYOK Error: 429 scripted 429', null],
    ['Something else went wrong, see 401', null],
  ])('of a failed turn is a fault: %j', async (words, fatal) => {
    const rows = [rowOf('other', 'assistant', 'Old.', AFTER), rowOf(id, 'user', words, AFTER)];
    expect(await stopWith(rows).rest?.()).toEqual({
      message: '',
      failed: { error: 'turn_failed', detail: words, fatal },
    });
  });
});

it('a subagent, and one that it started, write for the session that began it all', () => {
  const caller = (callingSessionId: string) => ({ tags: [{ metadata: { callingSessionId } }] });
  const payload = { ...PAYLOADS.tool, session_id: 'inner' };
  const files = { inner: caller('outer'), outer: caller(PAYLOADS.tool.session_id) };
  expect(droid.readArrival(inSession(payload, [], files), ENV)?.from.session).toBe(PAYLOADS.tool.session_id);
});

describe('a call', () => {
  const heard = (payload: object) => {
    const arrival = droid.readArrival(payload, ENV);
    if (arrival?.is !== 'tool') throw new Error('no tool');
    return arrival;
  };

  it('that is a patch writes its files', () => {
    expect(heard(PATCH).acts()).toMatchObject([{ is: 'write', path: '/project/b.txt' }]);
  });

  it('is the same whatever risk the model names', () => {
    const { tool_input: input } = PAYLOADS.tool;
    const other = { ...PAYLOADS.tool, tool_input: { ...input, riskLevel: 'high', summary: 'again' } };
    expect(heard(other).call().exact).toBe(heard(PAYLOADS.tool).call().exact);
  });
});

describe('its record', () => {
  const call = (timestamp: string) => ({
    type: 'message',
    id: 'c',
    timestamp,
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'Execute', input: {} }] },
  });

  it('shows a tool call of this loop, and no earlier one', () => {
    const used = (at: string) => stopWith([call(at)]).look({ offset: 0, waiting: 0 }, SINCE).toolUsed;
    expect([used(AFTER), used(BEFORE)]).toEqual([true, false]);
  });

  const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 20, cacheReadTokens: 40 });

  it('counts the tokens of the session, and none twice', async () => {
    const [ledger, model] = [ledgerOf(), 'claude-opus-4-5-20251101'];
    const count = (input: number, at: string) =>
      countOf(
        stopWith([call(at)], { inclusiveTokenUsage: usage(input), lastCallTokenUsage: usage(10), model }),
        { ledger },
      );
    const first = { tokens: 160, costUsd: expect.closeTo((100 * 5 + 20 * 25 + 40 * 0.5) * 1e-6, 9) };
    expect(await count(100, AFTER)).toMatchObject({ used: first });
    expect(await count(300, AFTER)).toMatchObject({
      used: { tokens: 200, costUsd: expect.closeTo(1e-3, 9) },
    });
  });

  it('that is older than the loop counts from its last request on', async () => {
    const stop = stopWith([call(BEFORE), call(AFTER)], {
      inclusiveTokenUsage: usage(1_000),
      lastCallTokenUsage: usage(10),
    });
    expect(await countOf(stop)).toMatchObject({ used: { tokens: 70 } });
  });
});
