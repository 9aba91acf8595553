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

/** Cuts a text into pieces, some of which decide. Those of then take the place of those of now. */
export function pieces(cut: (text: string) => readonly Piece[]): Parts {
  const deciding = (text: string) =>
    cut(text)
      .filter(({ decides }) => decides)
      .map((piece) => piece.text)
      .join('');
  return {
    deciding: (text) => deciding(text).trim(),
    withDeciding: (now, then) => {
      const found = cut(now);
      const first = found.findIndex(({ decides }) => decides);
      const at = first === -1 ? found.length : first;
      const rest = (some: readonly Piece[]) =>
        some.flatMap(({ text, decides }) => (decides ? [] : [text])).join('');
      return [rest(found.slice(0, at)), deciding(then), rest(found.slice(at))]
        .filter((part) => part !== '')
        .map((part) => (part.endsWith('\n') ? part : `${part}\n`))
        .join('');
    },
  };
}

export function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
