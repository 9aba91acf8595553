/** Ends what nobody has begun: a state file that a person wrote. */
import type { Loop } from '../../core/loop.ts';
import type { Actor } from '../../core/record/events.ts';
import type { Sender } from '../../hosts/arrival.ts';
import { evidencePlace } from '../../store/evidence.ts';
import type { Runtime } from '../../store/runtime.ts';
import { findHandWritten, importHandWritten } from '../../views/markdown/import.ts';
import { adopt } from '../begin/adopt.ts';
import { cancelOne } from './control.ts';

/** `kept`: where the copy is. */
type CancelledFile =
  | { readonly is: 'cancelled'; readonly loop: Loop; readonly kept: string }
  | { readonly is: 'refused'; readonly why: string };

/** The file becomes a loop first, which keeps a copy. Null: there is no such file. `session`: null from a terminal. */
export async function cancelWaiting(
  { project, host, prompt }: Pick<Sender, 'project' | 'host' | 'prompt'>,
  session: string | null,
  by: Actor,
  runtime: Runtime,
): Promise<CancelledFile | null> {
  const found = findHandWritten(project, session);
  if (found === null) return null;
  if (found.written.is === 'garbage') return { is: 'refused', why: found.written.why };
  const adopted = await adopt(importHandWritten(found.written, found.file, project), null, host, runtime);
  if (adopted.is !== 'started')
    return { is: 'refused', why: adopted.is === 'refused' ? adopted.why : 'it was adopted meanwhile' };
  const { open } = adopted;
  try {
    const loop = cancelOne(open, by, prompt, runtime) ?? open.loop();
    return { is: 'cancelled', loop, kept: evidencePlace(open.blobs) };
  } finally {
    open.close();
  }
}
