/** Which rule a call needs an approval for. A rule about commands also fits inside a compound command. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fitsPattern, literalHead, parseRule, STARTER, type ApprovalRule } from '../core/approval-rules.ts';
import { globs } from '../core/globs.ts';
import type { RuleFamily, ToolAct } from '../hosts/arrival.ts';
import { ruleFamily } from '../hosts/rule-family.ts';
import { seenFrom } from '../proofs/protected.ts';
import { isBelow } from './ground.ts';
import { actsOf } from './shell-acts.ts';
import { readShell, type Command, type Variables } from './shell.ts';
import { DELETE_OUTSIDE, STARTER_RULES } from './starter-rules.ts';
import { verbOf } from './verbs.ts';

/** Where the agent works, with links resolved. */
export interface Ground {
  readonly project: string;
  readonly foldCase: boolean;
  readonly behindLinks: (path: string) => string;
}

interface Sought extends ApprovalRule {
  readonly text: string;
  readonly family: RuleFamily | null;
}

/** Programs that run commands or code which they get as text. */
const RUNS_TEXT =
  /^(?:(?:ba|z|da|k|fi)?sh|eval|source|xargs|parallel|find|ssh|watch|su|script|expect|trap|python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|pwsh|powershell|tmux|screen|at|docker|podman)$/;
/** A command in a command in a command is no plain line any more. */
const DEEPEST = 4;
const MOST_WORDS = 60;
/** `find` that removes what it finds. */
const FIND_REMOVES = /^-(?:delete|exec|execdir|ok|okdir)$/;

/** The text of the first rule that fits; null: the call needs no approval. */
export function approvalRule(
  rules: readonly string[],
  tool: string,
  act: ToolAct | null,
  ground: Ground,
  variables: Variables,
): string | null {
  const sought = rulesOf(rules);
  const whole = sought.find((rule) => fitsTool(rule.tool, tool) && rule.pattern === null);
  if (whole !== undefined) return whole.text;
  if (act?.is === 'shell') {
    const lines = commandsIn(act.line, variables, 0);
    const found = sought.find(
      ({ family, pattern }) => family === 'shell' && pattern !== null && fitsLine(pattern, lines),
    );
    if (found !== undefined) return found.text;
  }
  const paths = pathsOf(act, variables);
  const written = sought.find(
    ({ family, pattern }) =>
      family === 'files' && paths.some((path) => pattern === null || fitsPath(pattern, path, ground)),
  );
  if (written !== undefined) return written.text;
  return rules.includes(STARTER) && paths.some((path) => path.removes && isOutside(path.path, ground))
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

interface Lines {
  /** Each command, as it is written and without what precedes it. */
  readonly commands: readonly string[];
  /** Text that a program runs as code. */
  readonly code: readonly string[];
}

function fitsLine(pattern: string, { commands, code }: Lines): boolean {
  if (commands.some((line) => fitsPattern(pattern, line))) return true;
  const head = literalHead(pattern);
  return head !== null && code.some((text) => text.includes(head));
}

function commandsIn(line: string, variables: Variables, depth: number): Lines {
  const commands = [oneSpaced(line)];
  const code: string[] = [];
  for (const command of readShell(line, new Map(variables))) {
    commands.push(...waysToSay(command));
    const { verb, args } = verbOf(command);
    if (!RUNS_TEXT.test(verb)) continue;
    const texts = args.slice(0, MOST_WORDS).map(({ text }) => text);
    texts.forEach((_, at) => commands.push(texts.slice(at).join(' ')));
    for (const text of [...texts, command.given].filter((one) => /\s/.test(one))) {
      code.push(oneSpaced(text));
      if (depth >= DEEPEST) continue;
      const inner = commandsIn(text, variables, depth + 1);
      commands.push(...inner.commands);
      code.push(...inner.code);
    }
  }
  return { commands, code };
}

/** As written, without `sudo` and the like, and without the path of the program and git's own options. */
function waysToSay(command: Command): string[] {
  const own = command.words.map(({ text }) => text);
  const { verb, args } = verbOf(command);
  return [
    [...command.lead.map(({ text }) => text), ...own].join(' '),
    own.join(' '),
    [verb, ...args.map(({ text }) => text)].join(' '),
  ].map(oneSpaced);
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

interface Written {
  readonly path: string;
  readonly removes: boolean;
  /** Everything below it is written too. */
  readonly tree: boolean;
}

function pathsOf(act: ToolAct | null, variables: Variables): Written[] {
  if (act === null) return [];
  if (act.is === 'write') return [{ path: resolve(act.cwd, act.path), removes: false, tree: false }];
  const { line, cwd } = act;
  const written = actsOf(line, new Map(variables)).flatMap((one): Written[] =>
    one.is === 'write'
      ? [{ path: resolve(cwd, one.folder, one.word.text), removes: one.how === 'remove', tree: one.tree }]
      : [],
  );
  return [...written, ...readShell(line, new Map(variables)).flatMap((command) => foundBy(command, cwd))];
}

/** What `find` removes. */
function foundBy(command: Command, cwd: string): Written[] {
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
  }));
}

/** As the host reads such patterns: `//` from the root, `~/` from home, else from the project; a name alone: anywhere. */
function fitsPath(
  pattern: string,
  { path, tree }: Written,
  { project, foldCase, behindLinks }: Ground,
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
  // Removing a folder removes what is in it.
  return seen.some((one) => matches(one) || (tree && matches(`${one}/x`)));
}

function isOutside(path: string, { project, foldCase, behindLinks }: Ground): boolean {
  return !isBelow(behindLinks(path), project, foldCase);
}
