/**
 * The flags whose value, or a part of it, is a command that Da Capo runs outside of the host, where nobody is
 * asked before each of them. The guard, the refusals to agents and the page read this table;
 * `test/input/classified` walks over all flags.
 */

import { acpCommand } from '#base/words/acp-host.ts';

const whole = (value: string) => value.trim();
/** A host that is a command. Other hosts are names: nothing is run by them that nobody chose. */
const ofHost = (value: string) => acpCommand(value.trim()) ?? '';
const ofHosts = (value: string) => value.split(',').map(ofHost).find(Boolean) ?? '';
const afterName = (value: string) => value.slice(value.indexOf('=') + 1).trim();

/** How the command stands in the value. */
const COMMAND_FLAGS: ReadonlyMap<string, (value: string) => string> = new Map([
  ['--check', whole],
  ['--held-out', whole],
  ['--measure', afterName],
  ['--items-from', whole],
  ['--worktree-setup', whole],
  ['--setup', whole],
  ['--host', ofHost],
  ['--fallback-host', ofHosts],
  ['--review', ofHost],
  // Of `dacapo statusline`.
  ['--own', whole],
]);

export function takesCommand(flag: string): boolean {
  return COMMAND_FLAGS.has(flag);
}

/** The commands in the words of a command line, as `--flag VALUE` and `--flag=VALUE`. */
export function commandsInWords(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [flag = '', ...value] = word.split('=');
    const read = COMMAND_FLAGS.get(flag);
    const given = value.length > 0 ? value.join('=') : words[at + 1];
    const command = read === undefined || given === undefined ? '' : read(given);
    return command === '' ? [] : [command];
  });
}
