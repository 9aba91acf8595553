/** What every sink owes: it takes any notice, at once, and never throws. Each adapter runs this. */
import { describe, expect, it } from 'vitest';
import { notices, type Notice } from '#law/notices.ts';
import type { Sink } from '#engine/notices/sink.ts';
import { MINUTE, after, claim, created, running, told, verdict } from '../../law/given.ts';

const pending = told(created());
const loop = running();
const ended = running({}, claim(1), verdict(1, { verdict: { is: 'complete' } }));
const at = { at: after(MINUTE) };

export const NOTICES: readonly Notice[] = [
  ...notices(null, pending, at),
  ...notices(pending, loop, at),
  ...notices(loop, ended, at),
];

/** `told`: how many notices came through to the other side. */
export function conforms(
  name: string,
  make: () => { readonly sink: Sink; readonly told: () => number },
): void {
  describe(`${name} as a sink`, () => {
    it('tells each notice once', () => {
      const { sink, told: count } = make();
      for (const notice of NOTICES) sink(notice);
      expect(count()).toBe(NOTICES.length);
    });

    it('takes a flood, and a name full of control characters', () => {
      const { sink } = make();
      const hostile = { ...loop, name: '\u001b[2J\n\r' };
      const flood = () => {
        for (let n = 0; n < 5_000; n++) sink({ is: 'running', loop: hostile, ...at });
      };
      expect(flood).not.toThrow();
    });
  });
}
