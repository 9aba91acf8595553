/**
 * `<promise>UNVERIFIABLE: why</promise>`: no gate can show that the task is done, so a person is asked to
 * accept it.
 */
import { TERMINAL } from '#telling/audience.ts';
import { expect, test } from 'vitest';
import { type Loop } from '#law/loop.ts';
import type { Gate, Item } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import { nextRequestId } from '#law/waiting/requests.ts';
import { fold } from '#law/fold/index.ts';
import {
  after,
  check,
  checkBegun,
  claim,
  decided,
  HOUR,
  MINUTE,
  PROMISE,
  proofsOf,
  running,
  stop,
  tag,
  verdict,
} from '../given.ts';
import { howToAnswer } from '#telling/person/requests.ts';

const CHECKED = { gates: [check('npm test')] };

function said(words: string, loop = running(CHECKED)) {
  return decided(loop, stop(), proofsOf(loop, { tags: [tag(words)] }), after(MINUTE));
}

function happens(loop: Loop, event: Event): Loop {
  return fold(loop, event) ?? loop;
}

function asked(loop = running(CHECKED)): Loop {
  const [at, expires, what] = [after(MINUTE), after(HOUR), { tool: null, digest: null, text: 'Is it done?' }];
  const request = { id: nextRequestId(loop), kind: 'acceptance', what, why: '', expires } as const;
  const wait = { is: 'allow', why: 'approval', shells: [], until: null } as const;
  const events = [claim(1), { type: 'requested', at, ...request } as const, verdict(1, { verdict: wait })];
  return events.reduce(happens, loop);
}

function answered(loop: Loop, answer: EventOf<'answered'>['answer']): Loop {
  const id = loop.people.requests[0]?.id ?? '';
  return happens(loop, { type: 'answered', at: after(2 * MINUTE), id, answer, note: 'My word.', by: 'page' });
}

test('the agent gives a reason, and a person is asked; neither an end nor a success', () => {
  const asks = { kind: 'acceptance' };
  expect(said('UNVERIFIABLE: no browser here')).toMatchObject({ is: 'allow', why: 'approval', asks });
  expect(said('UNVERIFIABLE: no browser here')).toMatchObject({
    asks: {
      text: "The agent says that the gates can't show whether the task is done: no browser here. Do you accept it as done?",
    },
  });
  expect(said('UNVERIFIABLE')).toMatchObject({
    asks: {
      text: "The agent says that the gates can't show whether the task is done. Do you accept it as done?",
    },
  });
});

test('together with the promise it is a contradiction, which the agent has to resolve', () => {
  const loop = running({ gates: [PROMISE] });
  const tags = [tag('COMPLETE'), tag('UNVERIFIABLE: why')];
  expect(decided(loop, stop(), proofsOf(loop, { tags }), after(MINUTE)).is).toBe('continue');
});

test('accepted: the loop is complete, with the pass that asked', () => {
  const waiting = asked();
  expect(waiting.status).toMatchObject({ is: 'waiting', for: 'approval' });
  expect(waiting.last?.looked).toBeNull();
  const done = answered(waiting, 'approved');
  expect(done.status).toEqual({ is: 'completed' });
  expect(done.frame.passes).toBe(1);
  expect(done.people.requests[0]?.answer).toMatchObject({
    is: 'approved',
    note: 'My word.',
    by: 'page',
    pass: 1,
  });
  expect(done.frame.gates).toEqual(CHECKED.gates);
});

test('sent back: the loop goes on, and the words wait for the agent', () => {
  const loop = answered(asked(), 'rejected');
  expect(loop.status).toEqual({ is: 'running' });
  expect(loop.people.requests[0]).toMatchObject({
    answer: { is: 'rejected', note: 'My word.' },
    told: false,
  });
});

test('other gates: the question is settled, and the loop goes on with them', () => {
  const amended = {
    type: 'amended',
    at: after(HOUR),
    by: 'terminal',
    prompt: null,
    iterations: null,
  } as const;
  const checks = {
    add: [checkBegun('npm run e2e', null)].filter((gate) => gate.kind === 'check'),
    remove: [],
  };
  const settled = { is: 'rejected', note: 'The gates have changed.', by: 'terminal' };
  const changed = happens(asked(), { ...amended, checks });
  expect(changed).toMatchObject({ status: { is: 'running' }, people: { requests: [{ answer: settled }] } });
  expect(happens(asked(), { ...amended, promise: 'SHIPPED' }).status.is).toBe('running');
  const [at, expires, what] = [after(MINUTE), after(HOUR), { tool: null, digest: null, text: 'Which one?' }];
  const loop = running(CHECKED);
  const question = { id: nextRequestId(loop), kind: 'question', what, why: '', expires } as const;
  const asking = happens(loop, { type: 'requested', at, ...question });
  expect(happens(asking, { ...amended, checks }).people.requests[0]?.answer).toBeNull();
  expect(happens(asked(), { ...amended, iterations: 9 }).status).toMatchObject({ for: 'approval' });
});

test.each<[string, readonly Gate[], readonly Gate[]]>([
  ['an item', [{ kind: 'signal' }, check('npm test')], [{ kind: 'signal' }]],
  ['an inner task with a promise', [PROMISE, check('npm test')], [PROMISE]],
  ['an inner task with a check alone', [check('npm test')], [{ kind: 'signal' }]],
])('accepted for %s: that part alone counts as done once the agent claims it', (_, gates, left) => {
  const item: Item = { id: '1', title: 'One', n: 1, of: 2 };
  const frame = { mode: 'issue', prompt: 'p', gates, require: 'all', atLeast: 0, iterations: 5 } as const;
  const outer = running(CHECKED);
  const push = { type: 'pushed', at: after(1), by: 'terminal', prompt: 'p1' } as const;
  const inner = happens(outer, { ...push, frame: { ...frame, items: null, item } });
  const loop = answered(asked(inner), 'approved');
  expect(loop).toMatchObject({
    status: { is: 'running' },
    around: [{ gates: CHECKED.gates }],
    frame: { gates: left },
  });
  expect(loop.frame.passes).toBe(0);
});

test('the person reads all three answers', () => {
  const loop = asked();
  const [request] = loop.people.requests;
  expect(howToAnswer(loop, TERMINAL)).toBe(
    `dacapo approve ${request?.id} or dacapo reject ${request?.id} answers it; dacapo amend ${loop.id} changes the gates instead`,
  );
});

test('a question shows that the agent goes on: the host has carried out the last continue', () => {
  const [at, expires, what] = [after(2 * MINUTE), after(HOUR), { tool: null, digest: null, text: 'Why?' }];
  const loop = running(CHECKED, claim(1), verdict(1));
  expect(loop.session.unconfirmed).not.toBeNull();
  const question = { id: nextRequestId(loop), kind: 'question', what, why: '', expires } as const;
  expect(happens(loop, { type: 'requested', at, ...question }).session.unconfirmed).toBeNull();
});
