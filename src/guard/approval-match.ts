/** Which rule a call needs an approval for. A rule about commands also fits inside a compound command. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fitsPattern, literalHead, parseRule, STARTER, type ApprovalRule } from '../flags/approval-rules.ts';
import { globs } from '../core/globs.ts';
import type { RuleFamily, ToolAct } from '../hosts/arrival.ts';
import { ruleFamily } from '../hosts/registry.ts';
import { seenFrom } from '../proofs/protected.ts';
import { isBelow, type ProjectPlace } from './area.ts';
import { fitsCommand } from './fits-command.ts';
import { commandsRunBy, type Runs } from './run-commands.ts';
import { actsOf } from './shell-acts.ts';
import { readShell, type Command, type Variables } from './shell.ts';
import { DELETE_OUTSIDE, STARTER_RULES } from './starter-rules.ts';
import { verbOf } from './verbs.ts';

interface Sought extends ApprovalRule {
  readonly text: string;
  readonly family: RuleFamily | null;
}

/** More texts that are run by one line is no plain line. */
const MOST_SCRIPTS = 20;
/** `find` that removes what it finds. */
const FIND_REMOVES = /^-(?:delete|exec|execdir|ok|okdir)$/;

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
  const runs = act?.is === 'shell' ? commandsRunBy(act.line, variables) : null;
  if (runs !== null) {
    const found = sought.find(
      ({ family, pattern }) => family === 'shell' && pattern !== null && fitsLine(pattern, runs),
    );
    if (found !== undefined) return found.text;
  }
  const paths = pathsOf(act, runs?.scripts ?? [], variables);
  const written = sought.find(
    ({ family, pattern }) =>
      family === 'files' &&
      (paths.some((path) => pattern === null || fitsPath(pattern, path, place)) ||
        (pattern !== null && isNamedIn(runs?.programs ?? [], pattern))),
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

function fitsLine(pattern: string, { lines, commands, code }: Runs): boolean {
  if (lines.some((line) => fitsPattern(pattern, line))) return true;
  if (commands.some((one) => fitsCommand(pattern, one, one.runs))) return true;
  const head = literalHead(pattern);
  return head !== null && code.some((text) => text.includes(head));
}

interface WrittenPath {
  readonly path: string;
  readonly removes: boolean;
  /** Everything below it is written too. */
  readonly tree: boolean;
  /** It holds a wildcard. */
  readonly wild: boolean;
}

/** `scripts`: what programs are given to run. */
function pathsOf(act: ToolAct | null, scripts: readonly string[], variables: Variables): WrittenPath[] {
  if (act === null) return [];
  const { cwd } = act;
  if (act.is === 'write') return [{ path: resolve(cwd, act.path), removes: false, tree: false, wild: false }];
  return [act.line, ...scripts.slice(0, MOST_SCRIPTS)].flatMap((line) => [
    ...actsOf(line, new Map(variables)).flatMap((one): WrittenPath[] => {
      if (one.is !== 'write') return [];
      const { word, how, tree } = one;
      return [
        { path: resolve(cwd, one.folder, word.text), removes: how === 'remove', tree, wild: word.wild },
      ];
    }),
    ...readShell(line, new Map(variables)).flatMap((command) => foundBy(command, cwd)),
  ]);
}

/** Code names files as texts. */
function isNamedIn(programs: readonly string[], pattern: string): boolean {
  const head = literalHead(pattern.replace(/^(?:\.\/|\/)/, ''));
  return head !== null && programs.some((text) => text.includes(head));
}

/** What `find` removes. */
function foundBy(command: Command, cwd: string): WrittenPath[] {
  const { verb, args } = verbOf(command);
  const texts = args.map(({ text }) => text);
  if (verb !== 'find' || !texts.some((text) => FIND_REMOVES.test(text))) return [];
  const from = texts.slice(
    0,
    texts.findIndex((text) => /^[-(!]/.test(text)),
  );
  return (from.length === 0 ? ['.'] : from).map((text) => ({
    path: resolve(cwd, command.folder, text),
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
