/** The program of a host on this machine: where it is, its version, and what else an agent needs here. */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { refuse, type Granted } from '#base/refusal.ts';
import { isProgram, namedProgram, programOnPath } from '#base/files/paths.ts';
import { sayTooOld } from '#base/process/node-version.ts';
import { PACKAGE } from '#base/process/package.ts';
import type { Environment } from './arrival.ts';
import type { HostAdapter } from './command-line.ts';
import { ok, problem, warning, type Finding, type Pass } from './headless.ts';
import type { HostNames } from '../tables/names.ts';

type HostWithProgram = HostNames & Pick<HostAdapter, 'program'>;

export const NO_HOST = 'no-host';

/** The variable with which a person names the program, for example DACAPO_CODEX. */
export function variableOf({ word }: HostNames): string {
  return `DACAPO_${word.toUpperCase()}`;
}

/** Whether the person has named the program. Then we search for no other. */
export function isProgramNamed(host: HostNames, env: Environment): boolean {
  return Boolean(env[variableOf(host)]);
}

export function findProgram(
  host: HostNames & Partial<Pick<HostAdapter, 'program'>>,
  env: Environment,
): Granted<{ readonly program: string }> {
  const { title, word, starts } = host;
  if (starts !== undefined) return findStarted(starts[0], env);
  const variable = variableOf(host);
  const named = env[variable];
  if (named) {
    const program = resolve(named);
    if (isProgram(program)) return { ok: true, program };
    const next = `set it to the path of ${word}, or unset it to have ${word} looked for on the PATH.`;
    return refuse(NO_HOST, `${variable} names ${named}, which is not a program.`, next);
  }
  // On Windows only real programs: npm's `claude.cmd` needs a shell, and a shell would split prompts.
  const program = programOnPath(process.platform === 'win32' ? `${word}.exe` : word, env);
  if (program !== null) return { ok: true, program };
  const from = host.program === undefined ? '' : ` (${host.program.install})`;
  const next = `install it${from}, or set ${variable} to the path of ${word}.`;
  return refuse(NO_HOST, `${title} was not found: there is no ${word} on the PATH.`, next);
}

/** A host that is a command. Our own program starts it, so the program of its passes is Node. */
function findStarted(word: string, env: Environment): Granted<{ readonly program: string }> {
  if (basename(word) !== word && !isAbsolute(word)) {
    const next = `give it as "acp:${resolve(word)} …": an iteration may begin in another folder.`;
    return refuse(NO_HOST, `${word} is not a full path.`, next);
  }
  if (namedProgram(word, env, process.platform) !== null) return { ok: true, program: process.execPath };
  const why = `There is no program ${word}${basename(word) === word ? ' on the PATH' : ''}.`;
  return refuse(NO_HOST, why, `install it, or give its path: --host "acp:/path/to/${basename(word)} …".`);
}

/** The program itself, without npm's wrapper, in a `node_modules` of this folder or of one above it. */
export function findBeside({ program }: Pick<HostWithProgram, 'program'>, start: string): string | null {
  const inside = program.inModules?.(process.platform, process.arch);
  if (inside === undefined) return null;
  for (let dir = start; ; dir = dirname(dir)) {
    const path = join(dir, 'node_modules', ...inside);
    if (existsSync(path)) return path;
    if (dirname(dir) === dir) return null;
  }
}

/** The program may unpack itself on its first start. */
const ANSWER_MS = 20_000;

interface AskedProgram {
  readonly cwd?: string;
  readonly mostMs?: number;
  /** `inherit`: it is for the person. */
  readonly stderr?: 'pipe' | 'inherit';
}

/**
 * What a host's program prints; empty: it can't be started, or takes too long. It runs in our own folder,
 * since a project may bring along what a host loads at any start.
 */
export function runToAnswer(
  program: string,
  args: readonly string[],
  env: Environment,
  { cwd = PACKAGE, mostMs = ANSWER_MS, stderr = 'pipe' }: AskedProgram = {},
): string {
  // Loaded at the first use: it takes 2 ms, and most commands start no host.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const asked = spawnSync(resolve(program), args, {
    cwd,
    env: { ...env, DISABLE_AUTOUPDATER: '1' },
    encoding: 'utf8',
    timeout: mostMs,
    stdio: ['ignore', 'pipe', stderr],
    windowsHide: true,
  });
  // One of them tells its version on stderr.
  return asked.stdout || asked.stderr || '';
}

export function versionOf(program: string, env: Environment): string | null {
  return /\d+\.\d+\.\d+/.exec(runToAnswer(program, ['--version'], env))?.[0] ?? null;
}

export function isRecent(
  { program: { oldest } }: Pick<HostWithProgram, 'program'>,
  version: string,
): boolean {
  const numbers = (text: string) => text.split('.').map(Number);
  const least = numbers(oldest);
  // Not by `localeCompare`, whose first call takes 5 ms.
  const differences = numbers(version).map((part, at) => part - (least[at] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}

export function versionFinding(host: HostWithProgram, program: string, env: Environment): Finding {
  const version = versionOf(program, env);
  const ask = `${program} --version`;
  if (version === null)
    return problem('host', `${program} does not report its version.`, `Run \`${ask}\` and see why.`);
  const shown = `${host.title} ${version} (${program})`;
  const { oldest, update } = host.program;
  return isRecent(host, version)
    ? ok('host', shown)
    : problem('host', `${shown} is older than ${oldest}.`, `Update it: ${update}`);
}

/**
 * Without a person there, a host denies what it would ask about. `edits`: the mode for files only; `all`: for
 * anything.
 */
export function permissionFinding(
  { tool }: HostNames,
  pass: Pick<Pass, 'allowedTools' | 'extra'>,
  { mode, edits, all }: Readonly<Record<'mode' | 'edits' | 'all', string>>,
): Finding {
  if (all.startsWith(mode) || pass.allowedTools.length > 0 || pass.extra.length > 0)
    return ok('permissions', `The permission mode is ${mode}`);
  const says =
    `The permission mode is ${mode}, and no rule allows a command: the agent ` +
    `${mode === edits ? 'can edit, but not build or test' : 'may be unable to work'}.`;
  const remedy = `Allow what the task needs: --allowed-tools "${tool}", or --permission-mode ${all}.`;
  return warning('permissions', says, remedy);
}

export function toolsFindings(
  { title }: HostNames,
  { allowedTools }: Pick<Pass, 'allowedTools'>,
  rules = `--permission-mode and the rules of ${title} say what may run.`,
): Finding[] {
  const says = `${title} has no list of allowed tools, so --allowed-tools changes nothing.`;
  return allowedTools.length > 0 ? [warning('permissions', says, `Leave it out; ${rules}`)] : [];
}

const GIT_MS = 5_000;

/** What an agent needs here: the host and Node. */
export function environmentFindings(host: HostWithProgram, env: Environment, node: string): Finding[] {
  const found = findProgram(host, env);
  return [
    found.ok ? versionFinding(host, found.program, env) : problem('host', found.message, found.next),
    nodeFinding(node),
  ];
}

function nodeFinding(version: string): Finding {
  const shown = version.replace(/^v/, '');
  const old = sayTooOld(shown);
  return old === null ? ok('node', `Node ${shown}`) : problem('node', old, 'Update Node: https://nodejs.org');
}

/** Where git is. `gitFinding` also starts it, which takes a fifth of the time of a short command. */
export function gitPlaceFinding(env: Environment): Finding {
  const program = namedProgram('git', env, process.platform);
  return program === null ? NO_GIT : ok('git', `git is ${program}`);
}

export function gitFinding(env: Environment): Finding {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const asked = spawnSync('git', ['--version'], { env, encoding: 'utf8', timeout: GIT_MS });
  return asked.status === 0 ? ok('git', asked.stdout.trim()) : NO_GIT;
}

const NO_GIT = warning(
  'git',
  'git is not on the PATH.',
  'Install git: without it there are no commits, no work trees and no rollback.',
);
