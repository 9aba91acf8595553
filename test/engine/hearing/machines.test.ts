/** A pid means something on its own machine only. */
import { describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { claimLives, ownerLives } from '#store/runtime.ts';
import { DONE, HOUR, MINUTE, Stage, toPerson } from './stage.ts';

const FAR = 'another-machine';

async function elsewhere(): Promise<Stage> {
  const stage = new Stage();
  await stage.start('Fix.');
  const at = stage.now();
  stage.append({
    type: 'bound',
    at,
    session: 's1',
    process: 700,
    machine: FAR,
    prompt: 'p1',
    how: 'takeover',
  });
  // No process of this number lives here.
  stage.dead.add(700);
  return stage;
}

describe('the record', () => {
  it('has the machine beside every pid', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('Working.');
    await stage.prompt('Something else.', { prompt: 'q1' });
    await stage.command('resume', '', { from: { prompt: 'p2' } });
    const withPid = stage.journal().filter((event) => 'process' in event && event.process !== null);
    expect(withPid.map(({ type }) => type)).toEqual(expect.arrayContaining(['bound', 'stop', 'resumed']));
    for (const event of withPid) expect(event).toHaveProperty('machine', stage.store.machine());
  });
});

describe('a process of another machine', () => {
  it('holds its loop, whatever that number is here', async () => {
    const stage = await elsewhere();
    expect(ownerLives(stage.loop(), stage.runtime())).toBe(true);
    expect(toPerson(await stage.stop('Hi.'))).toMatch(/held by process 700/);
  });

  it('holds it no longer than a loop takes to go stale', async () => {
    const stage = await elsewhere();
    stage.wait(stage.loop().limits.staleMs + MINUTE);
    expect(ownerLives(stage.loop(), stage.runtime())).toBe(false);
  });

  it('hears a stop until the claim is too old', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const started = stage.now();
    const claim = { n: 1, session: 's1', prompt: 'p1', words: 'w', process: 700, machine: FAR, started };
    stage.dead.add(700);
    expect(claimLives(claim, stage.runtime())).toBe(true);
    expect(claimLives({ ...claim, machine: stage.store.machine() }, stage.runtime())).toBe(false);
    stage.wait(HOUR);
    expect(claimLives(claim, stage.runtime())).toBe(false);
  });
});

describe('a loop that moved here', () => {
  const moved = (stage: Stage): Event => ({
    type: 'moved',
    at: stage.now(),
    project: stage.project,
    machine: stage.store.machine(),
  });

  it('is held by nobody: neither its owner nor a stop that was being heard there', async () => {
    const stage = await elsewhere();
    const claim = {
      session: 's1',
      prompt: 'p1',
      words: 'w',
      process: 700,
      machine: FAR,
      started: stage.now(),
    };
    stage.append({ type: 'stop', at: stage.now(), n: 1, ...claim, continuedByHook: false });
    expect(stage.loop()).toMatchObject({ session: { owner: { machine: FAR } }, open: { machine: FAR } });
    stage.append(moved(stage));
    expect(stage.loop()).toMatchObject({ session: { owner: null }, open: null, status: { is: 'running' } });
  });

  it('has its project where it is on the new machine', async () => {
    const stage = await elsewhere();
    stage.append({ ...moved(stage), project: '/work/elsewhere' } as Event);
    expect(stage.loop().project).toBe('/work/elsewhere');
  });

  it('goes on with whoever takes it next', async () => {
    const stage = await elsewhere();
    stage.append(moved(stage));
    const machine = stage.store.machine();
    stage.append({
      type: 'bound',
      at: stage.now(),
      session: 's1',
      process: 100,
      machine,
      prompt: 'p1',
      how: 'start',
    });
    expect((await stage.stop(DONE)).is).toBe('tell');
    expect(stage.status()).toBe('completed');
  });
});
