/** Which state folder somebody may choose. One that a project can fill would bring along loops and trust that nobody gave. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isIn } from '../../files/paths.ts';
import type { Runtime } from '../runtime.ts';

/** Why this DACAPO_HOME is not used. Null: it is, or there is none. `project`: null outside any. */
export function whyNotHome(env: Runtime['env'], project: string | null): string | null {
  const chosen = env['DACAPO_HOME'] ?? '';
  if (chosen === '') return null;
  if (!isAbsolute(chosen)) return 'is a relative path';
  const named = resolve(chosen);
  const place = real(named);
  // A link there leads somewhere else for each process.
  if ([named, place].some((path) => isIn(path, '/proc'))) return 'leads into /proc';
  const around = project && real(project);
  // Somebody whose project is all of their home may keep the state in it.
  const isForeign = around && isIn(place, around) && !isIn(real(env['HOME'] ?? '/'), around);
  return isForeign ? `is in the project ${around}` : null;
}

/** In the programs that a host starts, with variables that a project may have set, such a DACAPO_HOME counts for nothing. */
export function ignoreForeignHome(project: string | null): void {
  if (whyNotHome(process.env, project) !== null) delete process.env['DACAPO_HOME'];
}

/** What does not exist yet would be made where the folder above it really is. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(real(dirname(path)), basename(path));
  }
}
