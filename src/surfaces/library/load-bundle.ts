/**
 * Loads a bundle beside the library. The build puts this in the place of the `import()` of `calls.ts`, so no
 * source imports it. It keeps no compiled code: the process is the user's own.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

export function loadBundle(name: string): unknown {
  return createRequire(join(import.meta.dirname, name))(name);
}
