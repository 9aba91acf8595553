/** Which rule a call needs an approval for. A rule about commands also fits inside a compound command. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fitsPattern, parseRule, STARTER, type ApprovalRule } from '../flags/approval-rules.ts';
import { globs } from '../core/globs.ts';
import type { RuleFamily, ToolAct } from '../hosts/arrival.ts';
import { ruleFamily } from '../hosts/registry.ts';
import { seenFrom } from '../proofs/protected.ts';
import { isBelow, type ProjectPlace } from './area.ts';
import { fitsCommand, mentionsCommand, spellingOf, type Spelling } from './fits-command.ts';
import { programName } from './plain.ts';
import { canRemove, canWrite, holdsCode, readText, type RawText, type Variables } from './raw-text.ts';
import { actsOf, type ShellAct } from './shell-acts.ts';
import { DELETE_OUTSIDE, STARTER_RULES } from './starter-rules.ts';

interface Sought extends ApprovalRule {
  readonly text: string;
  readonly family: RuleFamily | null;
}

type Shell = Extract<ToolAct, { is: 'shell' }>;
type Run = Extract<ShellAct, { is: 'run' }>;

/** The text of the first rule that fits; null: the call needs no approval. */
export function approvalRule(
  rules: readonly string[],
  tool: string,
  act: ToolAct | null,
  place: ProjectPlace,
  variables: Variables,
): string | null {
  const sought = rulesOf(rules);
  const whole = sought.find((rule) => fitsTool(rule.tool, tool) && rule.pattern === null);
  if (whole !== undefined) return whole.text;
  const shell = act?.is === 'shell' ? readLine(act, variables) : null;
  if (shell !== null) {
    const found = sought.find(
      ({ family, pattern }) => family === 'shell' && pattern !== null && fitsLine(pattern, shell),
    );
    if (found !== undefined) return found.text;
  }
  const paths =
    act?.is === 'write'
      ? [{ path: resolve(act.cwd, act.path), removes: false, tree: false, wild: false }]
      : (shell?.paths ?? []);
  const written = sought.find(
    ({ family, pattern }) =>
      family === 'files' && paths.some((path) => pattern === null || fitsPath(pattern, path, place)),
  );
  if (written !== undefined) return written.text;
  return rules.includes(STARTER) && paths.some((path) => path.removes && isOutside(path.path, place))
    ? DELETE_OUTSIDE
    : null;
}

function rulesOf(rules: readonly string[]): Sought[] {
  return rules
    .flatMap((rule) => (rule === STARTER ? STARTER_RULES : [rule]))
    .flatMap((text) => {
      const rule = parseRule(text);
      return rule === null ? [] : [{ ...rule, text, family: ruleFamily(rule.tool) }];
    });
}

/** `mcp__server` is about all tools of that server. */
function fitsTool(wanted: string, tool: string): boolean {
  return fitsPattern(wanted, tool) || (wanted.startsWith('mcp__') && tool.startsWith(`${wanted}__`));
}

interface WrittenPath {
  readonly path: string;
  readonly removes: boolean;
  /** Everything below it is written too. */
  readonly tree: boolean;
  /** It holds a wildcard. */
  readonly wild: boolean;
}

interface Line {
  readonly text: string;
  /** As it is written, and without what precedes it. */
  readonly runs: readonly { readonly spelling: Spelling; readonly reads: boolean }[];
  readonly texts: readonly { readonly text: RawText; readonly spelling: Spelling }[];
  readonly paths: readonly WrittenPath[];
}

function readLine({ line, cwd }: Shell, variables: Variables): Line {
  const acts = actsOf(line, variables.get('HOME') ?? '~');
  const texts = acts.flatMap((one) =>
    one.is === 'text' ? [{ text: readText(one.text, variables), folder: one.folder }] : [],
  );
  const runs = acts.filter((one) => one.is === 'run');
  return {
    text: line.replace(/\s+/g, ' ').trim(),
    runs: runs.flatMap(({ words, verb, args, reads }) =>
      [words, [...verb.split(' ').map((text) => ({ text })), ...args]].map((said) => ({
        spelling: spellingOf(withoutDashes(said.map(({ text }) => text))),
        reads,
      })),
    ),
    texts: texts.map(({ text }) => ({ text, spelling: spellingOf(text.words) })),
    paths: [
      ...acts.flatMap((one): WrittenPath[] => {
        if (one.is !== 'write') return [];
        const { word, how, tree, folder } = one;
        return [{ path: resolve(cwd, folder, word.text), removes: how === 'remove', tree, wild: word.wild }];
      }),
      ...runs.flatMap((run) => removedByFind(run, cwd)),
      ...texts.flatMap(({ text, folder }) => pathsIn(text, resolve(cwd, folder))),
    ],
  };
}

/** `git-push` is `git push`. */
function withoutDashes(words: readonly string[]): readonly string[] {
  const name = /^git-([a-z-]+)$/.exec(programName(words[0] ?? ''))?.[1];
  return name === undefined ? words : ['git', name, ...words.slice(1)];
}

function fitsLine(pattern: string, { text, runs, texts }: Line): boolean {
  return (
    fitsPattern(pattern, text) ||
    runs.some(({ spelling, reads }) => fitsCommand(pattern, spelling, reads)) ||
    texts.some((one) => mentionsCommand(pattern, one.text, one.spelling))
  );
}

/** What a text that can write mentions. Code of other languages can always write. */
function pathsIn(text: RawText, cwd: string): WrittenPath[] {
  if (!canWrite(text) && !holdsCode(text)) return [];
  const removes = canRemove(text);
  const folders = [cwd, ...text.folders.map((folder) => resolve(cwd, folder))];
  return [...text.tokens].flatMap((token) =>
    folders.map((folder) => ({
      path: resolve(folder, token),
      // Of a URL, `//host/path` is left.
      removes: removes && !/^(?:\/\/|\/dev\/)/.test(token),
      tree: false,
      wild: /[*?]/.test(token),
    })),
  );
}

/** `find` begins in these folders, and removes what it finds. */
function removedByFind({ verb, args, folder }: Run, cwd: string): WrittenPath[] {
  const texts = args.map(({ text }) => text);
  if (verb !== 'find' || !texts.includes('-delete')) return [];
  const from = texts.slice(
    0,
    texts.findIndex((text) => text.startsWith('-')),
  );
  return (from.length === 0 ? ['.'] : from).map((text) => ({
    path: resolve(cwd, folder, text),
    removes: true,
    tree: true,
    wild: false,
  }));
}

/** As the host reads such patterns: `//` from the root, `~/` from home, else from the project; a name alone: anywhere. */
function fitsPath(
  pattern: string,
  { path, tree, wild }: WrittenPath,
  { project, foldCase, behindLinks }: ProjectPlace,
): boolean {
  const real = behindLinks(path);
  const [wanted, seen] = pattern.startsWith('//')
    ? [pattern.slice(1), [path, real]]
    : pattern.startsWith('~/')
      ? [resolve(homedir(), pattern.slice(2)), [path, real]]
      : [pattern.replace(/^(?:\.\/|\/)/, ''), [seenFrom(project, path), seenFrom(project, real)]];
  const matches = globs(
    [wanted, `${wanted.replace(/\/$/, '')}/**`, ...(wanted.includes('/') ? [] : [`**/${wanted}`])],
    foldCase,
  );
  const folder = wanted.replace(/\/?[*?[{].*$/s, '');
  return seen.some(
    (one) =>
      matches(one) ||
      // Removing a folder removes what is in it.
      (tree && (matches(`${one}/x`) || isBelow(folder, one, foldCase) || /^\.?$/.test(one))) ||
      (wild && [folder, `${folder}/x`].some(globs([one], foldCase))),
  );
}

function isOutside(path: string, { project, foldCase, behindLinks }: ProjectPlace): boolean {
  return !isBelow(behindLinks(path), project, foldCase);
}
