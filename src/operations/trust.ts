/** A person agrees to what a project's config runs: exactly that is pinned. A config that can't be loaded is never pinned. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import { look } from '../proofs/stop-hooks/ask.ts';
import { findConfig, pinConfig, type PinnedFiles } from '../proofs/stop-hooks/config-file.ts';
import type { ConfigDescription } from '../proofs/stop-hooks/process.ts';
import type { Runtime } from '../store/runtime.ts';
import { refuseToAgents } from './people-only.ts';

export interface TrustOrder {
  readonly project: string;
  /** Null: the usual file. */
  readonly config: string | null;
}

export interface Trusted {
  readonly ok: true;
  readonly file: string;
  readonly pinned: PinnedFiles;
  /** What loops that begin here will run. */
  readonly found: ConfigDescription;
}

export async function trust(order: TrustOrder, world: Runtime): Promise<Trusted | Refusal> {
  const config = configOf(order, world);
  if (!config.ok) return config;
  const { project } = order;
  const { file } = config;
  const pinned = pinConfig(project, file);
  if (!pinned.ok) return pinned;
  const found = await look(project, file, [], world);
  if (found.is === 'failed')
    return refuse('bad-config', `${file} can't be used: ${found.error}`, 'mend it, and try again.');
  const unseen = found.modules.find((module) => pinned.files.every((one) => one.file !== module));
  if (unseen !== undefined) return refuseUnseen(file, unseen, project);
  world.store.trust.keep({ project, file, digest: pinned.digest, files: pinned.files, at: world.now() });
  return { ok: true, file, pinned, found };
}

export function untrust(
  order: TrustOrder,
  world: Runtime,
): { readonly ok: true; readonly file: string; readonly was: boolean } | Refusal {
  const config = configOf(order, world);
  if (!config.ok) return config;
  const { file } = config;
  return { ok: true, file, was: world.store.trust.drop({ project: order.project, file }) };
}

function configOf(
  { project, config }: TrustOrder,
  world: Runtime,
): { readonly ok: true; readonly file: string } | Refusal {
  const refusal = refuseToAgents('dacapo trust', world.env);
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

function refuseUnseen(file: string, unseen: string, project: string): Refusal {
  return existsSync(resolve(project, unseen))
    ? refuse(
        'unpinnable',
        `${file} names ${unseen} in a way that can't be pinned.`,
        'write its path as a plain text in the config, with the ending of a module (.mjs).',
      )
    : refuse(
        'no-module',
        `${file} names ${unseen}, which is not there.`,
        'mend the path: it is as seen from the config.',
      );
}
