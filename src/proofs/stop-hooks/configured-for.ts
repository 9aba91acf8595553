/**
 * Whether a new loop takes anything from a config or from its user's own hooks. Most do not, and pay for a few file
 * checks only.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime } from '../../store/runtime.ts';
import { CONFIG_NAMES } from './config-file.ts';
import { configFor, type ConfigWish } from './configure.ts';
import { hasAny } from './own-gates.ts';

export async function configuredFor(wish: ConfigWish, runtime: Runtime): ReturnType<typeof configFor> {
  const { project, config, own } = wish;
  const any =
    (own !== undefined && hasAny(own)) ||
    config?.is === 'file' ||
    runtime.store.hooks.any() ||
    CONFIG_NAMES.some((name) => existsSync(join(project, name)));
  return any ? configFor(wish, runtime) : null;
}
