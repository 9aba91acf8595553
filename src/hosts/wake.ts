/** The port to a host that can be made to go on after a stop. Apart from `Host`, since the hook that judges needs none of it. */
import type { Environment, Sender } from './arrival.ts';
import { claudeCodeWake } from './claude-code/hook/wake.ts';
import type { Host, Output } from './host.ts';
import { DEFAULT_NAME } from './names.ts';

/** How a hook in the background makes a session go on by itself. */
export interface Wake {
  /** Nothing runs in the session right now, as far as the host tells. */
  isIdle(from: Pick<Sender, 'session'>, env: Environment): boolean;
  encode(toAgent: string): Output;
}

/** Null: a session of this host that has stopped can't be woken. */
export function wakeOf({ name }: Pick<Host, 'name'>): Wake | null {
  return name === DEFAULT_NAME ? claudeCodeWake : null;
}
