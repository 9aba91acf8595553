/** Which known word a person meant; null: none is similar, and a guess would mislead. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const word = typed.slice(0, 40).toLowerCase();
  const distances = known.map((candidate) => {
    const meant = candidate.toLowerCase();
    const slips = editDistance(word, meant);
    // A part of a word is meant, unless another word is nearly the same.
    return isPart(word, meant) ? Math.min(slips, 1.5) : slips;
  });
  const least = Math.min(...distances);
  // At most every second letter may be wrong: with more, hardly anything is left of the word.
  const most = Math.ceil(nameOf(word).length / 2);
  return least <= most ? (known[distances.indexOf(least)] ?? null) : null;
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
