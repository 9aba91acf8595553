/**
 * What a run tells beside its passes: its checks, acts of a person elsewhere, and an ending that its record
 * lacks.
 */
import { inTerminal } from '#telling/audience.ts';
import { expect, it, onTestFinished } from 'vitest';
import { endingOf, loopLeftBy, provingTeller, tellActs } from '#engine/driver/telling.ts';
import { runEventsOf, type RunEventBody } from '#engine/run-event.ts';
import type { ProofOutcome } from '#law/proof/outcome.ts';
import { Stage } from '../hearing/stage.ts';

function told(outcome: ProofOutcome): RunEventBody | undefined {
  const seen: RunEventBody[] = [];
  const proving = provingTeller((what) => seen.push(what) > 0);
  proving('`npm test`', null);
  proving('`npm test`', outcome);
  expect(seen[0]).toEqual({ is: 'checks-begin', commands: ['`npm test`'] });
  return seen[1];
}

it('tells a failure with the end of its output and how it ended', () => {
  const outcome = { is: 'failed', exit: 1, tail: '2 failing\n' } as const;
  expect(told({ is: 'ran', as: 'check', outcome })).toMatchObject({
    is: 'check-ended',
    passed: false,
    tail: '2 failing\nfailed with exit code 1',
  });
});

it('tells a success without words', () => {
  expect(told({ is: 'ran', as: 'check', outcome: { is: 'passed' } })).toMatchObject({
    passed: true,
    tail: '',
  });
  expect(told({ is: 'judged', holds: true, says: 'fine' })).toMatchObject({ passed: true, tail: '' });
});

it('tells a number as measured, neither passed nor failed', () => {
  const said = told({ is: 'ran', as: 'measure', outcome: { is: 'passed' }, value: 42 });
  expect(said).toMatchObject({ passed: null, measured: true, tail: '42' });
});

it('is not fooled by the words of a stop hook', () => {
  const said = told({ is: 'judged', holds: false, says: 'passed' });
  expect(said).toMatchObject({ passed: false, tail: 'passed' });
  expect(said).not.toHaveProperty('measured');
});

async function begun() {
  const stage = new Stage();
  await stage.start('Fix it.');
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  onTestFinished(() => open.close());
  return { stage, open };
}

it('what a person does to the loop from elsewhere is told when it happens', async () => {
  const { stage, open } = await begun();
  const told: RunEventBody[] = [];
  const heard = new Promise<void>((resolve) => {
    const end = tellActs(open, (what) => {
      told.push(what);
      if (told.length === 2) resolve();
      return true;
    });
    onTestFinished(end);
  });
  const at = stage.now();
  const other = stage.store.open(stage.loop().id);
  onTestFinished(() => other?.close());
  other?.write({ type: 'steered', at, by: 'terminal', words: 'Use the old parser.' });
  other?.write({ type: 'noted', at, words: 'The agent says this itself.' });
  other?.write({ type: 'bounded', at, by: 'terminal', timeMs: null, costUsd: 5, tokens: null });
  await heard;
  expect(told).toEqual([
    {
      is: 'warning',
      text: 'steered from a terminal: Use the old parser. (the agent reads it in its next iteration)',
    },
    { is: 'warning', text: 'new limits: $5.00' },
  ]);
});

it('a run that leaves its loop without a word in the record does not say that it continues elsewhere', async () => {
  const { stage } = await begun();
  const loop = stage.loop();
  const runtime = { ...stage.runtime(), process: loop.session.owner?.process ?? 0 };
  expect(loop.status.is).toBe('running');
  const ending = endingOf(loopLeftBy(loop, runtime), stage.now(), inTerminal);
  expect(ending).toMatchObject({
    status: 'interrupted',
    next: expect.stringContaining(`dacapo resume ${loop.id} continues it`),
  });
  expect(loopLeftBy(loop, { ...runtime, process: -1 })).toBe(loop);
});

it('paths of the project are shown short, however deep a work tree lies', () => {
  const tree = `/home/ada/.local/state/dacapo/worktrees/${'deep/'.repeat(30)}tree`;
  const call = (summary: string) => ({ is: 'tool', id: 't', name: 'Edit', summary }) as const;
  expect(runEventsOf(call(`${tree}/src/slug.mjs`), tree)).toMatchObject([{ summary: 'src/slug.mjs' }]);
  expect(runEventsOf(call(`cat ${tree}/a ${tree}/b`), tree)).toMatchObject([{ summary: 'cat a b' }]);
  expect(runEventsOf(call(`${tree}-other/a`), tree)[0]).toMatchObject({
    summary: expect.stringMatching(/^\/home\/ada.*…$/),
  });
});
