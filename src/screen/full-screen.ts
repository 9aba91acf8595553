/**
 * The bytes of a view that fills the terminal. Each update is one write that redraws the rows that differ, so nothing
 * flickers, and a slow line over ssh carries little.
 */

const CSI = '\u001B[';
/** Terminals that know it show the update at once. Others ignore it. */
const BEGIN_UPDATE = `${CSI}?2026h`;
const END_UPDATE = `${CSI}?2026l`;
const NO_WRAP = `${CSI}?7l`;
const WRAP = `${CSI}?7h`;
const ERASE_RIGHT = `${CSI}K`;
const CLEAR = `${CSI}2J`;

/** Pasted text is marked as such, so that it is not a key. */
export const MARK_PASTE = `${CSI}?2004h`;
export const PASTE_AS_TYPED = `${CSI}?2004l`;

/** The alternate screen, without a cursor. */
export const ENTER = `${CSI}?1049h${CSI}?25l${MARK_PASTE}${CLEAR}`;
/** Puts back everything that `ENTER` and an interrupted update have changed. */
export const LEAVE = `${END_UPDATE}${CSI}0m${WRAP}${PASTE_AS_TYPED}${CSI}?25h${CSI}?1049l`;

export interface FullScreen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

export const BLANK: FullScreen = { lines: [], width: 0, height: 0 };

/** Empty: nothing has changed. `lines`: at most one for each row. */
export function redraw(before: FullScreen, now: FullScreen): string {
  const isResized = before.width !== now.width || before.height !== now.height;
  const rows = now.lines.slice(0, now.height);
  const changed = rows.flatMap((line, row) =>
    !isResized && before.lines[row] === line ? [] : [`${CSI}${row + 1};1H${line}${ERASE_RIGHT}`],
  );
  const gone = isResized
    ? []
    : before.lines.slice(rows.length).map((_, k) => `${CSI}${rows.length + k + 1};1H${ERASE_RIGHT}`);
  if (!isResized && changed.length + gone.length === 0) return '';
  return `${BEGIN_UPDATE}${NO_WRAP}${isResized ? CLEAR : ''}${changed.join('')}${gone.join('')}${WRAP}${END_UPDATE}`;
}
