/**
 * Colours, which the caller passes in, marks that the terminal can show, and what kind of terminal this is.
 */
import { toAscii } from './clean-text.ts';
import type { EntryMark } from '../entry.ts';

/** Picocolors fits this type. */
export type Paint = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'inverse', (text: string) => string>
>;

export interface Style {
  readonly paint: Paint;
  readonly isAscii: boolean;
}

const MARKS: Readonly<Record<EntryMark, readonly [mark: string, brush: keyof Paint]>> = {
  ok: ['✓', 'green'],
  failed: ['✗', 'red'],
  open: ['·', 'dim'],
  warning: ['!', 'yellow'],
};

export function paintMark(mark: EntryMark, { paint, isAscii }: Style): string {
  const [text, brush] = MARKS[mark];
  return paint[brush](isAscii ? toAscii(text) : text);
}

export interface TerminalTraits {
  readonly isTerminal: boolean;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function canMoveCursor({ isTerminal, env }: TerminalTraits): boolean {
  return isTerminal && env['TERM'] !== 'dumb';
}

/**
 * Without any locale (a container, a service) UTF-8 is the better guess, since the terminal is on another
 * machine.
 */
export function isAscii({ env, platform }: TerminalTraits): boolean {
  if (env['TERM'] === 'dumb') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return platform !== 'win32' && locale !== undefined && !/utf-?8/i.test(locale);
}

/**
 * Whether the terminal wraps existing lines again when the window gets narrower. Almost all do; these cut
 * them off.
 */
export function reflows({ env }: TerminalTraits): boolean {
  if (env['TMUX'] !== undefined) return true;
  return env['TERM'] !== 'linux' && env['XTERM_VERSION'] === undefined && env['STY'] === undefined;
}
