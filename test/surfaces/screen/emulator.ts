/** A terminal as far as our bytes go: it wraps, scrolls, erases, moves up, and reflows when it is resized. */
import { widthOf } from '#surfaces/screen/terminal/width.ts';

const TOKENS = new RegExp(`${'\u001B'}\\[[0-9;?]*([A-Za-z])|\\p{Cc}|\\P{Cc}+`, 'gu');
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

interface Row {
  cells: string[];
  /** The line goes on in the next row. */
  wraps: boolean;
}

export class Emulator {
  rows: Row[] = [{ cells: [], wraps: false }];
  y = 0;
  x = 0;
  cursorShown = true;
  autowrap = true;
  writes = 0;
  constructor(
    public width: number,
    public height: number,
  ) {}

  /** The first row of the window: what is above it can't be reached any more. */
  get top(): number {
    return Math.max(0, this.rows.length - this.height);
  }

  write(bytes: string): void {
    this.writes++;
    for (const [token, final] of bytes.matchAll(TOKENS)) this.#take(token, final);
  }

  #take(token: string, final: string | undefined): void {
    if (final === 'm') return;
    if (token === '\u001B[?25l' || token === '\u001B[?25h') this.cursorShown = token.endsWith('h');
    else if (token === '\u001B[?7l' || token === '\u001B[?7h') this.autowrap = token.endsWith('h');
    else if (final === 'A') this.y = Math.max(this.top, this.y - Number(token.slice(2, -1)));
    else if (final === 'K') this.#row().cells.length = Math.min(this.#row().cells.length, this.x);
    else if (final === 'J') {
      this.rows.length = this.y + 1;
      this.#row().cells.length = Math.min(this.#row().cells.length, this.x);
      this.#row().wraps = false;
    } else if (token === '\r') this.x = 0;
    else if (token === '\n') this.#down();
    else if (token.startsWith('\u001B') || /\p{Cc}/u.test(token))
      throw new Error(`unknown: ${JSON.stringify(token)}`);
    else for (const { segment } of GRAPHEMES.segment(token)) this.#put(segment);
  }

  #row(): Row {
    const row = this.rows[this.y];
    if (row === undefined) throw new Error('the cursor is nowhere');
    return row;
  }

  #down(): void {
    this.y++;
    if (this.y === this.rows.length) this.rows.push({ cells: [], wraps: false });
  }

  #put(cluster: string): void {
    const width = widthOf(cluster);
    if (width === 0) {
      const { cells } = this.#row();
      cells[Math.max(0, this.x - 1)] = (cells[this.x - 1] ?? '') + cluster;
      this.x = Math.max(1, this.x);
      return;
    }
    if (this.x + width > this.width) {
      if (!this.autowrap) this.x = Math.max(0, this.width - width);
      else {
        this.#row().wraps = true;
        this.#down();
        this.x = 0;
      }
    }
    const { cells } = this.#row();
    while (cells.length < this.x) cells.push(' ');
    cells[this.x++] = cluster;
    for (let more = 1; more < width; more++) cells[this.x++] = '';
  }

  /** As tmux, VTE, kitty and iTerm do: what was one line stays one, and the cursor stays at its character. */
  resize(width: number, height: number): void {
    const rows: Row[] = [];
    let [y, x] = [0, 0];
    const line: string[] = [];
    let at: number | null = null;
    for (const [n, row] of this.rows.entries()) {
      if (n === this.y) at = line.length + this.x;
      line.push(...row.cells);
      if (row.wraps) continue;
      const begin = rows.length;
      do rows.push({ cells: line.splice(0, width), wraps: line.length > 0 });
      while (line.length > 0);
      if (at !== null)
        [y, x] = [begin + Math.min(Math.floor(at / width), rows.length - 1 - begin), at % width];
      at = null;
    }
    [this.rows, this.y, this.x, this.width, this.height] = [rows, y, x, width, height];
  }

  /** All lines, the scrollback too, without what stands empty at the end. */
  lines(): string[] {
    const lines: string[] = [];
    let line = '';
    for (const { cells, wraps } of this.rows) {
      line += cells.join('');
      if (wraps) continue;
      lines.push(line.trimEnd());
      line = '';
    }
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  screen(): string[] {
    return this.rows.slice(this.top).map(({ cells }) => cells.join('').trimEnd());
  }
}
