/**
 * What a project brings along for a host now: its files that run code, send requests elsewhere or change what
 * the agent may do, each with a digest of the whole file. What `dacapo init` of this installation would write
 * is the person's own.
 */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { attempt, isRecord } from '#base/shape.ts';
import { readRegular, WITH_LINKS } from '#base/files/read.ts';
import { sha256 } from '#base/files/sha256.ts';
import { PLUGIN } from '#base/process/package.ts';
import { frontMatterKeys } from '../kit/front-matter.ts';
import type { OfProject, SettingsPlace } from '../port/headless.ts';
import { classOf, isForeign, rootsOf } from './host-ground.ts';
import { PROJECT_FILES, type ProjectFiles } from './project-files.ts';
import { pluginFile } from '../setup/plugin-file.ts';
import { withoutInstalled } from '../setup/registration.ts';
import type { Registration } from '../port/command-line.ts';
import { parseSettings } from '../setup/settings.ts';

/** What `dacapo init` of this installation would write for a host now. */
export interface Installation {
  readonly name: string;
  readonly hooks: Registration;
  /** Takes further settings of ours away. */
  readonly withoutExtra?: (settings: Record<string, unknown>) => Record<string, unknown>;
}

/** A project with more has something else in mind. What is not looked at is foreign. */
const MAX_FILES_SEEN = 2_000;
const TOO_MANY = 'more files than Da Capo looks at';

/** Null: nothing that anybody would have to agree to. */
export function broughtBy(ours: Installation, { project, env }: SettingsPlace): OfProject | null {
  const host = PROJECT_FILES[ours.name];
  if (host === undefined) return null;
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const found = foldersFrom(project, home).flatMap((folder) => {
    const files = listFiles(host, folder);
    const rest = files.length < MAX_FILES_SEEN ? [] : [{ file: folder, digest: null, foreign: [TOO_MANY] }];
    return [...files.flatMap((file) => foreignFile(file, folder, host, ours)), ...rest];
  });
  if (found.length === 0) return null;
  return {
    files: found.map(({ file, digest }) => ({ file, digest })),
    runs: found.flatMap(({ file, foreign }) => foreign.map((what) => `${what} (${file})`)),
  };
}

/**
 * Most hosts also look into the folders above, up to that of the repository. Above the person's own there is
 * no project.
 */
function foldersFrom(project: string, home: string): string[] {
  const folders = [project];
  for (let at = project; !existsSync(join(at, '.git')); at = dirname(at)) {
    const above = dirname(at);
    if (above === at || above === home) break;
    folders.push(above);
  }
  return folders;
}

/** Follows links, as hosts do, and each folder once. */
function listFiles(host: ProjectFiles, folder: string): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  const open = rootsOf(host).map((root) => join(folder, root));
  for (let path = open.pop(); path !== undefined && files.length < MAX_FILES_SEEN; path = open.pop()) {
    // Also where a part of the path is no folder.
    if (attempt(() => lstatSync(path), null) === null) continue;
    if (classOf(host, slashed(folder, path)) === 'harmless') continue;
    const names = attempt(() => readdirSync(path), null);
    const real = attempt(() => realpathSync(path), path);
    if (names === null) files.push(path);
    else if (!seen.has(real)) open.push(...names.map((name) => join(path, name)));
    seen.add(real);
  }
  return files;
}

function slashed(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

interface ForeignFile {
  readonly file: string;
  readonly digest: string | null;
  readonly foreign: readonly string[];
}

function foreignFile(file: string, folder: string, host: ProjectFiles, ours: Installation): ForeignFile[] {
  const path = slashed(folder, file);
  const is = classOf(host, path);
  if (is === null || is === 'harmless') return [];
  const found = readRegular(file, WITH_LINKS);
  if (found.is !== 'content')
    return [{ file, digest: null, foreign: [`unreadable: ${'why' in found ? found.why : 'gone'}`] }];
  // A file where the host's folder would be: no host can look into it.
  if (host.folders.includes(path)) return [];
  const keys = host.keys[path];
  const foreign = !isForeign(is)
    ? inFrontMatter(found.content, host)
    : keys === undefined
      ? inProgram(found.content, is, ours)
      : inSettings(found.content, keys, ours);
  return foreign.length === 0 ? [] : [{ file, digest: sha256(found.bytes), foreign }];
}

function inFrontMatter(content: string, { frontMatter }: ProjectFiles): string[] {
  const foreign = frontMatterKeys(content).filter((key) => !frontMatter.includes(key));
  return foreign.map((key) => `${key} in its front matter`);
}

/** `is`: what the table says that it does. */
const SAYS = {
  code: 'a program',
  sends: 'variables',
  permissions: 'permissions',
  unknown: 'unknown',
} as const;

function inProgram(content: string, is: keyof typeof SAYS, { name }: Installation): string[] {
  return content === pluginFile(PLUGIN, name) ? [] : [SAYS[is]];
}

/** Some hosts read comments, too: then it is more than we can look at, and foreign. */
function inSettings(content: string, harmless: readonly string[], ours: Installation): string[] {
  const settings = parseSettings(content);
  if (settings === null) return ['settings that are no plain JSON'];
  const theirs = withoutInstalled(ours.withoutExtra?.(settings) ?? settings, ours.hooks);
  const { hooks, ...rest } = theirs;
  const others = Object.entries(rest).filter(([key]) => !harmless.includes(key));
  return [...inGroup('hooks', hooks), ...others.flatMap(([key, value]) => inGroup(key, value))];
}

/** Settings that hold several things, each of which has a name. */
const GROUPS = new Map([
  ['hooks', 'a hook at'],
  ['env', 'the variable'],
  ['mcpServers', 'the MCP server'],
]);

function inGroup(key: string, value: unknown): string[] {
  const words = GROUPS.get(key);
  if (value === undefined) return [];
  return words !== undefined && isRecord(value)
    ? Object.keys(value).map((name) => `${words} ${name}`)
    : [key];
}
