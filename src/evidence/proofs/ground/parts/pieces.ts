/** Texts of which some pieces decide how the checks judge, and the others are work. */

export interface Parts {
  /** The part that decides, in a form that can be compared. */
  readonly deciding: (text: string) => string;
  /** The file of now with the deciding part of `then`. */
  readonly withDeciding: (now: string, then: string) => string;
}

export interface Piece {
  readonly text: string;
  readonly decides: boolean;
}

/**
 * Cuts a text into pieces, some of which decide. The deciding pieces of `then` replace those of `now`. A piece
 * that is in both stays where it is, since its place may decide as well (a variable before the rule that uses
 * it).
 */
export function pieces(cut: (text: string) => readonly Piece[]): Parts {
  const decidingIn = (text: string) => cut(text).flatMap((piece) => (piece.decides ? [piece.text] : []));
  return {
    deciding: (text) => decidingIn(text).join('').trim(),
    withDeciding: (now, then) => joinPieces(replaceDeciding(cut(now), decidingIn(then))),
  };
}

/** Between two pieces that stay, the pieces of `then` take the place of the first one that goes. */
function replaceDeciding(now: readonly Piece[], then: readonly string[]): string[] {
  const kept = commonPieces(
    now.flatMap(({ text, decides }, at) => (decides ? [{ text, at }] : [])),
    then,
  );
  const found: string[] = [];
  let [next, end] = [0, 0];
  const put = (until: number) => {
    found.splice(end, 0, ...then.slice(next, until));
    next = until;
  };
  let hasPlace = false;
  for (const [at, { text, decides }] of now.entries()) {
    const same = kept.get(at);
    if (decides && same === undefined) {
      if (!hasPlace) end = found.length;
      hasPlace = true;
    } else if (same === undefined) found.push(text);
    else {
      // Nothing went before the first piece that stays, so the pieces of `then` come right before it.
      if (!hasPlace && next === 0) end = found.length;
      put(same);
      found.push(text);
      [next, end, hasPlace] = [same + 1, found.length, false];
    }
  }
  if (!hasPlace && kept.size === 0) end = found.length;
  put(then.length);
  return found;
}

/** Above this no piece stays: all pieces of `then` take the place of the first one of `now`. */
const MAX_COMPARED = 1_000_000;

/** The pieces that stay, by their places in `now` and in `then`: the longest common sequence. */
function commonPieces(
  now: readonly { readonly text: string; readonly at: number }[],
  then: readonly string[],
): ReadonlyMap<number, number> {
  if (now.length * then.length > MAX_COMPARED) return new Map();
  const lengths = now.map(() => then.map(() => 0));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = now.length - 1; i >= 0; i--)
    for (let j = then.length - 1; j >= 0; j--) {
      const row = lengths[i] ?? [];
      row[j] =
        now[i]?.text.trim() === then[j]?.trim()
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  const found = new Map<number, number>();
  for (let [i, j] = [0, 0]; i < now.length && j < then.length;)
    if (now[i]?.text.trim() === then[j]?.trim()) found.set(now[i++]?.at ?? -1, j++);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  return found;
}

function joinPieces(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join('');
}

export function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
