// No reader of a payload is quadratic in one of its fields (U23).
import { describe, expect, it } from 'vitest';
import { otherCaller } from '#hosts/tables/hook-hosts.ts';
import { callerOf } from '#hosts/tables/registry.ts';
import { cpuMs } from '../cpu.ts';
import { PAYLOADS as CLAUDE } from './claude-code/payloads.ts';
import { PAYLOADS as CODEX } from './codex/payloads.ts';
import { PAYLOADS as COPILOT } from './copilot/payloads.ts';
import { PAYLOADS as DROID } from './droid/payloads.ts';
import { PAYLOADS as GEMINI } from './gemini/payloads.ts';
import { PAYLOADS as QWEN } from './qwen/payloads.ts';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { codex } from '#hosts/codex/hook.ts';
import { copilot } from '#hosts/copilot/hook.ts';
import { droid } from '#hosts/droid/hook.ts';
import { gemini } from '#hosts/gemini/hook.ts';
import { qwen } from '#hosts/qwen/hook.ts';

const HOSTS = [
  { host: claudeCode, payloads: CLAUDE },
  { host: codex, payloads: CODEX },
  { host: copilot, payloads: COPILOT },
  { host: droid, payloads: DROID },
  { host: gemini, payloads: GEMINI },
  { host: qwen, payloads: QWEN },
];
const LENGTH = 200_000;
/** A quadratic reader takes many seconds for one of these. */
const MOST_MS = 1_000;
const LONG = ['a', '/', '.jsonl', '\\', ' ', '../', '"', '[', '-_'].map((piece) =>
  piece.repeat(LENGTH / piece.length),
);

describe.each(HOSTS)('$host.name', ({ host, payloads }) => {
  it.each(Object.keys(payloads))('reads %s with a long text in any field in time', async (event) => {
    const payload: Record<string, unknown> = { ...Object(payloads)[event] };
    const texts = Object.keys(payload).filter((field) => typeof payload[field] === 'string');
    const told = texts.filter((field) => field !== 'hook_event_name');
    for (const field of told)
      for (const long of LONG) {
        const bent = { ...payload, [field]: long };
        const took = await cpuMs(async () => {
          callerOf(bent, {});
          otherCaller(bent, {});
          const arrival = host.readArrival(bent, {});
          if (arrival?.is !== 'tool') return;
          arrival.acts();
          arrival.call();
        });
        expect([field, long.slice(0, 6), took < MOST_MS]).toEqual([field, long.slice(0, 6), true]);
      }
  });
});
