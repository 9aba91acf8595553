/** A loop that waits for its prompt, as `dacapo ready` leaves it. */
import { start } from '#engine/begin/start.ts';
import type { Stage } from './hearing/stage.ts';
import { parseStartWords } from '../input/start-words.ts';

export async function makeReady(stage: Stage, prompt: string): Promise<string> {
  const request = parseStartWords([prompt]);
  if (!request.ok) throw new Error(request.message);
  const { project } = stage;
  const started = await start(
    { request, project, host: 'h', actor: 'terminal', from: null, owns: null, view: true },
    stage.runtime(),
  );
  if (started.is !== 'started') throw new Error(started.is);
  started.open.close();
  return started.open.loop().id;
}
