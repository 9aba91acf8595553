/** Whether this user has agreed to run a config, as its files are now. */
import type { Loop } from '#law/loop.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { hooksTrouble } from '#law/proof/stop-hooks.ts';
import { realPath } from '#base/files/paths.ts';
import type { Pin, Pins, Store } from '#store/store.ts';
import { findChangedPin, pinConfig } from './config-file.ts';

/** The user's own hooks are data: with them alone, nothing of the project is loaded. */
export const NO_PINS: Pins = { files: [], fields: [] };

export type ConfigTrust =
  | { readonly is: 'trusted'; readonly pin: Pin }
  | { readonly is: 'untrusted' | 'changed' | 'unreadable'; readonly why: string; readonly next: string };

export function trustIn(store: Store, project: string, file: string): ConfigTrust {
  const pin = store.trust.find(realPath(project), file);
  const now = pin === null ? pinConfig(project, file) : null;
  if (now?.ok === false)
    return { is: 'unreadable', why: now.message.replace(/\.$/, ''), next: now.next.replace(/\.$/, '') };
  const next = 'Look at it, then run dacapo trust in a terminal of your own';
  if (pin === null)
    return {
      is: 'untrusted',
      why: `${file} is not trusted yet: code of a project runs only after you agree`,
      next,
    };
  const changed = findChangedPin(project, pin);
  if (changed === null) return { is: 'trusted', pin };
  return {
    is: 'changed',
    why: `${changed} has changed since ${file} was trusted (an edit, or tampering)`,
    next,
  };
}

export function configTrouble({ project, config }: Loop, store: Store): GateResult | null {
  if (config === null) return null;
  const standing = trustIn(store, project, config.file);
  return standing.is === 'trusted' ? null : notTrusted(standing);
}

export function notTrusted({ why, next }: Exclude<ConfigTrust, { is: 'trusted' }>): GateResult {
  return hooksTrouble(`${why}. ${next}, then dacapo resume`);
}
