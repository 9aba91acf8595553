/** What a person agrees to, and only that is pinned: a config, settings for the host, changed files. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize, resolve, relative } from 'node:path';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { configFor, describeHooks } from '#evidence/proofs/stop-hooks/configure.ts';
import { findConfig, pinConfig, type PinnedFiles } from '#evidence/proofs/stop-hooks/config-file.ts';
import { isFile, realPath } from '#base/files/paths.ts';
import type { ConfigDescription } from '#evidence/proofs/stop-hooks/process.ts';
import type { Runtime } from '#store/runtime.ts';
import { refuseToAgents } from './people-only.ts';
import { dropTrees } from '#store/evidence.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { HeadlessHost, OfProject } from '#hosts/port/headless.ts';
import type { Pin } from '#store/store.ts';
import type { Loop } from '#law/loop.ts';
import { acceptChanges } from '#evidence/guard/changed.ts';
import { listsOf } from '#evidence/guard/lists.ts';
import { acceptLists } from '#evidence/guard/removed-items.ts';
import { forgetEnvironment, readVariableDifferences } from '#evidence/proofs/environment.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { title } from '#telling/person/status.ts';

export interface TrustOrder {
  readonly project: string;
  readonly config: string | null;
}

export type Trusted = Extract<Awaited<ReturnType<typeof trust>>, { ok: true }>;

export async function trust(order: TrustOrder, runtime: Runtime) {
  const config = configOf(order, runtime);
  if (!config.ok) return config;
  const { project } = order;
  const { file } = config;
  // Before we run any of it: a config that can't be read is not loaded.
  const named = pinConfig(project, file);
  if (!named.ok) return named;
  const found = await describeHooks({ project, config: file, stored: [], pins: null }, runtime);
  if (found.is === 'failed')
    return refuse('bad-config', `${file} can't be used: ${found.error}`, 'fix it, and try again.');
  const missing = found.modules.find((module) => !existsSync(resolve(project, module)));
  if (missing !== undefined)
    return refuse(
      'no-module',
      `${file} names ${missing}, which is not there.`,
      'fix the path: it is relative to the config.',
    );
  const pinned = pinConfig(project, file, found.loaded);
  if (!pinned.ok) return pinned;
  const { digest, files, fields } = pinned;
  runtime.store.trust.keep({ project, file, digest, files, fields, at: runtime.now() });
  return { ok: true as const, file, pinned, found, unpinned: filesOfChecks(project, found, files) };
}

export function untrust(order: TrustOrder, runtime: Runtime): Granted<{ file: string; was: boolean }> {
  const config = configOf(order, runtime);
  if (!config.ok) return config;
  const { file } = config;
  return { ok: true, file, was: runtime.store.trust.drop({ project: order.project, file }) };
}

function configOf({ project, config }: TrustOrder, runtime: Runtime): Granted<{ readonly file: string }> {
  const refusal = refuseToAgents('dacapo trust', runtime.env);
  if (refusal !== null) return refusal;
  const found = findConfig(project, config);
  if (!found.ok) return found;
  if (found.file !== null) return { ok: true, file: found.file };
  const why = `there is no dacapo.config.js, .mjs, .ts or .json in ${project}.`;
  return refuse('no-config', why, 'write one, or name it: dacapo trust --config FILE.');
}

/**
 * Files of the project that its checks name. They are not pinned: a check runs them as they are at that time.
 */
function filesOfChecks(
  project: string,
  { checks }: ConfigDescription,
  pinned: PinnedFiles['files'],
): readonly string[] {
  const words = checks
    .flatMap(({ command }) => command.split(/[\s"'`;|&()<>=]+/))
    .map((word) => normalize(word));
  const named = [...new Set(words)].filter(
    (word) => word !== '.' && !isAbsolute(word) && !word.startsWith('..') && isFile(join(project, word)),
  );
  return named.filter((file) => pinned.every((one) => one.file !== file)).toSorted();
}

/**
 * Of an agent. `checks`: names of checks in the trusted config, or their commands. `or`: where else a person
 * may write them.
 */
export async function refuseUnknown(
  checks: readonly string[],
  project: string,
  runtime: Runtime,
  or = '',
): Promise<Refusal | null> {
  if (checks.length === 0) return null;
  const configured = await configFor({ project, config: null }, runtime);
  if (configured?.ok === false) return configured;
  if (configured?.marks) dropTrees(configured.marks);
  const known = configured?.found.checks ?? [];
  const unknown = checks.find(
    (check) => !known.some(({ name, command }) => name === check || command === check),
  );
  if (unknown === undefined) return null;
  const has = known.length === 0 ? '' : `, which has ${known.map(({ name }) => name).join(', ')}`;
  return refuse(
    'unknown-check',
    `${JSON.stringify(unknown)} is not a check of this project's trusted config${has}.`,
    `A person adds it to dacapo.config.json and runs dacapo trust${or}. Or start without it.`,
  );
}

/** Stands for all of these files in the list of what is trusted: no config has that name. */
const HOST_PIN = 'host';
const MAX_COMMANDS_LISTED = 12;
const MAX_COMMAND_CHARS = 200;

/** What a project brings along for a host. Null: the person has agreed to exactly these files. */
export function refuseUntrusted(
  project: string,
  found: OfProject,
  { store }: Pick<Runtime, 'store'>,
): Refusal | null {
  // A person agrees to the files of every host at once, and one host reads some of them.
  if (filesChangedSince(project, found, agreedFiles(project, { store })).length === 0) return null;
  const lines = found.runs
    .slice(0, MAX_COMMANDS_LISTED)
    .map((line) => `  ${oneLine(line, MAX_COMMAND_CHARS)}`);
  const more =
    found.runs.length > MAX_COMMANDS_LISTED
      ? [`  … and ${found.runs.length - MAX_COMMANDS_LISTED} more`]
      : [];
  return refuse(
    'untrusted',
    'You have not agreed yet to what this project runs, sends elsewhere or allows by ' +
      `itself:\n${[...lines, ...more].join('\n')}`,
    'Look at these files. Then agree with dacapo trust, or in the dialog of a session that you open here.',
  );
}

export function agreedFiles(project: string, { store }: Pick<Runtime, 'store'>): Pin['files'] {
  return store.trust.find(realPath(project), HOST_PIN)?.files ?? [];
}

/** A file of the project as it is now. `digest`: null: it can't be read. */
export interface FileNow {
  readonly file: string;
  readonly digest: string | null;
}

/** Files that are new or have changed since. What can't be read counts as changed. */
export function filesChangedSince(project: string, found: OfProject, since: Pin['files']): FileNow[] {
  const isSame = (now: FileNow) =>
    since.some(({ file, digest }) => file === now.file && digest === now.digest);
  const files = found.files.map(({ file, digest }) => ({ file: relative(project, file), digest }));
  return files.filter((now) => !isSame(now));
}

/** Before a host is started in a project, or even asked for its version there. */
export function refuseHost(host: HeadlessHost, project: string, runtime: Runtime): Refusal | null {
  const found = host.untrusted?.({ project, env: runtime.env, platform: process.platform }) ?? null;
  return found && refuseUntrusted(project, found, runtime);
}

export function trustHost(project: string, found: OfProject, runtime: Runtime): Pin {
  return keepHostPin(project, pinnedIn(project, found), runtime);
}

export function keepHostPin(project: string, files: Pin['files'], { store, now }: Runtime): Pin {
  const digest = sha256(JSON.stringify(files));
  const pin: Pin = { project: realPath(project), file: HOST_PIN, digest, files, fields: [], at: now() };
  store.trust.keep(pin);
  return pin;
}

export function untrustHost(project: string, { store }: Runtime): boolean {
  return store.trust.drop({ project: realPath(project), file: HOST_PIN });
}

export function pinnedIn(project: string, { files }: OfProject): Pin['files'] {
  return files.flatMap(({ file, digest }) =>
    digest === null ? [] : [{ file: relative(project, file), digest }],
  );
}

export type Accepted = Extract<ReturnType<typeof accept>, { ok: true }>;

/** `--accept-changes`: the protected files, the lists of items and the environment as they are now. */
export function nothingToAccept({ blobs }: OpenLoop, loop: Loop): Refusal | null {
  if (
    loop.protection.baseline !== null ||
    listsOf(loop).length > 0 ||
    readVariableDifferences(blobs).length > 0
  )
    return null;
  return refuse('nothing-protected', `Loop ${title(loop)} protects no files.`, 'Leave --accept-changes out.');
}

export function accept(open: OpenLoop, runtime: Runtime) {
  const changes = open.loop().protection.baseline === null ? null : acceptChanges(open, runtime);
  if (changes !== null && 'ok' in changes) return changes;
  const lists = listsOf(open.loop());
  const gone = lists.length === 0 ? 0 : acceptLists(open, runtime);
  forgetEnvironment(open.blobs);
  open.keep();
  return { ok: true as const, changes, lists, gone };
}
