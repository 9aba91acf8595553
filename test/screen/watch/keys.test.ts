/** Bytes of a terminal as keys. */
import { describe, expect, it } from 'vitest';
import { openKeys, type Key } from '../../../src/screen/watch/keys.ts';

function read(...chunks: (string | Buffer)[]): (string | Key)[] {
  const keys = openKeys();
  return chunks
    .flatMap((chunk) => keys(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    .map((key) => (key.is === 'key' ? key.name : `"${key.text}"`));
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
