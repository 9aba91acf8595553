/**
 * What a line of shell plainly does. A speed bump, not a boundary: protected files are compared again at each stop. Nothing
 * compares Da Capo's own files, so for them the rule is coarse: only programs that plainly read may be given their names.
 */
import { once } from '../core/shape.ts';
import { inFolder, readShell, type Variables } from './shell.ts';
import { personsCommand, verbOf, writtenBy, type Written } from './verbs.ts';

export type ShellAct =
  /** `folder`: where the line has gone by then, seen from where it began. */
  | (Written & { readonly is: 'write'; readonly folder: string })
  /** A program that may do more than read is given this text: a path, or code that may hold one. */
  | { readonly is: 'handle'; readonly text: string; readonly folder: string }
  /** A command of Da Capo's that is a person's to give. */
  | { readonly is: 'command'; readonly command: string }
  /** A part of the line was not read. */
  | { readonly is: 'too-long' };

const READERS = new Set(
  [
    'cat ls head tail less more bat grep egrep fgrep zgrep rg ag wc jq yq diff cmp comm stat file du tree nl od hexdump',
    'md5sum sha1sum sha256sum shasum cksum base64 realpath readlink basename dirname cut tr uniq column fold rev tac',
    'echo printf test [ [[ cd pushd popd pwd export local declare readonly typeset read for case select set unset',
    'which type true false : sleep wait exit return done fi esac }',
  ].flatMap((names) => names.split(' ')),
);
const ALSO_READS =
  /^(?:dacapo(?:@.*)?|git (?:add|blame|check-ignore|commit|diff|grep|log|ls-files|rev-parse|show|status)|)$/;
/** They run code, or commands on names that they are handed. */
const INTERPRETER =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|[gm]?awk|(?:ba|z|da|k|fi)?sh|eval|source|\.|trap|xargs|parallel|find|ed|ex|n?vim?|emacs)$/;
const FIND_ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/;

export function actsOf(line: string, variables: Variables): ShellAct[] {
  const acts: ShellAct[] = [];
  /** What the commands of this pipeline name and no interpreter has been handed yet. */
  let named: string[] = [];
  const tooLong = once(() => acts.push({ is: 'too-long' }));
  for (const command of readShell(line, variables, tooLong)) {
    const { verb, args, folder: within } = verbOf(command);
    const folder = inFolder(command.folder, within);
    const persons = personsCommand(verb, args);
    if (persons !== null) acts.push({ is: 'command', command: persons });
    for (const { appends, ...word } of command.outputs)
      acts.push({
        is: 'write',
        word,
        how: appends ? 'append' : 'write',
        tree: false,
        folder: command.folder,
      });
    const written = writtenBy(verb, args);
    for (const one of written ?? []) acts.push({ is: 'write', ...one, folder });
    if (!command.piped) named = [];
    const texts = args.map(({ text }) => text);
    for (const text of [...texts, command.given]) if (text !== '') named.push(text);
    if (onlyReads(verb, texts)) continue;
    const handled = INTERPRETER.test(verb)
      ? [...named.splice(0), '.']
      : handledBy(texts, command.given, written !== null);
    for (const text of handled) acts.push({ is: 'handle', text: withHome(text, variables), folder });
  }
  return acts;
}

function onlyReads(verb: string, texts: readonly string[]): boolean {
  if (verb === 'find') return !texts.some((text) => FIND_ACTS.test(text));
  return READERS.has(verb) || ALSO_READS.test(verb);
}

/** The words of a verb in the table are judged by its rule, unless one of them is what another command prints. */
function handledBy(texts: readonly string[], given: string, inTable: boolean): string[] {
  if (inTable) return texts.some((text) => text.includes('$()')) ? [given] : [];
  // A text of several words is a message, and no path. `.`: where it is run counts as well.
  return [...texts.filter((text) => !/\s/.test(text)), '.'];
}

/** Code names it by the variable: `process.env.DACAPO_HOME`. */
function withHome(code: string, variables: Variables): string {
  return code.replace(/\bDACAPO_HOME\b(?!=)/g, (name) => variables.get(name) ?? name);
}
