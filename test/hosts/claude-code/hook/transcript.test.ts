import { execFileSync } from 'node:child_process';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRows } from '#hosts/claude-code/hook/rows.ts';
import { lookAtTranscript } from '#hosts/claude-code/hook/transcript.ts';
import { temporaryFolder } from '../../../store/folder.ts';

const MAKE_PIPE = 'mkfifo';
const BOUND = '2026-01-05T10:00:00.000Z';
const BEGIN = { offset: 0, waiting: 0 };

type Operation = 'enqueue' | 'dequeue' | 'remove' | 'popAll';

function row(operation: Operation, minute = 1): string {
  const timestamp = new Date(Date.parse(BOUND) + minute * 60_000).toISOString();
  const content = operation === 'enqueue' ? { content: '/cancel-ralph' } : {};
  return `${JSON.stringify({ type: 'queue-operation', operation, timestamp, ...content })}\n`;
}

const assistant = (content: object) =>
  `${JSON.stringify({ type: 'assistant', message: { content: [content] } })}\n`;
const text = (words: string) => assistant({ type: 'text', text: words });

function transcript(...rows: string[]): string {
  const path = join(temporaryFolder(), 'transcript.jsonl');
  writeFileSync(path, rows.join(''));
  return path;
}

function waiting(...rows: string[]): number {
  return lookAtTranscript(transcript(...rows), BEGIN, BOUND).queue.waiting;
}

describe.runIf(process.platform !== 'win32')('a pipe in the place of a transcript', () => {
  it('is not waited for', () => {
    const path = join(temporaryFolder(), 'transcript.jsonl');
    execFileSync(MAKE_PIPE, [path]);
    const nothing = { queue: BEGIN, taken: false, toolUsed: false };
    expect(lookAtTranscript(path, BEGIN, BOUND)).toMatchObject(nothing);
    expect(readRows(path, null, () => true, expect.unreachable)).toBe(0);
  });
});

describe('what waits in the queue', () => {
  it.each<[string, Operation[], number]>([
    ['nothing', [], 0],
    ['one', ['enqueue'], 1],
    ['two', ['enqueue', 'enqueue'], 2],
    ['taken out again', ['enqueue', 'dequeue'], 0],
    ['taken back by the person', ['enqueue', 'remove'], 0],
    ['all taken back', ['enqueue', 'enqueue', 'enqueue', 'popAll'], 0],
    ['one left', ['enqueue', 'enqueue', 'dequeue'], 1],
    ['more taken out than was seen to go in', ['dequeue', 'dequeue', 'enqueue'], 1],
    ['one after all were taken back', ['enqueue', 'popAll', 'enqueue'], 1],
  ])('%s', (_name, operations, count) => {
    expect(waiting(text('hello'), ...operations.map((operation) => row(operation)), text('more'))).toBe(
      count,
    );
  });

  it('rows from before the owner took the loop do not count', () => {
    expect(waiting(row('enqueue', -5), row('enqueue', -1))).toBe(0);
    expect(waiting(row('enqueue', -5), row('enqueue', 2))).toBe(1);
  });

  it('what only looks like a row does not count', () => {
    const quoted = text('{"type":"queue-operation","operation":"enqueue"}');
    const other = `${JSON.stringify({ type: 'user', note: '"queue-operation"', kind: 'queue-operation' })}\n`;
    expect(waiting(quoted, other, '{"type":"queue-operation","operation":"enq\n')).toBe(0);
    expect(waiting(`${JSON.stringify({ type: 'queue-operation', operation: 'new' })}\n`)).toBe(0);
  });

  it('is counted on from where the last look ended', () => {
    const path = transcript(row('enqueue'));
    const first = lookAtTranscript(path, BEGIN, BOUND);
    expect(first.queue).toEqual({ offset: statSync(path).size, waiting: 1 });
    expect(lookAtTranscript(path, first.queue, BOUND).queue.waiting).toBe(1);
    appendFileSync(path, text('later') + row('dequeue'));
    expect(lookAtTranscript(path, first.queue, BOUND).queue).toEqual({
      offset: statSync(path).size,
      waiting: 0,
    });
  });

  it('a transcript that shrank is another one', () => {
    const path = transcript(row('enqueue'));
    expect(lookAtTranscript(path, { offset: 99_999, waiting: 3 }, BOUND).queue).toEqual({
      offset: statSync(path).size,
      waiting: 1,
    });
  });

  it('without a transcript nothing is known, and nothing forgotten', () => {
    const since = { offset: 7, waiting: 1 };
    for (const path of ['', '/nowhere/at/all.jsonl'])
      expect(lookAtTranscript(path, since, BOUND)).toEqual({ queue: since, taken: false, toolUsed: false });
  });

  it('of a large transcript only the end is read', () => {
    const path = transcript(row('enqueue'), text('x'.repeat(1_000_000)).repeat(6), row('enqueue'));
    expect(lookAtTranscript(path, BEGIN, BOUND).queue).toEqual({ offset: statSync(path).size, waiting: 1 });
  });

  it('what was taken out in a stretch that is not read does not wait for ever', () => {
    const path = transcript(row('enqueue'));
    const first = lookAtTranscript(path, BEGIN, BOUND);
    expect(first.queue.waiting).toBe(1);
    appendFileSync(path, row('dequeue') + text('x'.repeat(1_000_000)).repeat(6));
    expect(lookAtTranscript(path, first.queue, BOUND).queue).toEqual({
      offset: statSync(path).size,
      waiting: 0,
    });
  });
});

describe('a tool call', () => {
  const call = assistant({ type: 'tool_use', id: 't1', name: 'Bash', input: {} });

  it('is seen since the last look only', () => {
    const path = transcript(call);
    const first = lookAtTranscript(path, BEGIN, BOUND);
    expect(first.toolUsed).toBe(true);
    appendFileSync(path, text('no tools'));
    expect(lookAtTranscript(path, first.queue, BOUND).toolUsed).toBe(false);
  });

  it('is not what a message says about one', () => {
    expect(lookAtTranscript(transcript(text('{"type":"tool_use"}')), BEGIN, BOUND).toolUsed).toBe(false);
  });

  it('from before the loop began is none of its work', () => {
    const at = (timestamp: string) => call.replace('{', `{"timestamp":"${timestamp}",`);
    const used = (...rows: string[]) => lookAtTranscript(transcript(...rows), BEGIN, BOUND).toolUsed;
    expect(used(at('2026-01-05T09:59:59.999Z'), text('x'))).toBe(false);
    expect(used(at('2026-01-05T09:59:59.999Z'), at(BOUND), text('x'))).toBe(true);
  });
});
