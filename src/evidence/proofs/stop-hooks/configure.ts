/** Loads what a new loop takes from the project's config and from its user's own hooks. */
import { join } from 'node:path';
import type { TreeMark } from '#law/record/mark.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { realPath } from '#base/files/paths.ts';
import { makeScratch } from '#base/files/scratch.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Store, StoredHooks } from '#store/store.ts';
import { firstMark } from '../tree-now.ts';
import { findConfig } from './config-file.ts';
import { NO_PINS, trustIn } from './config-trust.ts';
import { NO_GATES, nameOfRule, type OwnGates } from './own-gates.ts';
import { describeConfig, type ConfigDescription, type Described, type HooksOrder } from './process.ts';

/** Loading a config should be quick: a person waits at a prompt, and the hook has 30 s. */
const DESCRIBE_MS = 20_000;

export interface ConfigWish {
  readonly project: string;
  readonly config: { readonly is: 'file'; readonly file: string } | { readonly is: 'none' } | null;
  readonly own?: OwnGates | undefined;
}

export interface Configured {
  readonly ok: true;
  /** Null if the hooks are the user's own and the project has no config. */
  readonly config: { readonly file: string; readonly digest: string } | null;
  readonly found: ConfigDescription;
  readonly mark: TreeMark | null;
  /** The folder with the trees of that mark; the loop takes it over. */
  readonly marks: string | null;
}

/**
 * Returns null if there is neither a config nor a hook. `none` turns off the project's config, not the user's
 * own hooks. We run nothing of the project's unless this user has agreed to exactly that.
 */
export async function configFor(wish: ConfigWish, runtime: Runtime): Promise<Configured | Refusal | null> {
  const { project, config, own = NO_GATES } = wish;
  const found =
    config?.is === 'none' ? { ok: true as const, file: null } : findConfig(project, config?.file ?? null);
  if (!found.ok) return found;
  const stored = storedFor(runtime.store, [realPath(project)]);
  if (!stored.ok) return refuse('bad-hooks', `${stored.why}.`, 'Fix it, or delete it.');
  const hooks = [...stored.hooks, ...own.hooks];
  if (found.file === null && hooks.length + own.rules.length === 0) return null;
  const standing = found.file === null ? null : trustIn(runtime.store, project, found.file);
  if (standing !== null && standing.is !== 'trusted')
    return refuse(
      `config-${standing.is}`,
      `${standing.why}.`,
      `${standing.next}, or start with --config none.`,
    );
  const pinned = standing?.pin ?? null;
  const described = await describeHooks(
    { project, config: found.file, stored: hooks, pins: pinned ?? NO_PINS },
    runtime,
  );
  if (described.is === 'failed')
    return refuse(
      'bad-config',
      `${found.file ?? 'a stop hook'} can't be used: ${described.error}`,
      'Fix it, or start with --config none.',
    );
  const rules = own.rules.map(({ name, type }) => ({ name: nameOfRule(name), of: type }));
  const all = [...described.hooks, ...rules];
  const looksAtFiles = own.files || all.length > own.hooks.length + own.rules.length;
  return {
    ok: true,
    config: pinned === null || found.file === null ? null : { file: found.file, digest: pinned.digest },
    found: { ...described, hooks: all },
    ...(looksAtFiles ? await firstMark(project, null, runtime) : { mark: null, marks: null }),
  };
}

/** The user's own hooks for these tasks: a project's folder, or a loop's id. */
export function storedFor(store: Store, tasks: readonly string[]): StoredHooks {
  const stored = store.hooks.read();
  return stored.ok
    ? { ok: true, hooks: stored.hooks.filter(({ taskId }) => tasks.includes(taskId)) }
    : stored;
}

/** What a config holds. The caller has made sure that it may be run. */
export async function describeHooks(
  order: Pick<HooksOrder, 'project' | 'config' | 'stored' | 'pins'>,
  runtime: Runtime,
): Promise<Described> {
  const folder = makeScratch('config');
  return describeConfig(
    { ...order, timeoutMs: DESCRIBE_MS },
    {
      runner: runtime.runner,
      signal: runtime.stopped ?? new AbortController().signal,
      scratch: folder,
      output: join(folder, 'printed.txt'),
      allMs: DESCRIBE_MS,
    },
  );
}
