/** `HOOK-<seconds since 1970>-<random>`, as people know it. */

const LETTERS = 6;

export function newHookId(now: number, random: () => number, isTaken: (id: string) => boolean): string {
  const letters = Array.from({ length: LETTERS }, () => Math.floor(random() * 36).toString(36)).join('');
  const id = `HOOK-${Math.floor(now / 1000)}-${letters}`;
  if (!isTaken(id)) return id;
  // Whatever chance does, even when it always draws the same.
  let n = 2;
  while (isTaken(id + n.toString(36))) n++;
  return id + n.toString(36);
}
