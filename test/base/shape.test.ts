import { describe, expect, it } from 'vitest';
import {
  amount,
  codeOf,
  either,
  errorMessage,
  flag,
  instant,
  isId,
  jsonLines,
  list,
  maybe,
  once,
  oneOf,
  orNull,
  parseAs,
  positive,
  readAs,
  record,
  recordAt,
  recordsIn,
  text,
  textAt,
  textOrNull,
  type Shape,
  whole,
} from '#base/shape.ts';

const ODD = [undefined, null, {}, [], 'x', '', '1', 1, 0, -1, 1.5, NaN, Infinity, true, false] as const;

/** Those of the odd values that have this shape. */
function of(shape: Shape<unknown>): unknown[] {
  return ODD.filter((value) => shape(value));
}

describe('of values of every kind', () => {
  it.each<[string, () => Shape<unknown>, unknown[]]>([
    ['texts', () => text, ['x', '', '1']],
    ['flags', () => flag, [true, false]],
    ['whole numbers', () => whole, [1, 0]],
    ['positive whole numbers', () => positive, [1]],
    ['amounts', () => amount, [1, 0, 1.5]],
    ['words of a list', () => oneOf('x', 'y'), ['x']],
    ['texts or null', () => orNull(text), [null, 'x', '', '1']],
    ['texts that may be left out', () => maybe(text), [undefined, 'x', '', '1']],
    ['lists', () => list(text), [[]]],
    ['records', () => record({}), [{}]],
    ['records with a field that may be left out', () => record({ a: maybe(text) }), [{}]],
    ['records with a field', () => record({ a: text }), []],
    ['flags or whole numbers', () => either(flag, whole), [1, 0, true, false]],
  ])('%s are these', (_, shape, values) => expect(of(shape())).toEqual(values));

  it('a list is what every item is', () => {
    expect(list(text)(['a', 'b'])).toBe(true);
    expect(list(text)(['a', 1])).toBe(false);
  });

  it('a record has every field, and may have more', () => {
    const both = record({ a: text, b: whole });
    expect(both({ a: 'x', b: 1, c: true })).toBe(true);
    expect(both({ a: 'x', b: '1' })).toBe(false);
    expect(both({ a: 'x' })).toBe(false);
  });

  it('an instant is a text that tells a time', () => {
    expect(instant('2026-01-05T10:00:00.000Z')).toBe(true);
    expect(instant('some day')).toBe(false);
    expect(instant(0)).toBe(false);
  });
});

it('what is made once is the same at every call, and not made before the first', () => {
  let made = 0;
  const thing = once(() => ({ made: ++made }));
  expect(made).toBe(0);
  expect(thing()).toBe(thing());
  expect(thing()).toEqual({ made: 1 });
});

it('an id may become a file name, so it leads nowhere else', () => {
  for (const id of ['RALPH_20260105_abc123', 'tools-1', 'x'.repeat(128)]) expect(isId(id)).toBe(true);
  for (const other of ['', '..', 'a/b', 'a\\b', 'a b', 'a\n', 'é', 'x'.repeat(129), 12, null])
    expect(isId(other)).toBe(false);
});

describe('a JSON text', () => {
  const point = record({ x: whole });

  it('gives its value if that has the shape', () => {
    expect(parseAs(point, '{"x": 1}')).toEqual({ x: 1 });
    expect(readAs(point, () => '{"x": 1}')).toEqual({ x: 1 });
  });

  it.each([['{"x": "1"}'], ['{"x": 1'], [''], ['null'], [null]])('gives null for %j', (json) => {
    expect(parseAs(point, json)).toBeNull();
    expect(readAs(point, () => json)).toBeNull();
  });

  it('gives null if it cannot be read', () => {
    const read = (): string => {
      throw new Error('EACCES');
    };
    expect(readAs(point, read)).toBeNull();
  });
});

it('a field that is not text is empty, or null', () => {
  expect(textAt({ a: 'b' }, 'a')).toBe('b');
  expect(textAt({ a: 1 }, 'a')).toBe('');
  expect(textAt({}, 'a')).toBe('');
  expect(textOrNull('b')).toBe('b');
  expect(textOrNull('')).toBeNull();
  expect(textOrNull(1)).toBeNull();
});

it.each<[string, unknown, string]>([
  ['an error of Node', Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'ENOENT'],
  ['any other error', new Error('it broke'), 'Error: it broke'],
  ['a text', 'it broke', 'it broke'],
  ['nothing', undefined, 'undefined'],
])('says what went wrong where %s was thrown', (_name, thrown, words) => {
  expect(codeOf(thrown)).toBe(words);
});

it('the message of an error, or what else was thrown', () => {
  expect(errorMessage(new Error('it broke'))).toBe('it broke');
  expect(errorMessage('it broke')).toBe('it broke');
});

describe('objects from outside', () => {
  it('a field that holds none gives an empty one, and a list those that it holds', () => {
    expect(recordAt({ a: { b: 1 }, c: [1] }, 'a')).toEqual({ b: 1 });
    expect(recordAt({ a: { b: 1 }, c: [1] }, 'c')).toEqual({});
    expect(recordsIn([{ a: 1 }, null, 'x', [2], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(recordsIn({ a: 1 })).toEqual([]);
  });

  it('of lines of JSON, empty and torn ones are left out', () => {
    expect(jsonLines('{"a":1}\n\n2\n{"torn\n"x"\n')).toEqual([{ a: 1 }, 2, 'x']);
    expect(jsonLines('')).toEqual([]);
  });
});
