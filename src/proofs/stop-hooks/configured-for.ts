/** Whether a loop that begins here takes anything from a config or from hooks of its user's: most do not, and pay one look. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES } from './config-names.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Configured } from './configured.ts';
import { configFor, type ConfigWish } from './ask.ts';
import type { Runtime } from '../../store/runtime.ts';

/** Null: nothing. */
export async function configuredFor(wish: ConfigWish, world: Runtime): Promise<Configured | Refusal | null> {
  const { project, config } = wish;
  const any =
    config?.is === 'file' ||
    world.store.hooks.any() ||
    CONFIG_NAMES.some((name) => existsSync(join(project, name)));
  return any ? configFor(wish, world) : null;
}
