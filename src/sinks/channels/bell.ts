/** Rings in the terminal of the loop, and asks that terminal for a notification (OSC 9 or OSC 777). */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { oneLine } from '../../core/words/sanitize.ts';
import type { Message } from '../message.ts';
import type { Sending, Sent } from './channel.ts';

const BEL = '\u0007';
const ESC = '\u001b';
const TITLE = 80;
const TEXT = 200;

export function sendBell({ message, terminals, env }: Sending): Sent {
  if (terminals.length === 0) return { ok: false, detail: 'there is no terminal', again: false };
  const rung = terminals.filter((terminal) => write(terminal, bellFor(message, env)));
  return rung.length > 0
    ? { ok: true, detail: rung.join(', ') }
    : { ok: false, detail: `${terminals.join(', ')} can't be written to`, again: false };
}

/** A terminal shows one of the two and ignores the other. Some show both, so a known one gets its own alone. */
export function bellFor({ title, text }: Message, env: Sending['env']): string {
  // `oneLine` leaves no control character in it, so nothing can end the sequence early.
  const [head, body] = [oneLine(title, TITLE), oneLine(text, TEXT)];
  const nine = `${ESC}]9;${head}: ${body}${BEL}`;
  const sevens = `${ESC}]777;notify;${head.replaceAll(';', ',')};${body.replaceAll(';', ',')}${BEL}`;
  return `${BEL}${wishes(env)
    .map((wish) => throughTmux(wish === 9 ? nine : sevens, env))
    .join('')}`;
}

function wishes(env: Sending['env']): readonly (9 | 777)[] {
  if (['iTerm.app', 'WezTerm', 'ghostty'].includes(env['TERM_PROGRAM'] ?? '')) return [9];
  if (env['VTE_VERSION'] || /^(?:rxvt|foot)/.test(env['TERM'] ?? '')) return [777];
  return [9, 777];
}

/** tmux passes on what is wrapped like this, where `allow-passthrough` is on. */
function throughTmux(sequence: string, env: Sending['env']): string {
  return env['TMUX'] ? `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ESC}\\` : sequence;
}

/** Never waits: a terminal may be stopped (Ctrl-S). Nor does it become our own terminal. */
function write(path: string, text: string): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isCharacterDevice() && writeSync(file, text) > 0;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
