/**
 * The ground of the checks of a new loop: what the usual places hold, and what its commands run. It is kept
 * from the start.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { globs, patternOf } from '#base/globs.ts';
import type { Ground } from '#law/record/definition.ts';
import { attempt, isRecord } from '#base/shape.ts';
import type { StartRequest } from '#input/arguments.ts';
import { isFile } from '#base/files/paths.ts';
import { baseName, inFolder, type PlainCommand } from '#evidence/guard/plain.ts';
import { commandsOf, withoutPrefixes } from '#evidence/guard/shell-acts.ts';
import { packGround, type PackedGround } from '#evidence/proofs/ground/keep.ts';
import { listGround } from '#evidence/proofs/ground/list.ts';
import { listPackages } from '#evidence/proofs/ground/packages.ts';
import { MADE_FOLDERS } from '#evidence/proofs/ground/table.ts';
import { ownFiles } from '#evidence/views/names.ts';
import type { AskedGates } from './gates.ts';
import type { ToBegin } from './items.ts';

export interface BegunGround {
  readonly ground: Ground;
  /** Null: it could not be kept. */
  readonly packed: PackedGround | null;
}

/** Enough to recognise them. */
const CONFIGS_NAMED = 6;

/** Null: there are no commands, so nothing stands on any ground. */
export function groundOf(
  { request, project }: ToBegin,
  { checks, measures }: Pick<AskedGates, 'checks' | 'measures'>,
): BegunGround | null {
  const commands = [...checks, ...measures].map(({ command }) => command);
  if (commands.length === 0) return null;
  const named = [
    ...filesRunBy(commands, project).map(patternOf),
    ...request.protect,
    ...ownLists(request).map((file) => `!${patternOf(file)}`),
    ...request.ground,
  ];
  const listed = listGround(project, named, isOwnFile());
  const asked = {
    named,
    ...(request.testsMayChange && { mayChange: true }),
    ...(request.redFirst && { redFirst: true }),
    ...(request.clean && { clean: true }),
    ...(request.setup !== null && { setup: request.setup }),
  };
  if (!listed.ok)
    return { ground: { ...asked, digest: null, why: listed.why, tests: 0, configs: [] }, packed: null };
  const { files } = listed;
  const packages = listPackages(project);
  const packed = packGround(files, packages);
  const hasUnseenPackages = packages.signatures === null && request.setup === null;
  const configs = files.filter(({ kind }) => kind === 'config').map(({ path }) => path);
  const tests = files.length - configs.length;
  const most = configs.slice(0, CONFIGS_NAMED);
  const unseen = hasUnseenPackages && { hasUnseenPackages };
  return { ground: { ...asked, ...unseen, digest: packed.digest, tests, configs: most }, packed };
}

/** Views that a loop gets later are in the same places. */
function isOwnFile(): (path: string) => boolean {
  return globs(ownFiles({ files: { views: [] } }).ignored);
}

/** The agent works these off, wherever they lie. */
function ownLists({ features, items, watchFile }: StartRequest): string[] {
  return [features, items, watchFile].flatMap((file) => (file === null ? [] : [file.replace(/#.*$/, '')]));
}

const SHELL = /^(?:(?:ba|z|da|k)?sh)$/;
const INTERPRETER = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const PACKAGE_RUNNER = /^(?:npm|pnpm|yarn|bun)$/;
const WHOLE_FILES: Readonly<Record<string, readonly string[]>> = {
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'],
  rake: ['Rakefile'],
};
/**
 * A program that a check runs may be the work itself (`node app.js | grep ok`). One that is named or lies
 * where checks do is taken for a check, and so is a shell script.
 */
const LOOKS_LIKE_CHECK =
  /test|check|spec|verif|valid|lint|assert|smoke|bench|e2e|(?:^|\/)(?:ci|scripts?|tools?)\//i;
/** `npm run a` may run `npm run b`. */
const MOST_DEPTH = 4;

/** Files of the project that decide what these commands run, relative to it. */
export function filesRunBy(commands: readonly string[], project: string): string[] {
  const found = commands.flatMap((command) => filesOf(command, '', project, MOST_DEPTH));
  const inside = found
    .map((file) => posix.normalize(file))
    .filter(
      (file) => !/^(?:\/|~|\.\.)/.test(file) && !file.split('/').some((name) => MADE_FOLDERS.has(name)),
    );
  return [...new Set(inside)].filter((file) => isFile(join(project, file)));
}

function filesOf(line: string, folder: string, project: string, depth: number): string[] {
  const commands = commandsOf(line, '~') ?? [];
  return commands.flatMap((command) =>
    command.folders.flatMap((inner) => filesIn(command, inFolder(folder, inner), project, depth)),
  );
}

function filesIn({ words }: PlainCommand, folder: string, project: string, depth: number): string[] {
  const [path = '', ...args] = withoutPrefixes(words).map(({ text }) => text);
  const verb = baseName(path);
  const script = args.find((arg) => !arg.startsWith('-'));
  const isScript = (file: string | undefined) => file !== undefined && LOOKS_LIKE_CHECK.test(file);
  const files = [
    ...(path.includes('/') && (/\.(?:ba|z)?sh$/.test(path) || isScript(path)) ? [path] : []),
    ...(SHELL.test(verb) && script !== undefined ? [script] : []),
    ...(INTERPRETER.test(verb) && script !== undefined && isScript(script) ? [script] : []),
    ...(WHOLE_FILES[verb] ?? []),
  ].map((file) => inFolder(folder, file));
  const inner = PACKAGE_RUNNER.test(verb) && depth > 0 ? scriptsRunBy(args, join(project, folder)) : [];
  return [...files, ...inner.flatMap((line) => filesOf(line, folder, project, depth - 1))];
}

/** `npm test`, `npm run lint`, `yarn lint`, with what runs before and after it. */
function scriptsRunBy(args: readonly string[], folder: string): string[] {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const name = words[0] === 'run' || words[0] === 'run-script' ? words[1] : words[0];
  const scripts = attempt((): unknown => {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isRecord(read) ? read['scripts'] : null;
  }, null);
  if (name === undefined || !isRecord(scripts)) return [];
  const lines = [`pre${name}`, name === 't' ? 'test' : name, `post${name}`].map((one) => scripts[one]);
  return lines.filter((line) => typeof line === 'string');
}
