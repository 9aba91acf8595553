/** Hostile inputs from a fixed seed: the same seed gives the same inputs on every machine. */

export interface Chance {
  /** From 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  readonly of: <T>(items: readonly [T, ...T[]]) => T;
}

/** Mulberry32. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return { below, of: ([first, ...more]) => [first, ...more][below(more.length + 1)] ?? first };
}

/** What readers tend to stumble over. */
const TOKENS = [
  `" ' \` \\ --- -- - = : # < > </ <promise> </promise> <!-- --> \`\`\` ~~~ $$ { } [ ] ( ) (( $( \${ << <<< >> | || && ; * **/ ? ! ~ ..`,
  '0 -1 1e999 9007199254740993 0x10 NaN null true undefined __proto__ constructor 1970-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z \0 \u001B[2K \u009B \u202E \uFEFF \uD800 \uDC00 ٣ ½ 👩‍👩‍👧 ﷺ e\u0301 \u2028 \n \r\n \t ',
]
  .flatMap((row) => row.split(' '))
  .concat(' ', ': ');
/** Or as long as the longest sample. */
const LONGEST = 4_000;

/** One of the samples, changed in a few places; at times only tokens in a row. */
export function mutated(
  samples: readonly [string, ...string[]],
  words: readonly string[],
  by: Chance,
): string {
  const tokens: [string, ...string[]] = ['x', ...TOKENS, ...words];
  const longest = Math.max(LONGEST, ...samples.map(({ length }) => length));
  if (by.below(10) === 0) return Array.from({ length: by.below(60) }, () => by.of(tokens)).join('');
  let text: string = by.of(samples);
  for (let left = 1 + by.below(6); left > 0; left--) {
    const at = by.below(text.length + 1);
    const length = by.below(by.of([2, 10, 100]));
    const [before, piece, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
    const changes: [() => string, ...(() => string)[]] = [
      () => before + by.of(tokens) + piece + after,
      () => before + after,
      () => before + by.of(tokens) + after,
      () => before + piece.repeat(by.below(20)) + after,
      () => before + by.of(tokens).repeat(by.below(200)) + after,
      () => before + by.of(samples) + after,
      () => before + String.fromCodePoint(by.below(0x11_00_00)) + after,
    ];
    text = by.of(changes)().slice(0, longest);
  }
  return text;
}
