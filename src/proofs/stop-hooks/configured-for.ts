/**
 * Whether a new loop takes anything from a config or from its user's own hooks. Most do not, and pay for a few file
 * checks only.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES } from './config-file.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Configured } from './configured.ts';
import { configFor, type ConfigWish } from './configure.ts';
import { hasAny } from './own-gates.ts';
import type { Runtime } from '../../store/runtime.ts';

/** Returns null if there is nothing to take. */
export async function configuredFor(
  wish: ConfigWish,
  runtime: Runtime,
): Promise<Configured | Refusal | null> {
  const { project, config, own } = wish;
  const any =
    (own !== undefined && hasAny(own)) ||
    config?.is === 'file' ||
    runtime.store.hooks.any() ||
    CONFIG_NAMES.some((name) => existsSync(join(project, name)));
  return any ? configFor(wish, runtime) : null;
}
