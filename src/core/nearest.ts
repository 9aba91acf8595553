/** Which of the known words someone meant who typed another one. */
export function nearest(typed: string, known: readonly string[]): string {
  const word = typed.slice(0, 40).toLowerCase();
  const distances = known.map((candidate) => (isPart(word, candidate) ? 0 : editDistance(word, candidate)));
  return known[distances.indexOf(Math.min(...distances))] ?? '';
}

/** `--iterations` is a part of what was meant; one or two letters are a part of too much. */
function isPart(word: string, whole: string): boolean {
  const name = word.replace(/^-+/, '');
  return name.length > 2 && whole.includes(name);
}

/** Two letters in the wrong order are one slip. */
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
