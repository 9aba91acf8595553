/** Targets of notifications that can't be reached from here, as far as that shows without sending anything. */
import { readUserConfig } from '../flags/user-config/user-config.ts';
import type { Runtime } from '../store/runtime.ts';
import { whyNoDesktop } from './channels/desktop-programs.ts';
import { targetsOf } from './route.ts';

/** `own`: the targets that the loop names itself, in addition to those of the user's config. */
export function sayUnreachable(
  own: readonly string[],
  { store, env }: Pick<Runtime, 'store' | 'env'>,
): string[] {
  const config = readUserConfig(store.config);
  const targets = targetsOf(own, config.ok ? config.value.notify : []);
  const why = targets.some(({ target }) => target.kind === 'desktop')
    ? whyNoDesktop(process.platform, env)
    : null;
  return why === null
    ? []
    : [`You get no notification on the desktop: ${why}. Install it, or name another target.`];
}
