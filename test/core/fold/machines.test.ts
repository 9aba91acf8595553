/** Pids carry their machine, and a loop can move to another one. */
import { expect, it } from 'vitest';
import type { Event } from '../../../src/core/record/events.ts';
import { after, bound, claim, created, MINUTE, pass, running, told, verdict } from '../given.ts';

const MOVED: Event = { type: 'moved', at: after(9 * MINUTE), project: '/elsewhere', machine: 'm2' };

it('keeps the machine beside the pid of the owner, and no field where none was named', () => {
  expect(told(created(), bound({ machine: 'm1' })).owner).toEqual({
    session: 's1',
    process: 100,
    machine: 'm1',
  });
  expect(told(created(), bound()).owner).toEqual({ session: 's1', process: 100 });
});

it('keeps the machine of a stop that is being heard', () => {
  expect(running({}, claim(1, { machine: 'm1' })).open).toMatchObject({ n: 1, machine: 'm1' });
  expect(running({}, claim(1)).open).not.toHaveProperty('machine');
});

it('lets nothing of the old machine hold a loop that has moved', () => {
  const open = running({}, ...pass(1), verdict(1), claim(2, { machine: 'm1' }), MOVED);
  expect(open).toMatchObject({
    project: '/elsewhere',
    owner: null,
    awaited: false,
    open: null,
    woken: null,
    hold: null,
    context: null,
    queue: { offset: 0, waiting: 0 },
  });
  expect(open.frames[0].passes).toBe(1);
});

it('moves no loop that has ended', () => {
  const cancelled: Event = { type: 'cancelled', at: after(MINUTE), by: 'terminal', prompt: null };
  expect(running({}, cancelled, MOVED).project).toBe('/project');
});
