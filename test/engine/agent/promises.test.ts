/** Promises in a text, for programs that evaluate them themselves. */
import { describe, expect, it } from 'vitest';
import { evaluatePromises, USUAL_PROMISES } from '#engine/agent/promises.ts';
import type { CompletionPromise } from '#surfaces/stop-hooks/types.ts';

const NOW = '2026-11-16T08:00:00.000Z';

function detected(message: string, wanted: readonly string[] = USUAL_PROMISES): string[] {
  const answer = evaluatePromises(message, wanted, NOW);
  if (!answer.ok) throw new Error(answer.message);
  return answer.promises.filter((one) => one.detected).map(({ type, content }) => `${type} ${content}`);
}

describe('a promise', () => {
  it('is detected where it counts', () => {
    expect(detected('Done.\n\n<promise>COMPLETE</promise>')).toEqual(['COMPLETE COMPLETE']);
    expect(detected('`<promise>COMPLETE</promise>`')).toEqual([]);
    expect(detected('I will say <promise>COMPLETE</promise> soon.')).toEqual([]);
    expect(detected('<promise>ALL GREEN</promise>', ['ALL GREEN'])).toEqual(['COMPLETE ALL GREEN']);
  });

  it('a cry for a person carries its reason', () => {
    expect(detected('<promise>BLOCKED: no key</promise>')).toEqual(['BLOCKED no key']);
    expect(detected('<promise>ESCALATE</promise>')).toEqual(['ESCALATE ESCALATE']);
  });

  it('together with a cry it does not count', () => {
    expect(detected('<promise>COMPLETE</promise>\n\n<promise>BLOCKED</promise>')).toEqual([
      'BLOCKED BLOCKED',
    ]);
  });

  it('each that is asked for gets an answer, in the form of the stop hooks', () => {
    const answer = evaluatePromises('<promise>COMPLETE</promise>', ['COMPLETE', 'BLOCKED'], NOW);
    const promises: readonly CompletionPromise[] | null = answer.ok ? answer.promises : null;
    expect(promises).toEqual([
      { type: 'COMPLETE', detected: true, content: 'COMPLETE', detectedAt: NOW },
      { type: 'BLOCKED', detected: false, content: 'BLOCKED' },
    ]);
  });

  it('what is not text, no list or too long is refused', () => {
    expect(evaluatePromises(1, [], NOW)).toMatchObject({ ok: false, code: 'bad-request' });
    expect(evaluatePromises('', 'COMPLETE', NOW)).toMatchObject({ ok: false, code: 'bad-promises' });
    expect(evaluatePromises('x'.repeat(200_001), [], NOW)).toMatchObject({ ok: false, code: 'too-long' });
  });
});
