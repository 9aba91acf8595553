import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseFrontMatter, scalar } from '#evidence/views/markdown/format.ts';
import { cpuMs } from '../../../cpu.ts';

function fieldsOf(...lines: string[]): Record<string, string | null> {
  const parsed = parseFrontMatter(`---\n${lines.join('\n')}\n---\nbody`);
  if (!parsed.ok) throw new Error(parsed.why);
  return Object.fromEntries(parsed.fields);
}

function whyNot(content: string): string {
  const parsed = parseFrontMatter(content);
  return parsed.ok ? 'it was read' : parsed.why;
}

describe('values', () => {
  it('are read in one walk, whatever stands behind them', async () => {
    const marks = ' #'.repeat(500_000);
    const took = await cpuMs(() => {
      expect(fieldsOf(`key: a${marks}\u2028b`)).toEqual({ key: 'a' });
      expect(fieldsOf(`key: "a"${marks}\u2028b`)).toEqual({ key: 'a' });
      expect(fieldsOf(`key: 'a'${marks}\u2028b`)).toEqual({ key: 'a' });
    });
    expect(took).toBeLessThan(2_000);
  });

  it.each<[string, string, string | null]>([
    ['bare', 'key: COMPLETE', 'COMPLETE'],
    ['bare with spaces', 'key:   All tests pass  ', 'All tests pass'],
    ['a number', 'key: 50', '50'],
    ['double quotes', 'key: "a: b # c"', 'a: b # c'],
    ['escapes', 'key: "say \\"hi\\" \\u00e9"', 'say "hi" é'],
    ['single quotes', "key: 'it''s # done'", "it's # done"],
    ['null', 'key: null', null],
    ['a tilde', 'key: ~', null],
    ['nothing', 'key:', null],
    ['an empty string', 'key: ""', ''],
    ['a quoted null', 'key: "null"', 'null'],
    ['a comment behind a bare value', 'key: DONE # when all is done', 'DONE'],
    ['a comment behind a quoted value', 'key: "DONE" # when', 'DONE'],
    ['a hash inside a word', 'key: issue#7', 'issue#7'],
    ['only a comment', 'key: # later', null],
    ['quotes inside', 'key: all "tests" pass', 'all "tests" pass'],
    ['a colon inside', 'key: a:b', 'a:b'],
  ])('%s', (_name, line, value) => {
    expect(fieldsOf(line)).toEqual({ key: value });
    // What a person writes means the same here as in YAML.
    const yaml: unknown = parse(line);
    expect(yaml).toEqual({ key: value === '50' ? 50 : value });
  });
});

describe('lines', () => {
  it('comments and blank lines are passed over, keys may come in any order', () => {
    expect(fieldsOf('# a comment', '', '  # indented', 'b: 2', '   ', 'a: 1')).toEqual({ a: '1', b: '2' });
  });

  it('CRLF, a byte order mark and spaces behind the dashes do no harm', () => {
    const parsed = parseFrontMatter('\uFEFF--- \r\nkey: value\r\nother: "x"\r\n---\t\r\nbody\r\nmore');
    expect(parsed).toMatchObject({ ok: true, body: 'body\r\nmore' });
    expect(parsed.ok && Object.fromEntries(parsed.fields)).toEqual({ key: 'value', other: 'x' });
  });

  it.each([
    ['', /does not begin/],
    ['key: value', /does not begin/],
    ['\n---\nkey: value\n---\n', /does not begin/],
    ['---\nkey: value\n', /closing --- line is missing/],
    ['---\nkey: value', /closing --- line is missing/],
    ['---\nkey: 1\nkey: 2\n---\n', /line 3 gives key a second time/],
    ['---\njust words\n---\n', /line 2 is no "key: value"/],
    ['---\nkey:value\n---\n', /line 2 is no/],
    ['---\n  nested: value\n---\n', /line 2 is no/],
    ['---\nkey: "half\n---\n', /unfinished quote/],
    ["---\nkey: 'half\n---\n", /unfinished quote/],
    ['---\nkey: "a" b\n---\n', /unfinished quote/],
    ['---\n- item\n---\n', /line 2 is no/],
  ])('%j is refused', (content, why) => {
    expect(whyNot(content)).toMatch(why);
  });
});

describe('the body', () => {
  it.each(['', 'text', '\n\ntext\n', '---\nkey: other\n---\n', 'iteration: 3\n', '\uFEFFtext', 'a\r\nb'])(
    '%j comes back byte for byte',
    (body) => {
      expect(parseFrontMatter(`---\nkey: value\n---\n${body}`)).toMatchObject({ ok: true, body });
    },
  );

  it('is empty where the closing line is the last', () => {
    expect(parseFrontMatter('---\nkey: value\n---')).toMatchObject({ ok: true, body: '' });
  });
});

describe('property: scalar()', () => {
  const strings = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        "'",
        '\\',
        '#',
        ':',
        ' ',
        '\n',
        '\r',
        '\t',
        '-',
        '\u2028',
        '\u0085',
        '\u007f',
        '\uFEFF',
      ),
    }),
    fc.constantFrom('null', '~', 'true', '1', '1e3', '', '---', '2026-01-05', '0x10', 'yes'),
  );

  it('is read back the same by our reader and by YAML', () => {
    fc.assert(
      fc.property(strings, (value) => {
        const line = `key: ${scalar(value)}`;
        expect(fieldsOf(line)).toEqual({ key: value });
        expect(parse(line)).toEqual({ key: value });
      }),
      { numRuns: 1_000 },
    );
  });

  it('numbers and null too', () => {
    expect(parse(`a: ${scalar(7)}\nb: ${scalar(null)}`)).toEqual({ a: 7, b: null });
    expect(fieldsOf(`a: ${scalar(7)}`, `b: ${scalar(null)}`)).toEqual({ a: '7', b: null });
  });
});
