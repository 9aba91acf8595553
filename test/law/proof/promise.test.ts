import { mayHoldTag } from '#base/words/sanitize.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate, Mode } from '#law/record/definition.ts';
import {
  readDistress,
  readPromise,
  readSaid,
  sayNearMiss,
  type NearMiss,
  type Tag,
} from '#law/proof/promise.ts';
import { check, running } from '../given.ts';

function tag(text: string, over: Partial<Tag> = {}): Tag {
  return { name: 'promise', text, where: 'prose', place: 'line', ...over };
}

const missed = (is: NearMiss['is'], seen: string) => ({ is: 'missed', near: { is, seen } });

describe('a promise', () => {
  const cases: [string, Tag[], unknown][] = [
    ['is kept alone on its line', [tag('DONE')], { is: 'kept' }],
    ['is kept at the end', [tag('DONE', { place: 'end' })], { is: 'kept' }],
    ['is compared with white space folded', [tag('\r\n\t DONE \n')], { is: 'kept' }],
    ['is absent without a tag', [], { is: 'absent' }],
    ['is not a mode signal', [tag('DONE', { name: 'loop-done' })], { is: 'absent' }],
    ['is missed in code', [tag('DONE', { where: 'code' })], missed('in-code', 'DONE')],
    ['is missed in a quote', [tag('DONE', { where: 'quote' })], missed('in-quote', 'DONE')],
    ['is missed in a comment', [tag('DONE', { where: 'comment' })], missed('in-comment', 'DONE')],
    ['is missed in mid-sentence', [tag('DONE', { place: 'inside' })], missed('mid-sentence', 'DONE')],
    ['is missed with other text', [tag('ALMOST')], missed('other-text', 'ALMOST')],
    ['is compared with its case', [tag('done')], missed('other-text', 'done')],
    ['is missed when empty', [tag(' ')], missed('other-text', '')],
    ['is kept beside a mention', [tag('DONE', { where: 'code' }), tag('DONE')], { is: 'kept' }],
    ['is kept beside another text', [tag('DONE'), tag('TEXT')], { is: 'kept' }],
    [
      'is contradicted by BLOCKED',
      [tag('DONE'), tag('BLOCKED: no key')],
      missed('contradicted', 'BLOCKED: no key'),
    ],
    ['is contradicted by ESCALATE', [tag('ESCALATE'), tag('DONE')], missed('contradicted', 'ESCALATE')],
    ['is not contradicted by a mention', [tag('BLOCKED', { where: 'code' }), tag('DONE')], { is: 'kept' }],
    ['is absent when all is distress', [tag('BLOCKED')], { is: 'absent' }],
    [
      'is missed by the tag that came nearest: its text before its place',
      [tag('DONE', { where: 'quote' }), tag('OTHER'), tag('MORE', { where: 'code' })],
      missed('in-quote', 'DONE'),
    ],
    [
      'is missed by a tag that stands rather than by one that does not',
      [tag('OTHER'), tag('MORE', { where: 'code' })],
      missed('other-text', 'OTHER'),
    ],
    [
      'is missed by the last tag where none comes near',
      [tag('ONE', { where: 'quote' }), tag('TWO', { where: 'quote' }), tag('THREE', { where: 'code' })],
      missed('in-code', 'THREE'),
    ],
  ];
  it('is not a signal with its words, in a frame where that signal means nothing', () => {
    expect(readPromise([tag('COMPLETE', { name: 'loop-done' })], 'COMPLETE', 'grind').is).toBe('missed');
  });

  it.each(cases)('%s', (_, tags, reading) => {
    expect(readPromise(tags, 'DONE')).toEqual(reading);
  });

  it('may hold regex characters and any Unicode', () => {
    for (const wanted of ['.*', '$& (done)? [x]+', '全部完成 ✅', 'Cafe\u0301']) {
      expect(readPromise([tag(wanted)], wanted)).toEqual({ is: 'kept' });
    }
    expect(readPromise([tag('anything')], '.*')).toEqual(missed('other-text', 'anything'));
    expect(readPromise([tag('Caf\u00e9')], 'Cafe\u0301').is).toBe('missed');
  });

  it('is folded on both sides', () => {
    expect(readPromise([tag('ALL TESTS PASS')], ' ALL\n  TESTS\tPASS ')).toEqual({ is: 'kept' });
  });

  it('property: only a tag that stands, with exactly that text, keeps it', () => {
    fc.assert(
      fc.property(fc.array(anyTag()), fc.constantFrom('DONE', 'BLOCKED', 'ALL DONE'), (tags, wanted) => {
        const promised = tags.some(
          ({ name, text, where, place }) =>
            name === 'promise' && where === 'prose' && place !== 'inside' && text.trim() === wanted,
        );
        const { is } = readPromise(tags, wanted);
        expect(is === 'kept').toBe(promised && readDistress(tags, wanted) === null);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('distress', () => {
  const cases: [string, unknown][] = [
    ['BLOCKED', { is: 'blocked', words: '' }],
    ['ESCALATE', { is: 'escalate', words: '' }],
    ['BLOCKED: no API key', { is: 'blocked', words: 'no API key' }],
    ['BLOCKED - no API key', { is: 'blocked', words: 'no API key' }],
    ['BLOCKED — no API key', { is: 'blocked', words: 'no API key' }],
    ['\nBLOCKED:\n  two\n  lines\n', { is: 'blocked', words: 'two lines' }],
    ['ESCALATE:', { is: 'escalate', words: '' }],
    ['blocked', null],
    ['NOT BLOCKED', null],
    ['BLOCKED no API key', null],
    ['BLOCKEDX', null],
    ['UNBLOCKED: yes', null],
  ];
  it.each(cases)('%j', (text, distress) => {
    expect(readDistress([tag(text)], 'DONE')).toEqual(distress);
    expect(readDistress([tag(text)], null)).toEqual(distress);
  });

  it('must stand like a promise', () => {
    for (const where of ['code', 'quote', 'comment'] as const) {
      expect(readDistress([tag('BLOCKED', { where })], 'DONE')).toBeNull();
    }
    expect(readDistress([tag('BLOCKED', { place: 'inside' })], 'DONE')).toBeNull();
    expect(readDistress([tag('BLOCKED', { place: 'end' })], 'DONE')).not.toBeNull();
    expect(readDistress([tag('BLOCKED', { name: 'loop-done' })], 'DONE')).toBeNull();
  });

  it('is the promise where the promise is that very word', () => {
    expect(readDistress([tag('BLOCKED')], 'BLOCKED')).toBeNull();
    expect(readPromise([tag('BLOCKED')], 'BLOCKED')).toEqual({ is: 'kept' });
    expect(readDistress([tag('BLOCKED: by whom?')], 'BLOCKED')).toEqual({ is: 'blocked', words: 'by whom?' });
    expect(readDistress([tag('ESCALATE')], 'BLOCKED')).toEqual({ is: 'escalate', words: '' });
  });

  it('is the last of several, and stays when it contradicts the promise', () => {
    const tags = [tag('BLOCKED: a'), tag('ESCALATE: b'), tag('DONE')];
    expect(readDistress(tags, 'DONE')).toEqual({ is: 'escalate', words: 'b' });
  });

  it('is bounded and free of control characters', () => {
    const words = readDistress([tag(`BLOCKED: \u001b[31m${'x'.repeat(100_000)}`)], null)?.words ?? '';
    expect(words.startsWith('xxx')).toBe(true);
    expect(words.length).toBeLessThanOrEqual(1_000);
  });
});

describe('the signals of the modes', () => {
  const signal = (name: string, text: string, over: Partial<Tag> = {}) => tag(text, { name, ...over });

  it.each<[string, string, Mode, unknown]>([
    ['loop-done', 'COMPLETE', 'loop', 'kept'],
    ['loop-done', ' COMPLETE\n', 'issue', 'kept'],
    ['loop-done', 'COMPLETE', 'grind', 'missed'],
    ['issue-complete', 'DONE', 'issue', 'kept'],
    ['issue-complete', 'DONE', 'loop', 'missed'],
    ['grind-done', 'NO_MORE_ISSUES', 'grind', 'kept'],
    ['grind-done', 'NO_MORE_ISSUES', 'issue', 'missed'],
    ['loop-done', 'STUCK', 'loop', 'absent'],
  ])('<%s>%s in a frame of mode %s: %s', (name, text, mode, is) => {
    expect(readPromise([signal(name, text)], null, mode).is).toBe(is);
  });

  it.each<[string, string, Mode, unknown]>([
    ['loop-done', 'STUCK', 'loop', { is: 'stuck', words: '' }],
    ['loop-done', 'STUCK', 'issue', { is: 'stuck', words: '' }],
    ['loop-done', 'STUCK', 'grind', null],
    ['loop-done', 'MAX_ITERATIONS', 'issue', { is: 'iterations', words: '' }],
    ['grind-done', 'MAX_ISSUES', 'grind', { is: 'items', words: '' }],
    ['grind-done', 'MAX_ISSUES', 'loop', null],
    ['loop-done', 'COMPLETE', 'loop', null],
  ])('<%s>%s in a frame of mode %s, as distress: %j', (name, text, mode, distress) => {
    expect(readDistress([signal(name, text)], null, mode)).toEqual(distress);
  });

  it('miss by name, as a promise does', () => {
    expect(readPromise([signal('loop-done', 'COMPLETE', { where: 'code' })], null, 'loop')).toEqual({
      is: 'missed',
      near: { is: 'in-code', seen: 'COMPLETE', name: 'loop-done' },
    });
    expect(readPromise([tag('DONE'), signal('loop-done', 'STUCK')], 'DONE', 'loop')).toEqual({
      is: 'missed',
      near: { is: 'contradicted', seen: 'STUCK', name: 'loop-done' },
    });
  });
});

describe('a message', () => {
  it.each([
    ['Done.\n<promise>DONE</promise>', true],
    ['<loop-done>STUCK</loop-done>', true],
    ['I write <promise> at the end.', false],
    ['</promise>', false],
    ['<other>DONE</other>', false],
    ['', false],
  ])('%j: looked through for tags: %s', (message, may) => {
    expect(mayHoldTag(message, ['promise', 'loop-done'])).toBe(may);
  });
});

describe('what a message says', () => {
  const frame = (gates: Gate[]) => running({ gates }).frame;
  const promised: Gate[] = [{ kind: 'promise', text: 'DONE' }];
  const silent = { kept: false, usual: false, contradicted: false, near: null, distress: null };

  it('is nothing without a tag', () => {
    expect(readSaid([], frame(promised))).toBeNull();
  });

  it('the promise, what came near, and what contradicts it', () => {
    expect(readSaid([tag('DONE')], frame(promised))).toEqual({ ...silent, kept: true });
    expect(readSaid([tag('OTHER')], frame(promised))).toEqual({
      ...silent,
      near: sayNearMiss({ is: 'other-text', seen: 'OTHER' }, '<promise>DONE</promise>'),
    });
    expect(readSaid([tag('DONE'), tag('BLOCKED')], frame(promised))).toMatchObject({
      kept: false,
      contradicted: true,
      distress: { is: 'blocked' },
    });
  });

  it('the usual promise, only where none is asked for', () => {
    expect(readSaid([tag('COMPLETE')], frame([check('true')]))).toEqual({ ...silent, usual: true });
    expect(readSaid([tag('OTHER')], frame([check('true')]))).toEqual(silent);
    expect(readSaid([tag('COMPLETE')], frame(promised))).toMatchObject({ usual: false, kept: false });
  });
});

describe('the words for a near miss', () => {
  const kinds: NearMiss['is'][] = [
    'in-code',
    'in-quote',
    'in-comment',
    'mid-sentence',
    'other-text',
    'contradicted',
  ];

  it.each(kinds)('%s: say what was seen and what would count', (is) => {
    const words = sayNearMiss({ is, seen: 'SEEN' }, '<promise>WANTED</promise>');
    expect(words).toContain('<promise>SEEN</promise>');
    expect(words).toContain('<promise>WANTED</promise>');
    expect(words).toContain('alone on its own line');
    expect(words).not.toContain('\n');
  });

  it('are exact', () => {
    const line = '<promise>WANTED</promise>';
    const counts = `To end the loop, write ${line} as plain text, alone on its own line, and only when it is true.`;
    const say = (is: NearMiss['is'], name?: string) =>
      sayNearMiss(name === undefined ? { is, seen: 'X' } : { is, seen: 'X', name }, line);
    const has = 'Your last message has <promise>X</promise>';
    expect(say('in-code')).toBe(`${has} inside code, where it does not count. ${counts}`);
    expect(say('in-quote')).toBe(
      `${has} inside a quote, where it does not count (a line directly below a quote belongs to it: leave a blank line). ${counts}`,
    );
    expect(say('in-comment')).toBe(`${has} inside an HTML comment, where it does not count. ${counts}`);
    expect(say('mid-sentence')).toBe(
      `${has} with other text or markup around it, where it does not count. ${counts}`,
    );
    expect(say('other-text')).toBe(`${has}, which is not the text of the promise. ${counts}`);
    expect(say('other-text', 'loop-done')).toBe(
      `Your last message has <loop-done>X</loop-done>, which is not what ends this task. ${counts}`,
    );
    expect(say('contradicted')).toBe(
      `Your last message has the promise together with <promise>X</promise>. They contradict each other, so the promise does not count. ${counts}`,
    );
  });

  it('all differ', () => {
    expect(new Set(kinds.map((is) => sayNearMiss({ is, seen: 'X' }, '<promise>X</promise>'))).size).toBe(
      kinds.length,
    );
  });

  it('are bounded however long the tag was', () => {
    const reading = readPromise([tag('y'.repeat(1_000_000))], 'DONE');
    expect(
      reading.is === 'missed' && sayNearMiss(reading.near, '<promise>DONE</promise>').length,
    ).toBeLessThan(600);
  });
});

function anyTag(): fc.Arbitrary<Tag> {
  return fc.record({
    name: fc.constantFrom('promise', 'loop-done'),
    text: fc.constantFrom('DONE', ' DONE\n', 'BLOCKED', 'BLOCKED: x', 'ESCALATE', 'done', 'ALL DONE', ''),
    where: fc.constantFrom('prose', 'prose', 'code', 'quote', 'comment'),
    place: fc.constantFrom('line', 'end', 'inside'),
  });
}
