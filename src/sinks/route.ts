/** Which targets get a notice, and which of them can't be reached from here. */
import type { NoticeKind } from '../core/notices.ts';
import { targetOf, type Target } from '../flags/notify-target.ts';
import { readUserConfig, type UserConfig } from '../flags/user-config.ts';
import type { Runtime } from '../store/runtime.ts';
import { whyNoDesktop } from './channels/desktop-programs.ts';

/** `own`: the targets that the loop names itself. One that can't be read is left out: the start has refused it. */
export function route(is: NoticeKind, own: readonly string[], config: UserConfig): Target[] {
  const wanted = [
    ...config.notify
      .filter(({ events }) => (events ?? config.events).includes(is))
      .map(({ target }) => target),
    ...(config.events.includes(is) ? own.flatMap(ownTarget) : []),
  ];
  // A target that is named twice gets one message.
  return [...new Map(wanted.map((target) => [JSON.stringify(target), target])).values()];
}

function ownTarget(text: string): Target[] {
  const read = targetOf(text);
  return read.ok ? [read.value] : [];
}

/** As far as that shows without sending anything. `own`: as above. */
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
