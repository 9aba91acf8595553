/** A prune and somebody who reopens the loop, at the same moment: one of them has it, and the other is told. */
import { beforeEach, expect, it } from 'vitest';
import { amend, NO_AMENDMENT } from '#engine/steer/amend.ts';
import { mayRemoveLoop } from '#engine/steer/prune.ts';
import { resume } from '#engine/steer/resume.ts';
import type { Event } from '#law/record/events.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Store } from '#store/store.ts';
import { Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = new Stage();
  await stage.start('Fix. --check "exit 3" --max-iterations 1');
  await stage.stop('Not yet.');
});

const BY = { by: 'terminal', root: '/' } as const;

/** `before` happens in another process, right before this one writes such a line. */
function interrupted(type: Event['type'], before: () => void): Runtime {
  const runtime = stage.runtime();
  const open: Store['open'] = (id) => {
    const loop = runtime.store.open(id);
    const write: OpenLoop['write'] = (event) => {
      if (event.type === type) before();
      return loop?.write(event) ?? stage.loop();
    };
    return loop && { ...loop, write };
  };
  return { ...runtime, store: { ...runtime.store, open } };
}

function id(): string {
  return stage.loop().id;
}

function resumeIt(runtime: Runtime) {
  return resume({ id: id(), ...BY, limits: { iterations: 5 } }, runtime);
}

it('keeps a loop that is resumed between its look and its line', () => {
  expect(stage.status()).toBe('exhausted');
  const pruning = interrupted('pruned', () => expect(resumeIt(stage.runtime())).toMatchObject({ ok: true }));
  expect(mayRemoveLoop(id(), pruning)).toBe(false);
  expect(stage.status()).toBe('running');
});

it('refuses a resume that comes after its line, and a change of gates', () => {
  const prune = () => expect(mayRemoveLoop(id(), stage.runtime())).toBe(true);
  expect(resumeIt(interrupted('resumed', prune))).toMatchObject({ ok: false, code: 'pruned' });
  expect(stage.status()).toBe('exhausted');
  const order = { ...NO_AMENDMENT, ...BY, limits: {}, checks: ['true'], id: id() };
  expect(amend(order, stage.runtime())).toMatchObject({ ok: false, code: 'pruned' });
});

it('removes a loop also where its disk is full', () => {
  const full = interrupted('pruned', () => {
    throw Object.assign(new Error('no space is left'), { code: 'ENOSPC' });
  });
  expect(mayRemoveLoop(id(), full)).toBe(true);
});
