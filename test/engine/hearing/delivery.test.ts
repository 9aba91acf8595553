import { describe, expect, it } from 'vitest';
import { wasClaimed } from '#engine/hearing/claim.ts';
import { MINUTE, after } from '../../law/given.ts';
describe('a second delivery', () => {
  const mine = { session: 's1', prompt: 'p1', words: 'w', process: 12, started: after(MINUTE) };
  const open = { ...mine, n: 1, process: 11, started: after(0) };

  it('is the same stop while the first is heard, or if it began before that was answered', () => {
    expect(wasClaimed(mine, [open])).toBe(true);
    expect(wasClaimed(mine, [{ ...open, at: after(MINUTE + 1) }])).toBe(true);
    expect(wasClaimed(mine, [{ ...open, at: after(MINUTE - 1) }, open])).toBe(true);
  });

  it('is another stop if it began later, or differs in session, prompt or words', () => {
    expect(wasClaimed(mine, [{ ...open, at: after(MINUTE) }])).toBe(false);
    for (const other of [{ session: 's2' }, { prompt: 'p2' }, { prompt: null }, { words: 'x' }])
      expect(wasClaimed({ ...mine, ...other }, [open])).toBe(false);
  });

  it('may come late from another registration of the hook, but not from the same one', () => {
    const [plugin, init] = ['plugin', 'init'];
    const heard = (at: number, registration: string) => ({ ...open, at: after(at), registration });
    const late = { ...mine, registration: init };
    expect(wasClaimed(late, [heard(MINUTE - 100, plugin)])).toBe(true);
    expect(wasClaimed(late, [heard(MINUTE - 100, init)])).toBe(false);
    expect(wasClaimed(late, [{ ...heard(MINUTE - 100, plugin), words: 'x' }])).toBe(false);
    expect(wasClaimed(late, [heard(MINUTE - 5_000, plugin)])).toBe(false);
    expect(wasClaimed(mine, [heard(MINUTE - 100, plugin)])).toBe(false);
    expect(wasClaimed(late, [{ ...open, at: after(MINUTE - 100) }])).toBe(false);
  });

  it('is late only for the last stop with its words: one of two registrations hears the next', () => {
    const heard = (at: number, registration: string) => ({ ...open, at: after(at), registration });
    const both = [heard(MINUTE - 200, 'plugin'), heard(MINUTE - 100, 'init')];
    expect(wasClaimed({ ...mine, registration: 'init' }, both)).toBe(false);
    expect(wasClaimed({ ...mine, registration: 'plugin' }, both)).toBe(true);
  });
});
