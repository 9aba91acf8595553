/** Which of its words a command writes to: what each of the usual programs does with what it is given. */
import { byCode } from './shell-code.ts';
import { byGit } from './shell-git.ts';
import { namedIn, strippedBy } from './shell-patches.ts';
import type { Variables, Word } from './shell-words.ts';
import { asAll, behind, hasAny, hasFlag, into, moved, operandsOf, type Written } from './shell-written.ts';

/** `input`: what comes to it from a here-document. */
export function writtenBy(
  name: string,
  args: readonly Word[],
  input: string,
  variables: Variables,
): Written[] {
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  switch (name) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
      return asAll(operands, 'remove', true);
    case 'mv':
      return moved(operands, args);
    case 'chmod':
    case 'chown':
      return asAll(operands, 'write', hasFlag(args, /^-\w*R|^--recursive/));
    case 'tee':
      return asAll(operands, hasFlag(args, /^-\w*a|^--append$/) ? 'append' : 'write');
    case 'touch':
    case 'truncate':
    case 'ed':
    case 'ex':
      return asAll(operands, 'write');
    case 'patch':
      return byPatch(args, input);
    case 'cp':
    case 'ln':
    case 'install':
    case 'rsync':
      return into(operands, args).written;
    case 'dd':
      return operands
        .filter(({ text }) => text.startsWith('of='))
        .map(({ text, wild }) => ({ word: { text: text.slice(3), wild }, how: 'write', tree: false }));
    case 'sed':
      return hasFlag(args, SED_IN_PLACE) ? asAll(operands, 'write') : [];
    case 'awk':
    case 'gawk':
      return hasAny(args, 'inplace') ? asAll(operands, 'write') : [];
    case 'sort':
    case 'curl':
    case 'wget':
      return asAll(
        behind(args, (flag) => /^-\w*[oO]$/.test(flag) || OUTPUT.has(flag)),
        'write',
      );
    case 'git':
      return byGit(args, input);
    case 'perl':
    case 'ruby':
      if (hasFlag(args, PERL_IN_PLACE)) return asAll(operands, 'write');
  }
  return asAll(byCode(name, args, input, variables), 'write');
}

const SED_IN_PLACE = /^-[A-Za-z]*i|^--in-place/;
/** `-0pi`, `-i.bak`; what stands behind `-I`, `-M` and `-m` is the name of a folder or a module. */
const PERL_IN_PLACE = /^-(?![IMm])\w*i/;

const OUTPUT = new Set(['--output', '--output-document']);
const PATCH_VALUED = new Set([
  '-i',
  '-o',
  '-d',
  '-p',
  '--strip',
  '-r',
  '-B',
  '-F',
  '-D',
  '-Y',
  '-z',
  '-V',
  '-g',
]);

/** The first word is the file, the second the patch. Without them the patch says; one in a file is not looked into. */
function byPatch(args: readonly Word[], input: string): Written[] {
  if (hasAny(args, '--dry-run')) return [];
  const [file] = operandsOf(args, PATCH_VALUED);
  const outputs = [...behind(args, (flag) => flag === '-o'), ...valuesOf(args, '--output=')];
  const folder = behind(args, (flag) => flag === '-d')[0] ?? valuesOf(args, '--directory=')[0];
  const words = file === undefined ? namedIn(input, strippedBy(args)) : [file];
  return asAll([...words.map((word) => inside(folder, word)), ...outputs], 'write');
}

function valuesOf(args: readonly Word[], flag: string): Word[] {
  return args.flatMap(({ text, wild }) =>
    text.startsWith(flag) ? [{ text: text.slice(flag.length), wild }] : [],
  );
}

function inside(folder: Word | undefined, { text, wild }: Word): Word {
  return folder === undefined
    ? { text, wild }
    : { text: `${folder.text}/${text}`, wild: wild || folder.wild };
}
