/** `dacapo hook`: the plugin's own hook program, with this stdin, stdout and environment. It ends the process itself. */
import { createRequire } from 'node:module';
import { HOOK } from './package.ts';

export function runHook(): void {
  createRequire(import.meta.url)(HOOK);
}
