/** Which loop is meant: a value, so that each front end can say it in its own way. */
import { inWords } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { findNewest, refuseUnclear, type Choice } from '#engine/look/find.ts';
import { goesOn, resolveLoop } from '#engine/steer/resolve.ts';
import { loopsUnder, ownerRuns } from '#engine/look/loops.ts';
import { MINUTE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

/** As a command that acts finds it. The loop is closed here, and a value remains. */
function resolve(choice: Choice) {
  const found = resolveLoop(choice, { fits: goesOn }, stage.runtime());
  if (found.is !== 'one') return found;
  found.open.close();
  return { is: 'one' as const, loop: found.open.loop() };
}

async function two(): Promise<[string, string]> {
  const first = await stage.start('First. --name one');
  stage.wait(MINUTE);
  const second = await stage.start('Second.', { session: 's2', prompt: 'p2', process: 200 });
  return [first.id, second.id];
}

describe('without an id', () => {
  it('the only candidate of the project is meant', async () => {
    const [first] = await two();
    await stage.command('cancel', '', { from: { session: 's2', prompt: 'p3' } });
    const found = resolve({ id: undefined, root: stage.project });
    expect(found).toMatchObject({ is: 'one', loop: { id: first } });
  });

  it('of several none is chosen; they are named, the newest first', async () => {
    const [first, second] = await two();
    const found = resolve({ id: undefined, root: stage.project });
    expect(found).toMatchObject({ is: 'several', loops: [{ id: second }, { id: first }] });
    if (found.is !== 'several') throw new Error(found.is);
    const refusal = refuseUnclear(found, { verb: 'cancel' });
    expect(inWords(refusal, inTerminal)).toMatchObject({
      ok: false,
      code: 'several-loops',
      next: `Name one: dacapo cancel ${second}`,
    });
    expect(refusal.message).toMatch(/^2 loops could be meant:\n/);
  });

  it('the newest can be asked for', async () => {
    const [, second] = await two();
    expect(findNewest({ id: undefined, root: stage.project }, stage.runtime())).toMatchObject({
      is: 'one',
      loop: { id: second },
    });
  });

  it('in another project there is none', async () => {
    await two();
    const elsewhere = { id: undefined, root: `${stage.project}-other` };
    expect(resolve(elsewhere)).toEqual({ is: 'none' });
    expect(findNewest(elsewhere, stage.runtime())).toEqual({ is: 'none' });
  });
});

describe('with one', () => {
  it('the id, its end or the name is enough, from any project', async () => {
    const [first] = await two();
    for (const id of [first, first.slice(-6), 'one'])
      expect(resolve({ id, root: '/elsewhere' })).toMatchObject({
        is: 'one',
        loop: { id: first },
      });
  });

  it('what nobody knows is refused, with what may be meant', async () => {
    const [first] = await two();
    const found = resolve({ id: `${first}x`, root: stage.project });
    if (found.is !== 'unknown') throw new Error(found.is);
    expect(inWords(refuseUnclear(found, { verb: 'pause' }), inTerminal)).toMatchObject({
      code: 'no-loop',
      message: `There is no loop "${first}x".`,
      next: `dacapo list --all shows every loop. Is it ${first}?`,
    });
  });

  it('an empty one is the end of no id', async () => {
    await two();
    expect(resolve({ id: '', root: stage.project }).is).toBe('unknown');
  });
});

describe('as it is shown', () => {
  it('a loop whose owner is gone is interrupted, whatever its journal says', async () => {
    await stage.start('Fix.');
    stage.dead.add(100);
    expect(loopsUnder(null, stage.runtime())).toMatchObject([{ status: { is: 'interrupted' } }]);
    expect(stage.status()).toBe('running');
  });

  it('a loop whose journal is broken is aborted', async () => {
    await stage.start('Fix.');
    stage.scribble('\nnonsense\n');
    expect(loopsUnder(null, stage.runtime())).toMatchObject([{ status: { is: 'aborted', why: 'journal' } }]);
  });

  it('a process from before the last boot is not the owner, even if its number is in use', async () => {
    const loop = await stage.start('First.');
    expect(
      ownerRuns(
        { ...loop, session: { ...loop.session, boundAt: '1999-01-01T00:00:00.000Z' } },
        stage.runtime(),
      ),
    ).toBe(false);
    expect(ownerRuns(loop, stage.runtime())).toBe(true);
  });

  it('a loop that only a later version can read is named, and why', async () => {
    const { id } = await stage.start('First.');
    stage.newer(id);
    const found = resolve({ id, root: stage.project });
    if (found.is !== 'unknown') throw new Error(found.is);
    expect(refuseUnclear(found, { verb: 'status' })).toMatchObject({
      code: 'unread',
      next: expect.stringContaining('Update Da Capo'),
    });
  });
});
