/**
 * What a shell line plainly does. A speed bump, not a boundary: each stop compares the protected files again. Nothing
 * compares Da Capo's own files, so for them the rule is coarse: only programs that plainly read may be given their
 * names.
 */
import { once } from '../core/shape.ts';
import { inFolder, readShell, type Variables } from './shell.ts';
import {
  personsCode,
  personsCommand,
  verbOf,
  writtenBy,
  type PersonsCommand,
  type Written,
} from './verbs.ts';

export type ShellAct =
  /** `folder`: where the line has changed to by then, relative to where it began. */
  | (Written & { readonly is: 'write'; readonly folder: string })
  /** This text goes to a program that may do more than read: a path, or code that may hold one. */
  | { readonly is: 'handle'; readonly text: string; readonly folder: string }
  /** A Da Capo command that only a person may give. */
  | (PersonsCommand & { readonly is: 'command' })
  /** Part of the line was not read. */
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
/** Programs that run code, or run commands on the names they get. */
const INTERPRETER =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|[gm]?awk|(?:ba|z|da|k|fi)?sh|eval|source|\.|trap|xargs|parallel|find|ed|ex|n?vim?|emacs)$/;
const FIND_ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/;

export function actsOf(line: string, variables: Variables): ShellAct[] {
  const acts: ShellAct[] = [];
  /** Words of this pipeline's commands that no interpreter has been given yet. */
  let named: string[] = [];
  const tooLong = once(() => acts.push({ is: 'too-long' }));
  for (const command of readShell(line, variables, tooLong)) {
    const { verb, args, folder: within } = verbOf(command);
    const folder = inFolder(command.folder, within);
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
    const reads = onlyReads(verb, texts);
    const isDacapo = /^dacapo(?:@|$)/.test(verb);
    const runs = INTERPRETER.test(verb);
    // `env -S` is given a whole command.
    const leads = command.lead.flatMap(({ text }) => (/\s/.test(text) ? [text] : []));
    const persons =
      (reads && !isDacapo ? null : personsCommand(verb, args)) ??
      personsCode([...leads, ...(runs ? [...texts, ...named] : [])].join(' '));
    if (persons !== null) acts.push({ is: 'command', ...persons });
    if (reads) continue;
    const handled = runs ? [...named.splice(0), '.'] : handledBy(texts, command.given, written !== null);
    for (const text of handled) acts.push({ is: 'handle', text: withHome(text, variables), folder });
  }
  return acts;
}

export function onlyReads(verb: string, texts: readonly string[]): boolean {
  if (verb === 'find') return !texts.some((text) => FIND_ACTS.test(text));
  return READERS.has(verb) || ALSO_READS.test(verb);
}

/** The rule of a verb in the table judges its words, unless one of them is the output of another command. */
function handledBy(texts: readonly string[], given: string, inTable: boolean): string[] {
  if (inTable) return texts.some((text) => text.includes('$()')) ? [given] : [];
  // A text of several words is a message, not a path. `.`: the folder it runs in counts too.
  return [...texts.filter((text) => !/\s/.test(text)), '.'];
}

/** Code may name the folder by its variable: `process.env.DACAPO_HOME`. */
function withHome(code: string, variables: Variables): string {
  return code.replace(/\bDACAPO_HOME\b(?!=)/g, (name) => variables.get(name) ?? name);
}
