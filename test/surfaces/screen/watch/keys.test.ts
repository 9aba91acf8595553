/** Bytes of a terminal as keys. */
import { describe, expect, it, vi } from 'vitest';
import { ESCAPE_REST_MS, openKeys } from '#surfaces/screen/watch/keys.ts';

/** Bytes in several reads, and after each of them as long as nobody waits for. */
function read(...chunks: (string | Buffer)[]): string[] {
  return readWithin(0, ...chunks);
}

function readWithin(ms: number, ...chunks: (string | Buffer)[]): string[] {
  vi.useFakeTimers();
  const seen: string[] = [];
  const keys = openKeys((some) => {
    for (const key of some) seen.push(key.is === 'key' ? key.name : `"${key.text}"`);
  });
  for (const chunk of chunks) {
    keys(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    vi.advanceTimersByTime(ms);
  }
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  return seen;
}

describe('keys', () => {
  it('have names, in both modes of a terminal', () => {
    expect(read('\u001B[A\u001BOB\u001B[C\u001B[D')).toEqual(['up', 'down', 'right', 'left']);
    expect(read('\u001B[5~\u001B[6~\u001B[H\u001B[4~\u001B[3~\u001B[Z')).toEqual([
      'page-up',
      'page-down',
      'home',
      'end',
      'delete',
      'back-tab',
    ]);
    expect(read('\r\t\u007F\u0003\u001A')).toEqual(['enter', 'tab', 'backspace', 'ctrl-c', 'ctrl-z']);
    expect(read('\u001B')).toEqual(['escape']);
  });

  it('that are typed are text, one character each', () => {
    expect(read('qä👍')).toEqual(['"q"', '"ä"', '"👍"']);
  });

  it('may come in pieces', () => {
    const bytes = Buffer.from('ä');
    expect(read(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['"ä"']);
  });

  it('nobody knows do nothing', () => {
    expect(read('\u001B[31;5u\u0000')).toEqual(['unknown', 'unknown']);
  });

  it('that are pasted are one text, whatever they hold', () => {
    expect(read('\u001B[200~q\u001B[A\n\u001B[201~x')).toEqual(['"q\u001B[A\n"', '"x"']);
    expect(read('\u001B[200~ab', 'cd\u001B[201~')).toEqual(['"abcd"']);
  });
});

/**
 * Each of these was taken for keys that nobody pressed: a paste cancelled a loop, an answer of the terminal
 * resumed one.
 */
describe('a sequence is read whole', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['a paste whose start mark is split', ['\u001B[20', '0~cy please\u001B[20', '1~'], ['"cy please"']],
    ['a paste that begins after its escape', ['\u001B', '[200~cy\u001B[201~'], ['"cy"']],
    ['a paste right after Escape', ['\u001B\u001B[200~cy\u001B[201~'], ['escape', '"cy"']],
    ['an arrow in two reads', ['\u001B', '[A'], ['up']],
    ['an arrow in three reads', ['\u001B', '[', 'A'], ['up']],
    ['a key of the keypad in two reads', ['\u001BO', 'B'], ['down']],
    ['a colour, with BEL', ['\u001B]11;rgb:1c1c/1c1c/1c1c\u0007q'], ['unknown', '"q"']],
    ['a colour, with ST', ['\u001B]11;rgb:1c1c/1c1c/1c1c\u001B\\q'], ['unknown', '"q"']],
    [
      'a colour, cut before the end of ST',
      ['\u001B]11;rgb:1c1c/1c', '1c/1c1c\u001B', '\\q'],
      ['unknown', '"q"'],
    ],
    ['the name of a terminal (DCS)', ['\u001BP>|xterm(380)\u001B\\'], ['unknown']],
    ['where the cursor is', ['\u001B[24;80R'], ['unknown']],
    ['what a terminal can do', ['\u001B[?62;4c\u001B[>0;276;0c'], ['unknown', 'unknown']],
    ['a click, SGR', ['\u001B[<0;12;7M\u001B[<0;12;7m'], ['unknown', 'unknown']],
    ['a click, old form', ['\u001B[M cyq'], ['unknown', '"q"']],
    ['a click, old form, in two reads', ['\u001B[M', ' cy'], ['unknown']],
    ['F1 on the Linux console', ['\u001B[[A'], ['unknown']],
    ['F1 with shift, as old terminals send it', ['\u001BO2P'], ['unknown']],
    ['Alt-p', ['\u001Bp'], ['unknown']],
    ['Alt-Enter', ['\u001B\r'], ['unknown']],
    ['Alt-up of some terminals', ['\u001B\u001B[A'], ['unknown']],
    ['focus', ['\u001B[I\u001B[O'], ['unknown', 'unknown']],
    ['a sequence with an intermediate', ['\u001B[?2026;2$y'], ['unknown']],
  ])('%s', (_, chunks, keys) => {
    expect(readWithin(1, ...chunks)).toEqual(keys);
  });

  it('a line so slow that a paste comes in pieces, a while apart', () => {
    expect(readWithin(400, '\u001B[2', '00~c', 'y\u001B', '[201~')).toEqual(['"cy"']);
  });

  it.each([
    ['\u001B', ['escape']],
    ['\u001B\u001B', ['escape', 'escape']],
    ['\u001B\u001B\u001B', ['escape', 'escape', 'escape']],
    ['\u001B[', ['unknown']],
    ['\u001B]', ['unknown']],
    ['\u001B[1;5', ['unknown']],
  ])('%j alone ends after a moment, and the next key is a key', (bytes, keys) => {
    expect(readWithin(2_000, bytes, 'q')).toEqual([...keys, '"q"']);
  });

  it('Escape is not slow', () => {
    expect(readWithin(ESCAPE_REST_MS, '\u001B', 'q')).toEqual(['escape', '"q"']);
  });

  it.each([
    '\u001B',
    '\u001B\u001B',
    '\u001B[',
    '\u001B[1;',
    '\u001B[ ',
    '\u001B[M',
    '\u001B[M ',
    '\u001BO',
    '\u001B[[',
    '\u001B]11;',
    '\u001BP',
  ])('Ctrl-C is heard right after %j', (bytes) => {
    expect(readWithin(1, `${bytes}\u0003`).at(-1)).toBe('ctrl-c');
    expect(readWithin(1, bytes, '\u0003').at(-1)).toBe('ctrl-c');
  });

  it('wherever it is cut: the same keys', () => {
    const bytes = 'q\u001B[A\u001B[200~cy\u001B[201~\u001B]11;rgb:1c\u001B\\\u001B[<0;1;2M\u001BOBx';
    const whole = read(bytes);
    expect(whole).toEqual(['"q"', 'up', '"cy"', 'unknown', 'unknown', 'down', '"x"']);
    for (let at = 1; at < bytes.length; at++)
      expect(readWithin(1, bytes.slice(0, at), bytes.slice(at))).toEqual(whole);
    expect(readWithin(1, ...bytes.split(''))).toEqual(whole);
  });
});
