/** Rows of a full screen: parts with a colour each, cut to the width of the terminal. */
import { ellipsisOf, painted, terminalText, type Brush, type Viewport } from '../lines.ts';
import { clip, widthOf } from '../width.ts';

export interface RowPart {
  readonly text: string;
  readonly brush: Brush;
}

export function part(text: string, brush: Brush = null): RowPart {
  return { text, brush };
}

export function cell(
  text: string,
  width: number,
  brush: Brush = null,
  align: 'left' | 'right' = 'left',
): RowPart {
  const cut = clip(text, width, '…');
  const pad = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return { text: align === 'left' ? cut + pad : pad + cut, brush };
}

export function rowOf(parts: readonly RowPart[], viewport: Viewport, right: readonly RowPart[] = []): string {
  const left = cutTo(parts, viewport.width, viewport);
  const used = widthIn(left);
  const aside = right.map((one) => ({ ...one, text: terminalText(one.text, viewport) }));
  const gap = viewport.width - used - widthIn(aside);
  const all = aside.length > 0 && gap >= 1 ? [...left, part(' '.repeat(gap)), ...aside] : left;
  return all.map(({ text, brush }) => painted(text, brush, viewport)).join('');
}

function cutTo(parts: readonly RowPart[], width: number, viewport: Viewport): RowPart[] {
  let room = width;
  return parts.flatMap(({ text, brush }) => {
    const kept = clip(terminalText(text, viewport), room, ellipsisOf(viewport));
    room -= widthOf(kept);
    return kept === '' ? [] : [{ text: kept, brush }];
  });
}

function widthIn(parts: readonly RowPart[]): number {
  return parts.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function filled(rows: readonly string[], height: number): string[] {
  return [...rows.slice(0, height), ...Array.from({ length: Math.max(0, height - rows.length) }, () => '')];
}
