/** At a stop: the agent asks a question, or the gates hold and a person confirms the completion. */
import type { Verdict } from '../../core/record/verdict.ts';
import type { Stop } from '../../core/stop.ts';
import { harmless } from '../../core/words/sanitize.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { ask } from './ask.ts';

type Asks = NonNullable<Extract<Verdict, { is: 'allow' }>['asks']>;

/** The agent's last words tell why. */
export function askAtStop(open: OpenLoop, { kind, text }: Asks, stop: Stop, world: Runtime): void {
  ask(open, { kind, what: { tool: null, digest: null, text }, why: harmless(stop.message).trim() }, world);
}
