import { describe, expect, it } from 'vitest';
import { type Loop } from '#law/loop.ts';
import {
  isStateStale,
  readIdle,
  readIdleState,
  readStack,
  readStackState,
  renderIdle,
  renderStack,
} from '#evidence/views/stack/format.ts';
import { IDLE_FILE, STACK_TOPIC } from '#evidence/views/places.ts';
import { passes, running, after, MINUTE, SECOND } from '../../../law/given.ts';

const plain = running({ iterations: 10 }, ...passes(2));
const nested: Loop = {
  ...plain,
  around: [{ ...plain.frame, mode: 'grind', prompt: 'g', gates: [], iterations: 100, passes: 0 }],
  frame: { ...plain.frame, mode: 'issue', prompt: 'i', gates: [], iterations: null, passes: 4 },
};
const promptFile = ({ prompt }: { prompt: string }) => `/tmp/${prompt}.txt`;

function state(over: object = {}, frame: object = {}): string {
  return JSON.stringify({
    schema: 1,
    event: 'STATE',
    run_id: 'loop-1703154600-42',
    updated_at: '2024-12-21T10:30:00Z',
    stack: [
      { id: 'loop-1703154600-42', mode: 'loop', iter: 3, max: 10, prompt_file: '/tmp/p.txt', ...frame },
    ],
    ...over,
  });
}

describe('what is rendered', () => {
  it('is one line of idle-loop’s JSON', () => {
    expect(renderStack(plain, promptFile)).toBe(
      `{"schema":1,"event":"STATE","run_id":"${plain.id}","updated_at":"${after(2 * MINUTE + SECOND)}","stack":[{"id":"${plain.id}","mode":"loop","iter":3,"max":10,"prompt_file":"/tmp/hash-of-prompt.txt"}]}`,
    );
  });

  it('has a frame for each, the outermost first', () => {
    expect(JSON.parse(renderStack(nested, promptFile))).toMatchObject({
      stack: [
        { id: plain.id, mode: 'grind', iter: 1, max: 100, prompt_file: '/tmp/g.txt' },
        { id: `${plain.id}-2`, mode: 'issue', iter: 5, max: 999_999_999, prompt_file: '/tmp/i.txt' },
      ],
    });
  });

  it('is DONE with a reason and without frames at the end', () => {
    const done: Loop = { ...plain, status: { is: 'exhausted', limit: 'iterations' } };
    expect(JSON.parse(renderStack(done, promptFile))).toMatchObject({
      event: 'DONE',
      reason: 'MAX_ITERATIONS',
      stack: [],
    });
  });

  it('has its places', () => {
    expect([STACK_TOPIC, IDLE_FILE]).toEqual(['loop:current', '.claude/idle-loop.local.md']);
  });
});

describe('a state of idle-loop', () => {
  it('is read', () => {
    expect(readStackState(state())).toEqual({
      is: 'active',
      runId: 'loop-1703154600-42',
      updatedAt: '2024-12-21T10:30:00.000Z',
      prompt: null,
      frames: [
        {
          id: 'loop-1703154600-42',
          mode: 'loop',
          iteration: 3,
          iterations: 10,
          promptFile: '/tmp/p.txt',
          besides: [],
        },
      ],
    });
  });

  it('has safe defaults where fields are missing or null', () => {
    const bare = { is: 'active', runId: null, updatedAt: null, prompt: null };
    const frame = { id: null, mode: 'loop', iteration: 1, iterations: 10, promptFile: null, besides: [] };
    expect(readStackState('{"schema":1,"stack":[{}]}')).toEqual({ ...bare, frames: [frame] });
    const nulls = { event: null, run_id: null, updated_at: null };
    const empty = { id: null, mode: null, iter: null, max: null, prompt_file: null };
    expect(readStackState(state(nulls, empty))).toEqual({ ...bare, frames: [frame] });
    expect(readStackState(state({}, { mode: 'grind', max: null }))).toMatchObject({
      frames: [{ iterations: 100 }],
    });
    expect(readStackState(state({}, { mode: 'chat' }))).toMatchObject({
      frames: [{ mode: 'loop', besides: ['mode "chat"'] }],
    });
    expect(readStackState(state({}, { issue_id: 7, mode: 'issue' }))).toMatchObject({
      frames: [{ mode: 'issue', besides: ['issue_id'] }],
    });
    expect(readStackState(state({}, { iter: '3', max: '10' }))).toMatchObject({
      frames: [{ iteration: 3, iterations: 10 }],
    });
  });

  it.each([
    ['no stack', state({ stack: undefined })],
    ['null for a stack', state({ stack: null })],
    ['an empty stack', state({ stack: [] })],
  ])('is IDLE with %s', (_name, content) => {
    expect(readStackState(content)).toEqual({ is: 'idle', runId: 'loop-1703154600-42' });
  });

  it('is over after DONE', () => {
    expect(readStackState('{"schema":1,"event":"DONE","reason":"MAX_ITERATIONS","stack":[]}')).toEqual({
      is: 'done',
      runId: null,
      reason: 'MAX_ITERATIONS',
    });
  });

  it.each([
    ['ABORT', '{"schema":1,"event":"ABORT","stack":[]}', 'aborted', 'ABORT'],
    ['ABORT with a reason', state({ event: 'ABORT', reason: 'USER_CANCELLED' }), 'aborted', 'USER_CANCELLED'],
    ['malformed JSON', '{"schema":1,', 'garbage', 'it is not JSON'],
    ['nothing', '', 'garbage', 'it is not JSON'],
    ['a list', '[]', 'garbage', 'it is not an object'],
    ['no schema', '{"event":"STATE","stack":[{}]}', 'garbage', 'schema is missing'],
    ['an unknown event', state({ event: 'GO' }), 'garbage', 'event is none of STATE, DONE, ABORT'],
    ['a stack that is not a list', state({ stack: {} }), 'garbage', 'stack is not a list'],
    ['a frame that is none', state({ stack: [7] }), 'garbage', 'a frame is not an object'],
    ['a non-numeric iteration', state({}, { iter: 'three' }), 'garbage', 'iter is not a number: "three"'],
    ['a negative one', state({}, { iter: -1 }), 'garbage', 'iter is not a number: -1'],
    ['half a one', state({}, { iter: 1.5 }), 'garbage', 'iter is not a number: 1.5'],
    ['a non-numeric maximum', state({}, { max: [] }), 'garbage', 'max is not a positive number: []'],
    ['a maximum of none', state({}, { max: 0 }), 'garbage', 'max is not a positive number: 0'],
  ])('is ABORTED by %s', (_name, content, is, why) => {
    expect(readStackState(content)).toMatchObject({ is, why });
  });
});

describe('updated_at', () => {
  it.each([
    ['2024-12-21T10:30:00Z', '2024-12-21T10:30:00.000Z'],
    ['2024-12-21T10:30:00+00:00', '2024-12-21T10:30:00.000Z'],
    ['2024-12-21T12:30:00+02:00', '2024-12-21T10:30:00.000Z'],
    ['2024-12-21T05:30:00.5-0500', '2024-12-21T10:30:00.500Z'],
    ['2024-12-21 10:30:00', '2024-12-21T10:30:00.000Z'],
    ['2024-12-21T10:30z', '2024-12-21T10:30:00.000Z'],
    ['yesterday', null],
    ['2024-13-45T99:00:00Z', null],
    ['2024-12-21', null],
    [1_734_777_000, null],
  ])('%s is %s', (written, at) => {
    expect(readStackState(state({ updated_at: written }))).toMatchObject({ is: 'active', updatedAt: at });
  });

  it('is stale after 7200 seconds, or where it is not known', () => {
    const updatedAt = '2024-12-21T10:30:00.000Z';
    expect(isStateStale({ updatedAt }, '2024-12-21T12:30:00.000Z')).toBe(false);
    expect(isStateStale({ updatedAt }, '2024-12-21T12:30:01.000Z')).toBe(true);
    expect(isStateStale({ updatedAt: null }, updatedAt)).toBe(true);
  });
});

describe('what others do to a live loop', () => {
  const rendered = renderStack(plain, promptFile);

  it.each<[string, string, object]>([
    ['nothing', rendered, { is: 'untouched' }],
    [
      'an ABORT of theirs, which names no run',
      '{"schema":1,"event":"ABORT","stack":[]}',
      { is: 'aborted', why: 'ABORT' },
    ],
    ['an ABORT of another run', state({ event: 'ABORT' }), { is: 'foreign' }],
    ['a state of another run', state(), { is: 'foreign' }],
    ['garbage', 'jwz: no such topic', { is: 'garbage', why: 'it is not JSON' }],
    ['another count', rendered.replace('"iter":3', '"iter":1'), { is: 'untouched' }],
  ])('%s', (_name, content, reading) => {
    expect(readStack(content, plain, rendered)).toEqual(reading);
  });

  it('our own ABORT of before a resume aborts nothing', () => {
    const cancelled: Loop = { ...plain, status: { is: 'cancelled', by: 'terminal', prompt: null } };
    const own = renderStack(cancelled, promptFile);
    expect(readStack(`${own}\n`, plain, own)).toEqual({ is: 'untouched' });
  });
});

describe('the fallback file', () => {
  it('has what idle-loop’s script looks for, above the prompt', () => {
    expect(renderIdle(plain, 'Fix it.\n')).toBe(`---
active: true
mode: loop
iteration: 3
max_iterations: 10
schema: 1
event: STATE
run_id: "${plain.id}"
updated_at: "${after(2 * MINUTE + SECOND)}"
---
Fix it.
`);
  });

  it('of idle-loop’s plugin is read', () => {
    const theirs = '---\nactive: true\nmode: issue\niteration: 5\nmax_iterations: 10\n---\nFix it.\n';
    expect(readIdleState(theirs)).toEqual({
      is: 'active',
      runId: null,
      updatedAt: null,
      prompt: 'Fix it.\n',
      frames: [{ id: null, mode: 'issue', iteration: 5, iterations: 10, promptFile: null, besides: [] }],
    });
    expect(readIdleState(theirs.replace('true', 'false'))).toEqual({ is: 'idle', runId: null });
    expect(readIdleState(theirs.replace('5', 'five'))).toMatchObject({ is: 'garbage' });
    expect(readIdleState('no front matter')).toMatchObject({ is: 'garbage' });
  });

  it('our own ABORT of before a resume aborts nothing', () => {
    const own = renderIdle(
      { ...plain, status: { is: 'cancelled', by: 'terminal', prompt: null } },
      'Fix it.',
    );
    expect(readIdle(`${own}\n`, plain, own)).toEqual({ is: 'untouched' });
    expect(readIdle(own, plain, null)).toMatchObject({ is: 'aborted' });
  });
});
