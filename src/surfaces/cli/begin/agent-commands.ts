/**
 * What `dacapo run`, `start` and `ready` are told to run by an agent's shell. Checks run outside of the host,
 * which asks nobody before each of them, so an agent brings no command of its own, as with the tools of
 * `dacapo mcp`.
 */
import { framesOf } from '#law/loop.ts';
import { agentSign } from '#hosts/tables/names.ts';
import { sessionOf } from '#hosts/tables/adapters.ts';
import { checksOf } from '#law/gates.ts';
import type { Refusal } from '#base/refusal.ts';
import { commandsInWords } from '#input/command-flags.ts';
import type { Runtime } from '#store/runtime.ts';
import { withLoop } from '#engine/look/loops.ts';
import { refuseUnknown } from '#engine/trust/trust.ts';
import { here } from '../context.ts';

/**
 * Returns null if this is not an agent's shell, or if each command is one of the trusted config or of its own
 * loop. `words`: as they were given; `brought`: checks that came in another way.
 */
export async function refuseNewCommands(
  words: readonly string[],
  brought: readonly string[],
  runtime: Runtime,
): Promise<Refusal | null> {
  const sign = agentSign(runtime.env);
  if (sign === null) return null;
  const known = ownCommands(runtime);
  const asked = [...commandsInWords(words), ...brought].filter((command) => !known.includes(command));
  const refused = await refuseUnknown(asked, here(), runtime);
  if (refused?.code !== 'unknown-check') return refused;
  return {
    ...refused,
    message:
      `${refused.message} This is the shell of an agent (${sign} is set), which starts no loop with a ` +
      'new command.',
  };
}

function ownCommands(runtime: Runtime): string[] {
  const session = sessionOf(runtime.env);
  const entry = session === null ? null : runtime.store.sessions.find(session);
  const known =
    entry &&
    withLoop(entry.loop, runtime, (open) =>
      framesOf(open.loop()).flatMap((frame) => [...checksOf(frame), ...(frame.measures ?? [])]),
    );
  return (known ?? []).map(({ command }) => command);
}
