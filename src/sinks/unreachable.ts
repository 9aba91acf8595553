/** Targets of notifications that can't be reached from here, as far as that shows without sending anything. */
import { readUserConfig } from '../flags/user-config.ts';
import type { Runtime } from '../store/runtime.ts';
import { whyNoDesktop } from './channels/desktop-programs.ts';
import { ownTarget } from './route.ts';

/** `own`: the targets that the loop names itself, in addition to those of the user's config. */
export function sayUnreachable(
  own: readonly string[],
  { store, env }: Pick<Runtime, 'store' | 'env'>,
): string[] {
  const config = readUserConfig(store.config);
  const configured = config.ok ? config.value.notify.map(({ target }) => target) : [];
  const why = [...configured, ...own.flatMap(ownTarget)].some(({ kind }) => kind === 'desktop')
    ? whyNoDesktop(process.platform, env)
    : null;
  return why === null
    ? []
    : [`You get no notification on the desktop: ${why}. Install it, or name another target.`];
}
