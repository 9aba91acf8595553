import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Event } from '#law/record/events.ts';
import { hash } from '#base/hash.ts';
import type { Loop } from '#law/loop.ts';
import {
  readHandWritten,
  readMarkdown,
  renderMarkdown,
  parseFrontMatter,
} from '#evidence/views/markdown/format.ts';
import { GO_ON, MINUTE, after, claim, pass, running, verdict } from '../../../law/given.ts';
import { cpuMs } from '../../../cpu.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

function loopWith(prompt: string, ...more: Event[]): Loop {
  return running({ prompt: hash(prompt) }, ...more);
}

/** Reads a view as the hearing does, with these prompts kept. */
function reading(content: string, loop: Loop, ...prompts: string[]) {
  const kept = new Map(prompts.map((prompt) => [hash(prompt), prompt]));
  return readMarkdown(content, loop, (key) => kept.get(key) ?? '');
}

describe('a rendering', () => {
  it('is valid YAML with every field that is promised, and the prompt below', () => {
    const loop = running({ prompt: hash('Do it.') }, ...pass(1));
    const content = renderMarkdown(loop, 'Do it.');
    const [, yaml = '', body] = content.split(/^---\n/m);
    expect(body).toBe('Do it.');
    expect(parse(yaml)).toMatchObject({
      iteration: 2,
      max_iterations: 50,
      completion_promise: 'COMPLETE',
      session_id: 's1',
      loop_id: 'RALPH_20260105_abc123',
      status: 'running',
      started_at: after(0),
      updated_at: after(MINUTE + 1_000),
    });
  });

  it('says unlimited and null where there is no limit and no promise', () => {
    const loop = running({
      iterations: null,
      gates: [{ kind: 'check', name: null, command: 'x', timeoutMs: 1, begun: 'failed' }],
    });
    expect(renderMarkdown(loop, '')).toMatch(/^max_iterations: unlimited\ncompletion_promise: null$/m);
  });

  it('does not claim to run when the host has probably ended the turn', () => {
    const said = { ...GO_ON, missing: [], capped: true };
    const loop = running({}, claim(1), verdict(1, { verdict: said }));
    expect(renderMarkdown(loop, '')).toContain('status: interrupted\n');
  });
});

describe('the prompt', () => {
  const hard = [
    '',
    'plain',
    '---\n',
    '---\niteration: 3\nmax_iterations: 1\n---\nstill the prompt\n',
    'iteration: 3\n',
    'digest: "abc"\nloop_id: "other"\n',
    'CRLF\r\nlines\r\n',
    '\n\n\nleading and trailing\n\n\n',
    '"quotes" \'and\' `ticks` $(shell) $& $1 %s \\n',
    '\uFEFFBOM, naïve, 日本語, 😀, \u2028',
    'x'.repeat(1_048_576),
    '\n'.repeat(200_000),
  ];
  it.each(hard.map((prompt) => [prompt.slice(0, 40), prompt]))(
    '%j comes back byte for byte',
    (_short, prompt) => {
      const loop = loopWith(prompt);
      const content = renderMarkdown(loop, prompt);
      const parsed = parseFrontMatter(content);
      expect(parsed.ok && parsed.body === prompt).toBe(true);
      expect(reading(content, loop, prompt)).toEqual({ is: 'untouched' });
    },
  );

  it('property: whatever it contains', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('---', '\n', '\r', 'key: value', ' ', 'digest: "0"', '#', '"'),
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(text, (prompt) => {
        const loop = loopWith(prompt);
        const content = renderMarkdown(loop, prompt);
        const parsed = parseFrontMatter(content);
        expect(parsed.ok && parsed.body).toBe(prompt);
        expect(reading(content, loop, prompt)).toEqual({ is: 'untouched' });
      }),
    );
  });
});

describe('reading a view back', () => {
  const PROMPT = 'Fix the bug.\nAll of it.\n';
  const loop = loopWith(PROMPT);
  const content = renderMarkdown(loop, PROMPT);
  const edited = (over: object) => ({ is: 'edited', prompt: null, iterations: null, ...over });

  it('an untouched one is untouched however old it is', () => {
    const later = loopWith(PROMPT, ...pass(1), ...pass(2), {
      type: 'amended',
      at: after(MINUTE),
      by: 'view',
      prompt: hash('Other.'),
      iterations: 3,
    });
    expect(reading(content, later, PROMPT, 'Other.')).toEqual({ is: 'untouched' });
  });

  it('an edited prompt or limit is taken, and nothing else', () => {
    expect(reading(content.replace('the bug', 'both bugs'), loop, PROMPT)).toEqual(
      edited({ prompt: 'Fix both bugs.\nAll of it.\n' }),
    );
    expect(reading(content.replace('max_iterations: 50', 'max_iterations: 7'), loop, PROMPT)).toEqual(
      edited({ iterations: 7 }),
    );
    expect(reading(content.replace('max_iterations: 50', 'max_iterations: unlimited'), loop, PROMPT)).toEqual(
      edited({ iterations: 'unlimited' }),
    );
    const others = content
      .replace('iteration: 1', 'iteration: 40')
      .replace('"COMPLETE"', '"EASY"')
      .replace('status: running', 'status: completed')
      .replace('session_id: "s1"', 'session_id: "s2"');
    expect(reading(others, loop, PROMPT)).toEqual(edited({}));
  });

  it('an edit is measured against the rendering that the person had before them', () => {
    // Rendered with 50; meanwhile a terminal has made it 9. The person changes the prompt in the old file.
    const newer = loopWith(PROMPT, {
      type: 'amended',
      at: after(MINUTE),
      by: 'terminal',
      prompt: null,
      iterations: 9,
    });
    expect(reading(content.replace('the bug', 'both'), newer, PROMPT)).toEqual(
      edited({ prompt: 'Fix both.\nAll of it.\n' }),
    );
  });

  it('a final newline, a byte order mark or a removed limit are not an edit', () => {
    expect(reading(`${content}\n\r\n`, loop, PROMPT)).toEqual(edited({}));
    expect(reading(`\uFEFF${content}`, loop, PROMPT)).toEqual(edited({}));
    expect(reading(content.replace('max_iterations: 50\n', ''), loop, PROMPT)).toEqual(edited({}));
  });

  it.each([
    ['', /does not begin/],
    ['garbage', /does not begin/],
    [content.slice(0, 200), /closing|unfinished|no "key/],
    [content.replace('iteration: 1', 'iteration: three'), /iteration is not a number/],
    [content.replace('iteration: 1', 'iteration: -1'), /iteration is not a number/],
    [content.replace('max_iterations: 50', 'max_iterations: 0'), /not a positive number/],
    [content.replace('max_iterations: 50', 'max_iterations: many'), /not a positive number/],
    [content.replace('max_iterations: 50', 'max_iterations: 5.5'), /not a positive number/],
    [content.replace('max_iterations: 50', 'max_iterations: 99999999999'), /not a positive number/],
  ])('garbage says why (%#)', (spoiled, why) => {
    expect(reading(spoiled, loop, PROMPT)).toEqual({ is: 'garbage', why: expect.stringMatching(why) });
  });

  it("another loop's file, or one that names none, is foreign", () => {
    expect(reading(content.replace('_abc123', '_zzz999'), loop, PROMPT)).toEqual({ is: 'foreign' });
    expect(reading('---\niteration: 1\n---\nDo it.\n', loop, PROMPT)).toEqual({ is: 'foreign' });
  });

  it('a long file full of blank lines takes no time', async () => {
    const prompt = `${'\n'.repeat(300_000)}end`;
    const wide = loopWith(prompt);
    const took = await cpuMs(() => {
      reading(`${renderMarkdown(wide, prompt)}x`, wide, prompt);
      readHandWritten(`---\niteration: 1\n---\n${' '.repeat(300_000)}x`);
    });
    expect(took).toBeLessThan(2_000);
  });
});

describe('a file written by hand', () => {
  const three = '---\niteration: 1\nmax_iterations: 50\ncompletion_promise: "COMPLETE"\n---\n';

  it('the three fields of a hand-written file are enough', () => {
    expect(readHandWritten(`${three}Fix the bug.\n`)).toEqual({
      is: 'loop',
      prompt: 'Fix the bug.',
      promise: 'COMPLETE',
      iterations: 50,
      iteration: 1,
      session: null,
      loopId: null,
      official: false,
      endless: false,
      inactive: false,
    });
  });

  it.each([
    [
      'bare and null values',
      '---\nmax_iterations: null\ncompletion_promise: ALL DONE\n---\nx',
      { promise: 'ALL DONE', iterations: null },
    ],
    [
      'another order, comments',
      '---\n# hello\ncompletion_promise: null\niteration: 1 # first\n---\nx',
      { promise: null },
    ],
    ['unlimited', '---\nmax_iterations: unlimited\n---\nx', { iterations: 'unlimited' }],
    [
      'CRLF',
      '---\r\nmax_iterations: 5\r\n---\r\nline one\r\nline two\r\n',
      { iterations: 5, prompt: 'line one\r\nline two' },
    ],
    ['a session', '---\nsession_id: "abc"\n---\nx', { session: 'abc' }],
    [
      "the official plugin's",
      '---\nactive: true\niteration: 1\nmax_iterations: 0\n---\nx',
      { official: true, iterations: null, endless: true, inactive: false },
    ],
    [
      'a promise of several lines, as the official plugin writes it',
      '---\nactive: true\niteration: 3\nmax_iterations: 0\ncompletion_promise: "cargo\n  build: 0 warnings AND\n  `cargo test` says "ok""\nstarted_at: "2026-01-01T00:00:00Z"\n---\n\nx',
      { promise: 'cargo\n  build: 0 warnings AND\n  `cargo test` says "ok"', iteration: 3 },
    ],
    ['one that Da Capo rendered', '---\nloop_id: "RALPH_1"\n---\nx', { loopId: 'RALPH_1' }],
    ['no field at all', '---\n---\nx', { prompt: 'x' }],
  ])('%s', (_name, content, wanted) => {
    expect(readHandWritten(content)).toMatchObject({ is: 'loop', ...wanted });
  });

  it.each([
    ['no front matter', 'Fix the bug.', /does not begin/],
    ['no prompt', three, /no prompt/],
    ['only blank lines', `${three}\n  \n\t\n`, /no prompt/],
    ['a counter that is not a number', '---\niteration: x\n---\ny', /iteration is not a number/],
    [
      'a quote that is never closed',
      '---\nactive: true\ncompletion_promise: "DONE\nmax_iterations: 3\n---\ny',
      /unfinished quote/,
    ],
    ['no limit by zero', '---\nmax_iterations: 0\n---\ny', /not a positive number/],
  ])('%s is garbage', (_name, content, why) => {
    expect(readHandWritten(content)).toEqual({ is: 'garbage', why: expect.stringMatching(why) });
  });

  it('the template of the plugin is one once its placeholder is replaced', () => {
    const template = readFileSync(join(ROOT, 'plugin/templates/ralph-loop.local.md'), 'utf8');
    expect(readHandWritten(template)).toEqual({
      is: 'garbage',
      why: 'your task is missing: replace [Original prompt content here] by it',
    });
    expect(readHandWritten(template.replace(/\[Original.*\]/, 'Fix the bug.'))).toMatchObject({
      is: 'loop',
      promise: 'COMPLETE',
      iterations: 50,
      session: null,
    });
  });

  it('a slash command is none, though it has front matter', () => {
    expect(
      readHandWritten('---\ndescription: Cancel the loop\nallowed-tools: Bash\n---\nDelete it.\n'),
    ).toEqual({
      is: 'garbage',
      why: 'none of its fields is that of a loop, such as max_iterations',
    });
  });
});
