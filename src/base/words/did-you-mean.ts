/** A part of a word is nearer than two slips, and not as near as one. */
const PART_DISTANCE = 1.5;

/** Which known word a person meant; null: none is similar, and a guess would mislead. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const word = typed.slice(0, 40).toLowerCase();
  let [meant, least]: [string | null, number] = [null, Infinity];
  for (const candidate of known) {
    const distance = distanceBetween(word, candidate.toLowerCase());
    if (distance < least) [meant, least] = [candidate, distance];
  }
  return meant;
}

/** Infinity: the two have too little in common. */
function distanceBetween(word: string, meant: string): number {
  const slips = editDistance(word, meant);
  // A part of a word is meant, unless another word is nearly the same.
  if (isPart(word, meant)) return Math.min(slips, PART_DISTANCE);
  // One letter in three may be wrong. A common beginning does not count: all flags begin with dashes, and all
  // loops of a day with its date.
  const most = Math.max(PART_DISTANCE, (word.length - commonStart(word, meant)) / 3);
  return slips <= most ? slips : Infinity;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/**
 * `--iterations` is a part of the known word, `--frame-mode` contains it. One or two letters would match too
 * much.
 */
function isPart(word: string, known: string): boolean {
  const [typed, meant] = [nameOf(word), nameOf(known)];
  return Math.min(typed.length, meant.length) > 2 && (meant.includes(typed) || typed.includes(meant));
}

function nameOf(word: string): string {
  return word.replace(/^-+/, '');
}

/** Two swapped letters count as one mistake. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const [above = 0, left = 0, corner = 0] = [row[j + 1], next[j], row[j]];
      const swapped = a[i] === b[j - 1] && a[i - 1] === b[j];
      const swap = swapped ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(above + 1, left + 1, corner + (a[i] === b[j] ? 0 : 1), swap));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

export function quoteTyped(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
