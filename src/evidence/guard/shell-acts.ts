/**
 * What a line of shell does, as far as it is plain. Whatever else it holds is text of which we only know what
 * it mentions: the whole line where it is not plain, else the code and the messages that its programs are
 * given.
 */
import { matchOneOf } from '#base/words/word-list.ts';
import { commandsInWords } from '#input/command-flags.ts';
import { baseName, DECIDES, inFolder, readPlain, type PlainCommand, type Word } from './plain.ts';
import { LANGUAGE } from './raw-text.ts';
import { writtenBy, type WrittenFile } from './verbs.ts';

export type ShellAct =
  /** `folder`: where the line may have changed to by then, relative to where it began. */
  | (WrittenFile & { readonly is: 'write'; readonly folder: string })
  /** A program runs with these words. `reads`: it does no more than read, whatever they are. */
  | {
      readonly is: 'run';
      readonly words: readonly Word[];
      readonly verb: string;
      readonly args: readonly Word[];
      readonly reads: boolean;
    }
  /**
   * Text for a program that may do more than read. `runs`: it may run that; otherwise these are words, such
   * as paths.
   */
  | { readonly is: 'text'; readonly text: string; readonly folder: string; readonly runs: boolean };

/** Programs that run the command behind their own options. */
const PREFIX = matchOneOf(`
  sudo doas command builtin exec nohup nice stdbuf env timeout setsid ionice chrt taskset flock busybox
  toybox unbuffer strace npx bunx pnpx
`);
const READERS = new Set(
  [
    'cat ls head tail less more bat grep egrep fgrep zgrep rg ag wc jq yq diff cmp comm stat file du ' +
      'tree nl od hexdump',
    'md5sum sha1sum sha256sum shasum cksum base64 realpath readlink basename dirname cut tr uniq ' +
      'column fold rev tac find',
    'echo printf test [ cd pwd which type true false : sleep wait exit export set',
  ].flatMap((names) => names.split(' ')),
);
const ALSO_READS =
  /^(?:dacapo(?:@.*)?|git (?:add|blame|check-ignore|commit|diff|grep|log|ls-files|rev-parse|show|status)|)$/;
/** Their longer words are messages. */
const TAKES_MESSAGES = /^(?:gh|glab|git (?:tag|notes|merge))$/;
const INTERPRETER = new RegExp(`${LANGUAGE.source}|^(?:ba|z|da|k|fi)?sh$`);
/** Options that give an interpreter its code. */
const CODE = /^-[A-Za-z]*[ceEprR]|^--(?:eval|print|command|execute)/;
const FIND_ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/;
/** They change how the rest of the line is read, or run what they get by a pipe. */
const NEVER_PLAIN = matchOneOf(`
  eval alias unalias trap declare typeset local readonly unset setopt unsetopt shopt emulate enable hash
  read mapfile readarray let pushd popd xargs parallel at batch crontab
`);
/** `set -euo pipefail` only ends the line earlier. */
const HARMLESS_SET = /^(?:[-+][eux]*o?|pipefail)$/;
/** What a command gets from a pipe, by name. */
const INPUT = /^\/(?:dev\/(?:stdin|fd)|proc\/)/;
/** The most words between such a program and the command that it runs. */
const MAX_WORDS_BEFORE_COMMAND = 8;
/** Nothing that is only a path or an option. */
const TEXT = /[\s"'`$();|&<>]/;

export function actsOfLine(line: string, home: string): ShellAct[] {
  const commands = plainCommandsIn(line, home);
  return commands === null
    ? [{ is: 'text', text: line, folder: '', runs: true }]
    : commands.flatMap((command) => command.folders.flatMap((folder) => actsIn(folder, command)));
}

export function plainCommandsIn(line: string, home: string): PlainCommand[] | null {
  const commands = readPlain(line, home);
  return commands?.every(isPlain) ? commands : null;
}

function isPlain({ words }: PlainCommand): boolean {
  const { verb, args } = verbOf(words);
  const texts = args.map(({ text }) => text);
  if (NEVER_PLAIN.test(verb) || words.some(({ text }) => INPUT.test(text))) return false;
  if (verb === 'cd') return words[0]?.text === 'cd';
  if (verb === 'set') return texts.every((text) => HARMLESS_SET.test(text));
  if (verb === 'export') return !texts.some((text) => DECIDES.test(text));
  if (verb === 'find') return !texts.some((text) => FIND_ACTS.test(text));
  // Git runs aliases, and some settings: `git -c core.pager="…" log`.
  const isSetting = ({ text }: Word, at: number) =>
    text.startsWith('alias.') || (words[at - 1]?.text === '-c' && TEXT.test(text));
  if (/^git\b/.test(verb) && words.some(isSetting)) return false;
  // Without a script or code, it runs its input; `-` and `-s` say so.
  if (!INTERPRETER.test(verb)) return true;
  return (
    texts.some((text) => CODE.test(text) || !text.startsWith('-')) &&
    !texts.some((text) => /^-s?$/.test(text))
  );
}

function actsIn(folder: string, { words, outputs, given }: PlainCommand): ShellAct[] {
  const { verb, args, folder: within } = verbOf(words);
  const place = inFolder(folder, within);
  const texts = args.map(({ text }) => text);
  const written = writtenBy(verb, args);
  const reads = READERS.has(verb) || ALSO_READS.test(verb);
  const write = (one: WrittenFile, at: string): ShellAct => ({ is: 'write', ...one, folder: at });
  const text = (source: string, runs: boolean): ShellAct => ({
    is: 'text',
    text: source,
    folder: place,
    runs,
  });
  return [
    ...outputs.map(({ appends, ...word }) =>
      write({ word, how: appends ? 'append' : 'write', tree: false }, folder),
    ),
    ...[...(written ?? []), ...writtenBehind(words)].map((one) => write(one, place)),
    ...(words.length === 0 ? [] : [{ is: 'run' as const, words, verb, args, reads }]),
    ...(reads || written !== null ? [] : [text(namesIn(texts), false)]),
    ...textsOf(verb, words, given, reads).map((one) => text(one, true)),
  ];
}

/** A text of several words is a message, not a path. `.`: the folder that it runs in counts too. */
function namesIn(texts: readonly string[]): string {
  return [...texts.filter((text) => !/\s/.test(text)), '.'].join(' ');
}

function textsOf(verb: string, words: readonly Word[], given: string, reads: boolean): string[] {
  const texts = words.map(({ text }) => text);
  // Our own program runs the values of some of its flags.
  const isDacapo = /^dacapo(?:@|$)/.test(verb) && commandsInWords(texts).length > 0;
  if (isDacapo || (INTERPRETER.test(verb) && texts.some((text) => CODE.test(text))))
    return [[...texts, given].join(' ')];
  const isMessage = reads || TAKES_MESSAGES.test(verb);
  return (
    [...texts.slice(0, isMessage ? prefixesIn(words) : undefined), ...(isMessage ? [] : [given])]
      .filter((text) => TEXT.test(text))
      // The value of a short option may stand in its word: `-S"git push"`.
      .map((text) => text.replace(/^-[A-Za-z](?=\w)/, ''))
  );
}

const RUNTIME = /^(?:node|nodejs|bun|deno|tsx)$/;
/** Da Capo's command line, called by its path. */
export const OWN_PROGRAM = /(?:^|\/)(?:dist\/cli\.c?js|bin\/dacapo\.cjs|\.bin\/dacapo)$/;
/** Words of `git` itself, before its command. */
const GIT_VALUED = /^(?:-[cC]|--git-dir|--work-tree)$/;

/** What a command does, such as `rm` or `git checkout`, and to what. `folder`: the one given by `git -C`. */
function verbOf(all: readonly Word[]): { verb: string; args: readonly Word[]; folder: string } {
  const words = withoutPrefixes(all);
  const name = baseName(words[0]?.text ?? '');
  // `git-push` is `git push`.
  const verb = name.replace(/^git-/, 'git ');
  const args = words.slice(1);
  const program = RUNTIME.test(verb) ? args.findIndex(({ text }) => !text.startsWith('-')) : -1;
  if (OWN_PROGRAM.test(args[program]?.text ?? ''))
    return { verb: 'dacapo', args: args.slice(program + 1), folder: '' };
  if (verb !== 'git') return { verb, args, folder: '' };
  const at = args.findIndex(
    ({ text }, k) => !text.startsWith('-') && !GIT_VALUED.test(args[k - 1]?.text ?? ''),
  );
  if (at === -1) return { verb, args, folder: '' };
  const folder = args.slice(0, at).find((_, k) => args[k - 1]?.text === '-C')?.text ?? '';
  return { verb: `git ${args[at]?.text ?? ''}`, args: args.slice(at + 1), folder };
}

/** `sudo rm a` is `rm a`. */
export function withoutPrefixes(words: readonly Word[]): readonly Word[] {
  return words.slice(prefixesIn(words));
}

/**
 * How many words precede the command itself. A value of an option counts as the command: see `writtenBehind`.
 */
function prefixesIn(words: readonly Word[]): number {
  let at = 0;
  while (PREFIX.test(baseName(words[at]?.text ?? '')))
    do at++;
    while (/^-|^(?:0x)?\d+[smhd]?$|^\w+=/.test(words[at]?.text ?? ''));
  return at;
}

/**
 * Options of `sudo`, `flock` and the like may have values, so that the command comes later:
 * `sudo -u me rm a`.
 */
function writtenBehind(words: readonly Word[]): WrittenFile[] {
  const begin = prefixesIn(words);
  if (begin === 0) return [];
  return words.slice(begin + 1, begin + MAX_WORDS_BEFORE_COMMAND).flatMap((_, k) => {
    const { verb, args } = verbOf(words.slice(begin + 1 + k));
    return writtenBy(verb, args) ?? [];
  });
}
