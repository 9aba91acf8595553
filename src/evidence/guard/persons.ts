/**
 * Da Capo commands that only a person may give: they answer for the person, change what was agreed, or take
 * the judge away.
 */
import { audienceOf, isForPeopleBesideLoop } from '#input/audience.ts';
import { baseName, type Word } from './plain.ts';
import { OWN_PROGRAM } from './shell-acts.ts';
import type { RawText } from './raw-text.ts';
import { operandsOf } from './verbs.ts';

const OWN_NAME = /^dacapo(?:@|$)/;

export interface PersonsCommand {
  readonly command: string;
  /** It ends or pauses a loop. An agent may do that, unless it would get rid of approvals. */
  readonly ends: boolean;
}

/** In a plain command, also behind a program that runs it. Null: it is none. */
export function personsCommand(verb: string, args: readonly Word[]): PersonsCommand | null {
  const at = OWN_NAME.test(verb) ? -1 : args.findIndex(({ text }) => isOwn(text));
  if (at === -1 && !OWN_NAME.test(verb)) return null;
  const rest = args.slice(at + 1);
  const words = rest.map(({ text }) => text);
  const [outer = '', inner = ''] = operandsOf(rest, /^--(?:loop|name|database)$/).map(({ text }) => text);
  const command = [`${outer} ${inner}`, outer].find((one) => audienceOf(one) !== undefined) ?? outer;
  // Of `hooks` the action alone counts: a hook may be called like one.
  const isMeant = isForPeopleBesideLoop(command, command === 'hooks' ? [inner] : words);
  return isMeant ? personsWords(command, words.join(' ')) : null;
}

/**
 * In a text that something may run: our name and such a word, in any order, or a word that only the shell
 * knows.
 */
export function personsIn({ words, tokens }: RawText): PersonsCommand | null {
  const all = [...tokens];
  if (!all.some(isOwn)) return null;
  const inner = tokens.has('fleet') ? all.map((token) => `fleet ${token}`) : [];
  const named = [...all, ...inner].find((command) => isForPeopleBesideLoop(command, all));
  if (named !== undefined) return personsWords(named, named);
  const isUnknown = words.some((word, at) => isOwn(word) && /^[$`*?]/.test(words[at + 1] ?? ''));
  return isUnknown ? personsWords('', '…') : null;
}

function isOwn(text: string): boolean {
  return OWN_NAME.test(baseName(text)) || OWN_PROGRAM.test(text);
}

function personsWords(command: string, words: string): PersonsCommand {
  return { command: `dacapo ${words}`, ends: audienceOf(command) === 'ends' };
}
