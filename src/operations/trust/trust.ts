/**
 * A person agrees to what a project's config runs, and we pin exactly that. A config that can't be loaded is never
 * pinned.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { look } from '../../proofs/stop-hooks/configure.ts';
import { findConfig, pinConfig, type PinnedFiles } from '../../proofs/stop-hooks/config-file.ts';
import { isFile } from '../../files/paths.ts';
import type { ConfigDescription } from '../../proofs/stop-hooks/process.ts';
import type { Runtime } from '../../store/runtime.ts';
import { refuseToAgents } from './people-only.ts';

export interface TrustOrder {
  readonly project: string;
  readonly config: string | null;
}

export interface Trusted {
  readonly ok: true;
  readonly file: string;
  readonly pinned: PinnedFiles;
  /** What loops that start here will run. */
  readonly found: ConfigDescription;
  /** Files of the project that its checks name. They are not pinned: a check runs them as they are at that time. */
  readonly unpinned: readonly string[];
}

export async function trust(order: TrustOrder, runtime: Runtime): Promise<Trusted | Refusal> {
  const config = configOf(order, runtime);
  if (!config.ok) return config;
  const { project } = order;
  const { file } = config;
  // Before we run any of it: a config that can't be read is not loaded.
  const named = pinConfig(project, file);
  if (!named.ok) return named;
  const found = await look({ project, config: file, stored: [], pins: null }, runtime);
  if (found.is === 'failed')
    return refuse('bad-config', `${file} can't be used: ${found.error}`, 'fix it, and try again.');
  const missing = found.modules.find((module) => !existsSync(resolve(project, module)));
  if (missing !== undefined) return refuseMissing(file, missing);
  const pinned = pinConfig(project, file, found.loaded);
  if (!pinned.ok) return pinned;
  const { digest, files, fields } = pinned;
  runtime.store.trust.keep({ project, file, digest, files, fields, at: runtime.now() });
  return { ok: true, file, pinned, found, unpinned: filesOfChecks(project, found, files) };
}

export function untrust(
  order: TrustOrder,
  runtime: Runtime,
): { readonly ok: true; readonly file: string; readonly was: boolean } | Refusal {
  const config = configOf(order, runtime);
  if (!config.ok) return config;
  const { file } = config;
  return { ok: true, file, was: runtime.store.trust.drop({ project: order.project, file }) };
}

function configOf(
  { project, config }: TrustOrder,
  runtime: Runtime,
): { readonly ok: true; readonly file: string } | Refusal {
  const refusal = refuseToAgents('dacapo trust', runtime.env);
  if (refusal !== null) return refusal;
  const found = findConfig(project, config);
  if (!found.ok) return found;
  if (found.file !== null) return { ok: true, file: found.file };
  return refuse(
    'no-config',
    `there is no dacapo.config.js, .mjs, .ts or .json in ${project}.`,
    'write one, or name it: dacapo trust --config FILE.',
  );
}

function refuseMissing(file: string, missing: string): Refusal {
  return refuse(
    'no-module',
    `${file} names ${missing}, which is not there.`,
    'fix the path: it is relative to the config.',
  );
}

/** The words of a command that are paths to a file of the project. */
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
