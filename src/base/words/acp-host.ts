/** Hosts that are commands: `acp:COMMAND` starts an agent that speaks the Agent Client Protocol. */

const PREFIX = 'acp:';

/** It is shown in lists, and is part of every event that names the host. */
const MAX_COMMAND_CHARS = 400;

/** The command in the name of a host; null: the name has none. */
export function acpCommand(host: string): string | null {
  return host.startsWith(PREFIX) ? host.slice(PREFIX.length).trim() : null;
}

/** The program and its arguments; null: the name has no command, or one that can't be read. */
export function acpWords(host: string): readonly [string, ...string[]] | null {
  const command = acpCommand(host);
  if (command === null || command.length > MAX_COMMAND_CHARS || /\p{Cc}/u.test(command)) return null;
  const [program, ...rest] = splitCommand(command) ?? [];
  return program ? [program, ...rest] : null;
}

/** A blank, a quoted piece, an escaped blank or quote, or any other character. */
const PIECES = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s'"])|([^\s'"])/gsy;

/**
 * As a shell would split it, except that any other backslash stays: on Windows it separates folders. Nothing
 * is expanded: no shell ever sees it. Null: a quote is not closed.
 */
function splitCommand(line: string): string[] | null {
  const words: string[] = [];
  let [word, at]: [string | null, number] = [null, 0];
  for (const [piece, blank, single, double, escaped, plain] of line.matchAll(PIECES)) {
    at += piece.length;
    if (blank === undefined)
      word = (word ?? '') + (single ?? double?.replaceAll('\\"', '"') ?? escaped ?? plain);
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (at < line.length) return null;
  return word === null ? words : [...words, word];
}
