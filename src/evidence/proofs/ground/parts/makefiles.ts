/**
 * Makefiles: the rules that check, what they need and call, and what decides how make runs every rule.
 * Sources and flags of compilers are work.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '#base/shape.ts';
import { isFile } from '#base/files/paths.ts';
import { linesOf, pieces, type Parts, type Piece } from './pieces.ts';

const CHECKS = /test|check|lint|spec|verif|valid|smoke|bench|e2e|^(?:all|default|ci)$/i;
/** They hold for every rule: `.IGNORE` lets none fail. */
const OF_ALL_RULES = /^(?:\.(?:IGNORE|ONESHELL|DEFAULT|POSIX)|%)$/;
const MAKES = /build|compile|install|clean|gen|dist|deps|setup|docs|format|fmt/i;
/** With another shell or `-n`, nothing that a rule says is run. */
const OF_ALL_VARIABLES =
  /^(?:SHELL|\.SHELLFLAGS|\.DEFAULT_GOAL|(?:GNU)?MAKEFLAGS|MAKEFILES|MAKE|VPATH)$|test/i;

/** Spaces may come before it, as before an `include`. Only a tab begins a line of a recipe. */
const RULE = /^ *(?<targets>[^\s#:=][^:=]*)::?(?!=)(?<needs>[^;#]*)/;
const VARIABLE =
  /^\s*(?:override\s+)?(?<exported>export\s+)?(?<name>[\w.-]+)\s*(?::{1,3}|\+|\?|!)?=(?<value>.*)/;
const INCLUDE = /^ *-?s?include\s+(?<files>.*)/;
/** A line of a recipe, or a blank one: it belongs to the rule above. */
const IN_RULE = /^(?:\t|\s*$)/;
/** Other lines that only say which of those around them hold. */
const CONDITION = /^ *(?:ifn?eq|ifn?def|else|endif)\b/;
/** A variable where a command begins: what it names is run. */
const CALLED =
  /(?:^\t|&&|\|\|?|;|\()\s{0,9}[@+-]{0,3}\s{0,9}(?:\w+=\S{0,99}\s{1,9}){0,5}\$[({](?<name>[\w.-]+)[)}]/g;

type MakeStatement =
  | {
      readonly is: 'rule';
      readonly targets: readonly string[];
      readonly needs: readonly string[];
      text: string;
    }
  | { readonly is: 'variable'; readonly name: string; readonly isExported: boolean; text: string }
  | { readonly is: 'include' | 'condition' | 'blank' | 'other'; text: string };

export const makefile: Parts = pieces((text): readonly Piece[] => {
  const statements = statementsOf(text);
  const rules = decidingRules(statements);
  const variables = calledVariables(statements, rules);
  return statements.map((one) => ({ text: one.text, decides: decides(one, rules, variables) }));
});

function decides(
  one: MakeStatement,
  rules: ReadonlySet<MakeStatement>,
  variables: ReadonlySet<string>,
): boolean {
  if (one.is === 'variable')
    return one.isExported || OF_ALL_VARIABLES.test(one.name) || variables.has(one.name);
  // What we can't read may be anything: `$(eval SHELL = /bin/true)`.
  return one.is === 'include' || one.is === 'other' || rules.has(one);
}

function statementsOf(text: string): MakeStatement[] {
  const found: MakeStatement[] = [];
  let isContinued = false;
  for (const line of linesOf(text)) {
    const last = found.at(-1);
    const isRecipe = last?.is === 'rule' && IN_RULE.test(line);
    if (last !== undefined && (isContinued || isRecipe)) last.text += line;
    else found.push(statementOf(line));
    isContinued = /\\\r?\n?$/.test(line);
  }
  return found;
}

function statementOf(text: string): MakeStatement {
  const variable = VARIABLE.exec(text)?.groups;
  if (variable !== undefined)
    return {
      is: 'variable',
      name: variable['name'] ?? '',
      isExported: variable['exported'] !== undefined,
      text,
    };
  const rule = RULE.exec(text)?.groups;
  if (rule !== undefined)
    return { is: 'rule', targets: wordsOf(rule['targets']), needs: wordsOf(rule['needs']), text };
  if (INCLUDE.test(text)) return { is: 'include', text };
  if (CONDITION.test(text)) return { is: 'condition', text };
  return { is: /^\s*(?:#|$)/.test(text) ? 'blank' : 'other', text };
}

/** Those that check, and rules without a file (`.PHONY`) that they need. */
function decidingRules(statements: readonly MakeStatement[]): ReadonlySet<MakeStatement> {
  const rules = statements.filter((one) => one.is === 'rule');
  const phony = new Set(rules.flatMap(({ targets, needs }) => (targets.includes('.PHONY') ? needs : [])));
  const isPart = (name: string) => phony.has(name) && !MAKES.test(name);
  const names = new Set<string>();
  const found = new Set<MakeStatement>();
  for (let more = true; more;) {
    const next = rules.filter(
      (one) => !found.has(one) && one.targets.some((name) => isCheckTarget(name) || names.has(name)),
    );
    for (const one of next) {
      found.add(one);
      for (const need of one.needs) if (isPart(need)) names.add(need);
    }
    more = next.length > 0;
  }
  return found;
}

function isCheckTarget(name: string): boolean {
  return CHECKS.test(name) || OF_ALL_RULES.test(name);
}

/** The programs that these rules call by a variable, and the variables in those. */
function calledVariables(
  statements: readonly MakeStatement[],
  rules: ReadonlySet<MakeStatement>,
): ReadonlySet<string> {
  const names = new Set([...rules].flatMap(({ text }) => calledIn(text)));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const one of statements)
      if (one.is === 'variable' && names.has(one.name))
        for (const name of calledIn(`\t${VARIABLE.exec(one.text)?.groups?.['value'] ?? ''}`)) names.add(name);
  }
  return names;
}

function calledIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => [...line.matchAll(CALLED)].flatMap(({ groups }) => groups?.['name'] ?? []));
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '' && word !== '|');
}

const MAKE = /^(?:g|b)?make$/;
/** In the order in which make looks for them. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'];

/**
 * What a call of make reads besides rules that are known by their names: the makefile as a whole if it runs
 * another rule, and files of any name that it includes. Relative to `folder`.
 */
export function filesOfMake(verb: string, args: readonly string[], folder: string): string[] {
  if (!MAKE.test(verb)) return [];
  const inside = valueOf(args, /^(?:-C|--directory)$/) ?? '';
  const given = valueOf(args, /^(?:-f|--file|--makefile)$/);
  const name = given ?? NAMES.find((one) => isFile(join(folder, inside, one)));
  if (name === undefined) return [];
  const path = join(inside, name);
  const text = attempt(() => readFileSync(join(folder, path), 'utf8'), '');
  const statements = statementsOf(text);
  const targets = targetsOf(args);
  const isKnown = (targets.length > 0 ? targets : defaultTarget(statements)).every((one) => CHECKS.test(one));
  const included = statements.flatMap((one) =>
    one.is === 'include' ? wordsOf(INCLUDE.exec(one.text)?.groups?.['files']) : [],
  );
  return [
    ...(isKnown && given === undefined ? [] : [path]),
    ...included.map((file) => join(dirname(path), file)),
  ];
}

/**
 * Where make finds a file of the name of a rule, it has nothing to do, and where it finds a makefile of an
 * earlier name, it takes that one.
 */
export function stampsOfMake(verb: string, args: readonly string[], folder: string): string[] {
  if (!MAKE.test(verb)) return [];
  const inside = valueOf(args, /^(?:-C|--directory)$/) ?? '';
  const given = valueOf(args, /^(?:-f|--file|--makefile)$/);
  const first = NAMES.findIndex((one) => isFile(join(folder, inside, one)));
  const name = given ?? NAMES[first];
  const text = name === undefined ? '' : attempt(() => readFileSync(join(folder, inside, name), 'utf8'), '');
  const statements = statementsOf(text);
  const asked = targetsOf(args);
  const idle = namesWithoutFile(statements, asked.length > 0 ? asked : defaultTarget(statements));
  const earlier = given === undefined && first > 0 ? NAMES.slice(0, first) : [];
  return [...earlier, ...idle].map((one) => join(inside, one));
}

/** Rules that make no file of their name: those asked for, and those that they need. */
function namesWithoutFile(statements: readonly MakeStatement[], asked: readonly string[]): string[] {
  const rules = statements.filter((one) => one.is === 'rule');
  const phony = new Set(rules.flatMap(({ targets, needs }) => (targets.includes('.PHONY') ? needs : [])));
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [...asked];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (seen.has(name) || !/^[\w.-]+$/.test(name)) continue;
    seen.add(name);
    const own = rules.filter(({ targets }) => targets.includes(name));
    open.push(...own.flatMap(({ needs }) => needs));
    const recipe = own.map(({ text }) => text.slice(text.indexOf('\n') + 1)).join('');
    const makesIt = recipe.includes('$@') || recipe.split(/[\s/]+/).includes(name);
    const isRun = own.some(({ text }) => /\n\t|;/.test(text)) || (asked.includes(name) && CHECKS.test(name));
    if (!phony.has(name) && isRun && !makesIt) found.add(name);
  }
  return [...found];
}

function defaultTarget(statements: readonly MakeStatement[]): readonly string[] {
  const first = statements.find((one) => one.is === 'rule' && !/^[.%]/.test(one.targets[0] ?? '.'));
  return first?.is === 'rule' ? first.targets : [];
}

function targetsOf(args: readonly string[]): string[] {
  const isValue = (at: number) => /^(?:-[CfIjlo]|--(?:directory|file|makefile))$/.test(args[at - 1] ?? '');
  return args.filter((arg, at) => !/^-|=/.test(arg) && !isValue(at));
}

function valueOf(args: readonly string[], option: RegExp): string | undefined {
  const at = args.findIndex((arg) => option.test(arg));
  return at === -1 ? undefined : args[at + 1];
}
