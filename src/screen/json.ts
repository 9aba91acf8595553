/** `--json`: one happening per line, unchanged. The names are those of `Happening`. */
import type { Show } from '../fresh/happening.ts';
import { openOutlet, type OutletStream } from './outlet.ts';

/** JSON does not escape these, and a terminal would obey them. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029]/g;

export function openJson(out: OutletStream): Show {
  const { write, drained } = openOutlet(out);
  return {
    tell: ({ is, at, ...rest }) => write(`${JSON.stringify({ is, at, ...rest }).replace(UNSAFE, escaped)}\n`),
    drained,
    close: () => undefined,
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
