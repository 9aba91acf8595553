/** Which hosts can be woken. Separate from `Host`, since the hook that judges stops does not need it. */
import { claudeCodeWake } from './claude-code/hook/wake.ts';
import type { Host, Wake } from './host.ts';
import { DEFAULT_NAME } from './names.ts';

/** Null: a session of this host that has stopped can't be woken. */
export function wakeOf({ name }: Pick<Host, 'name'>): Wake | null {
  return name === DEFAULT_NAME ? claudeCodeWake : null;
}
