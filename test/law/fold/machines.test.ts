/** Pids carry their machine, and a loop can move to another one. */
import { expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { outermostOf, workedMs, type Loop } from '#law/loop.ts';
import {
  after,
  bound,
  claim,
  created,
  HOUR,
  MINUTE,
  pass,
  running,
  SECOND,
  told,
  verdict,
} from '../given.ts';

const next = (loop: Loop, event: Event): Loop => fold(loop, event) ?? loop;

const MOVED: Event = { type: 'moved', at: after(9 * MINUTE), project: '/elsewhere', machine: 'm2' };

it('keeps the machine beside the pid of the owner, and no field where none was named', () => {
  expect(told(created(), bound({ machine: 'm1' })).session.owner).toEqual({
    session: 's1',
    process: 100,
    machine: 'm1',
  });
  expect(told(created(), bound()).session.owner).toEqual({ session: 's1', process: 100 });
});

it('keeps the machine of a stop that is being heard', () => {
  expect(running({}, claim(1, { machine: 'm1' })).open).toMatchObject({ n: 1, machine: 'm1' });
  expect(running({}, claim(1)).open).not.toHaveProperty('machine');
});

it('lets nothing of the old machine hold a loop that has moved', () => {
  const open = running({}, ...pass(1), verdict(1), claim(2, { machine: 'm1' }), MOVED);
  expect(open).toMatchObject({
    project: '/elsewhere',
    session: {
      owner: null,
      awaited: false,
      woken: null,
      hold: null,
      context: null,
      queue: { offset: 0, waiting: 0 },
    },
    open: null,
  });
  expect(outermostOf(open).passes).toBe(1);
});

it('counts no time as work that passed between the machines', () => {
  const taken = (process: number, at: string, n: number): Event => ({
    type: 'taken',
    at,
    n,
    session: 's1',
    pass: `pass-${n}`,
    process,
    model: null,
  });
  const loop = told(created({ driver: 'fresh' }), taken(7, after(0), 2), ...pass(1));
  expect(workedMs(loop, after(HOUR))).toBe(HOUR);
  const moved = [{ ...MOVED, at: after(HOUR) }, taken(7, after(2 * HOUR), 6)].reduce(next, loop);
  // Its last sign of life on the old machine is the verdict.
  expect(workedMs(moved, after(2 * HOUR))).toBe(MINUTE + SECOND);
  expect(workedMs(moved, after(3 * HOUR))).toBe(HOUR + MINUTE + SECOND);
});

it('moves no loop that has ended', () => {
  const cancelled: Event = { type: 'cancelled', at: after(MINUTE), by: 'terminal', prompt: null };
  expect(running({}, cancelled, MOVED).project).toBe('/project');
});
