/** How it looks: colours that are passed in, marks that the terminal can show, and which of the modes fits where we are. */
import type { Mark } from './entry.ts';

type PaintText = (text: string) => string;

/** Picocolors is one. */
export interface Paint {
  readonly bold: PaintText;
  readonly dim: PaintText;
  readonly red: PaintText;
  readonly green: PaintText;
  readonly yellow: PaintText;
}

const bare: PaintText = (text) => text;
export const NO_PAINT: Paint = { bold: bare, dim: bare, red: bare, green: bare, yellow: bare };

export interface Style {
  readonly paint: Paint;
  /** No character beyond ASCII is written. */
  readonly isAscii: boolean;
}

const MARKS: Readonly<Record<Mark, readonly [mark: string, ascii: string, brush: keyof Paint]>> = {
  ok: ['✓', '+', 'green'],
  failed: ['✗', 'x', 'red'],
  open: ['·', '-', 'dim'],
  warning: ['!', '!', 'yellow'],
};

export function markOf(mark: Mark, { paint, isAscii }: Style): string {
  const [full, ascii, brush] = MARKS[mark];
  return paint[brush](isAscii ? ascii : full);
}

export interface TerminalTraits {
  readonly isTerminal: boolean;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Lines without a terminal, or on one that can't move its cursor. */
export function canMoveCursor({ isTerminal, env }: TerminalTraits): boolean {
  return isTerminal && env['TERM'] !== 'dumb';
}

/** Where no locale is set at all (a container, a service) UTF-8 is the better guess: the terminal is elsewhere. */
export function isAscii({ env, platform }: TerminalTraits): boolean {
  if (env['TERM'] === 'dumb') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return platform !== 'win32' && locale !== undefined && !/utf-?8/i.test(locale);
}

/** Whether lines are wrapped anew when the window gets narrower. Almost all do; these cut them off. */
export function reflows({ env }: TerminalTraits): boolean {
  if (env['TMUX'] !== undefined) return true;
  return env['TERM'] !== 'linux' && env['XTERM_VERSION'] === undefined && env['STY'] === undefined;
}
