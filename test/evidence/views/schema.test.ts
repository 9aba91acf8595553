/**
 * The published schema of the front matter, against what is rendered and what the reader takes. `yaml` is the
 * independent reader.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { hash } from '#base/hash.ts';
import type { Loop } from '#law/loop.ts';
import { readHandWritten, renderMarkdown } from '#evidence/views/markdown/format.ts';

const root = new URL('../../../', import.meta.url);
const schema: object = JSON.parse(readFileSync(new URL('schema/ralph-loop.schema.json', root), 'utf8'));
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

/** What is wrong with it, in the words of the validator. */
function flaws(fields: unknown): string[] {
  return validate(fields)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const AT = '2026-11-15T10:00:00.000Z';

/** Front matter and body as anyone would cut them who knows nothing of us. */
function read(content: string): { fields: unknown; body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content) ?? [];
  return { fields: parse(head), body };
}

function loopOf(promise: string | null, iterations: number | null, session: string, then: Event[]): Loop {
  const created: Event = {
    type: 'created',
    at: AT,
    id: 'RALPH_20261115_abc123',
    project: '/p',
    host: 'claude-code',
    definition: {
      name: null,
      mode: 'loop',
      driver: 'hook',
      prompt: hash('p'),
      gates: promise === null ? [{ kind: 'signal' }] : [{ kind: 'promise', text: promise }],
      require: 'all',
      atLeast: 0,
      iterations,
      items: null,
      timeMs: null,
      passes: 0,
      views: ['markdown'],
      staleMs: 1,
      checking: { parallel: 1, timeoutMs: 1 },
      config: null,
      costUsd: null,
      tokens: null,
      stalls: null,
      stallsAsked: false,
      protect: [],
      baseline: null,
    },
    by: { actor: 'session', session, prompt: null },
  };
  const bound: Event = { type: 'bound', at: AT, session, process: 1, prompt: null, how: 'command' };
  const loop = [created, bound, ...then].reduce<Loop | null>(fold, null);
  if (loop === null) throw new Error('no loop');
  return loop;
}

const AFTER: Event[][] = [
  [],
  [{ type: 'paused', at: AT, by: 'session', why: 'command' }],
  [{ type: 'interrupted', at: AT, why: 'session-end', detail: 'other' }],
  [{ type: 'cancelled', at: AT, by: 'terminal', prompt: null }],
  [{ type: 'aborted', at: AT, why: 'view', detail: 'x', evidence: null }],
];

describe('the front matter is valid YAML, and valid by the schema', () => {
  test('for any promise, prompt, limit, session and status', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('null', 'yes', '1', '---', '# x', "it's", '"', '\\', 'a: b'),
    );
    fc.assert(
      fc.property(
        fc.option(text),
        text,
        fc.option(fc.integer({ min: 1, max: 999_999_999 })),
        fc.uuid(),
        fc.constantFrom(...AFTER),
        (promise, prompt, iterations, session, then) => {
          const loop = loopOf(promise, iterations, session, then);
          const { fields, body } = read(renderMarkdown(loop, prompt));
          expect(flaws(fields)).toEqual([]);
          expect(fields).toMatchObject({
            completion_promise: promise,
            max_iterations: iterations ?? 'unlimited',
            session_id: session,
            status: loop.status.is,
          });
          expect(body).toBe(prompt);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('for the template that ships with the plugin', () => {
    const { fields } = read(readFileSync(new URL('plugin/templates/ralph-loop.local.md', root), 'utf8'));
    expect(flaws(fields)).toEqual([]);
  });
});

describe('the schema and the reader agree on a file written by hand', () => {
  test.each([
    ['iteration: 1\nmax_iterations: 50\ncompletion_promise: "COMPLETE"', true],
    ['max_iterations: unlimited\ncompletion_promise: DONE', true],
    ["completion_promise: 'it''s done'\nmax_iterations: 3\niteration: 1", true],
    ['# only a comment\nmax_iterations: "7" # seven', true],
    ['completion_promise: null\nmax_iterations: ~', true],
    ['completion_promise: 42\nmine: true', true],
    ['active: true\niteration: 1\nmax_iterations: 0\ncompletion_promise: null', true],
    ['max_iterations: 0', false],
    ['max_iterations: -1', false],
    ['max_iterations: 1.5', false],
    ['max_iterations: many', false],
    ['max_iterations: 1000000000', false],
    ['iteration: one', false],
    ['iteration: -1', false],
  ])('%j', (head, taken) => {
    const content = `---\n${head}\n---\nDo it.\n`;
    expect(readHandWritten(content).is).toBe(taken ? 'loop' : 'garbage');
    expect(flaws(read(content).fields).length === 0).toBe(taken);
  });
});

test('a file with a loop_id is a rendering, and has all of its fields', () => {
  expect(flaws({ loop_id: 'RALPH_20261115_abc123', iteration: 1 })).toContain(
    " must have required property 'digest'",
  );
});
