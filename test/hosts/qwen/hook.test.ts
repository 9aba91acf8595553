import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwen } from '#hosts/qwen/hook.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { hostConformance } from '../conformance.ts';
import { FAMILY } from '../family-bench.ts';
import { AFTER, BEFORE, countOf, ledgerOf, SINCE, stopWith } from '../transcript-rows.ts';
import { ENV, PAYLOADS } from './payloads.ts';

hostConformance({ host: qwen, env: ENV, payloads: PAYLOADS, ...FAMILY });

describe('its cap', () => {
  const capIn = (cwd: string, env: Record<string, string> = {}) => {
    const stop = qwen.readArrival({ ...PAYLOADS.stop, cwd }, { HOME: '/nowhere', ...env });
    return stop?.is === 'stop' ? stop.cap : null;
  };

  it('is eight blocks, of which the last is not carried out, and a tool call does not reset it', () => {
    expect(capIn('/project')).toBe(7);
    expect(qwen.limits.toolResetsCap).toBe(false);
  });

  it('is what the variable or the settings say, and never above a hundred', () => {
    const project = temporaryFolder();
    mkdirSync(join(project, '.qwen'));
    writeFileSync(join(project, '.qwen', 'settings.json'), '{"stopHookBlockingCap": 30}');
    expect(capIn(project)).toBe(29);
    expect(capIn(project, { QWEN_CODE_STOP_HOOK_BLOCK_CAP: '500' })).toBe(99);
    expect(capIn(project, { QWEN_CODE_STOP_HOOK_BLOCK_CAP: 'many' })).toBe(29);
  });
});

it('a refused call and a stop that goes on never say continue: false, with which Qwen goes on', () => {
  const stop = qwen.readArrival(PAYLOADS.stop, ENV);
  if (stop === null) throw new Error('not heard');
  const words = { toAgent: 'Go on.', toPerson: 'Iteration 2.' };
  const { stdout } = qwen.encode({ is: 'continue', iteration: { n: 2, of: null }, ...words }, stop);
  expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'Go on.' });
});

it('a prompt and the empty ones that Qwen sends after each tool call are of one chain', () => {
  const again = qwen.readArrival({ ...PAYLOADS.prompt, prompt: '', submitted_prompt: undefined }, ENV);
  expect(again?.from.prompt).toBe(qwen.readArrival(PAYLOADS.stop, ENV)?.from.prompt);
});

describe('its transcript', () => {
  const FILE = '3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11.jsonl';
  const row = (timestamp: string, uuid: string, part: object, totalTokenCount: number) => ({
    uuid,
    timestamp,
    type: 'assistant',
    message: { role: 'model', parts: [part] },
    usageMetadata: { promptTokenCount: 1, totalTokenCount },
  });
  const call = { functionCall: { id: 'c', name: 'run_shell_command', args: {} } };

  it('shows a tool call of this loop, and no earlier one', () => {
    const from = { offset: 0, waiting: 0 };
    const used = (at: string) =>
      stopWith(qwen, PAYLOADS.stop, FILE, [row(at, 'u', call, 1)]).look(from, SINCE).toolUsed;
    expect([used(AFTER), used(BEFORE)]).toEqual([true, false]);
  });

  it('counts the tokens of the loop, and none twice', async () => {
    const ledger = ledgerOf();
    const rows = [
      row(BEFORE, 'a', call, 100),
      row(AFTER, 'b', call, 60),
      row(AFTER, 'c', { text: 'Done.' }, 20),
    ];
    const count = (upTo: number) =>
      countOf(stopWith(qwen, PAYLOADS.stop, FILE, rows.slice(0, upTo)), { ledger });
    expect(await count(2)).toMatchObject({ used: { tokens: 60 } });
    expect(await count(3)).toMatchObject({ used: { tokens: 20 } });
  });
});
