/** Codex's program, and the flags that start a session (0.166.0). */
import type { HostProgram } from '../command-line.ts';
import { SESSION_VARIABLE } from './names.ts';
import { EVENTS, sessionHooks } from './session-hooks.ts';

export const program: HostProgram = {
  // The first version with which this was tried. Hooks of the command line, and trust in them, are young.
  oldest: '0.166.0',
  install: 'npm install -g @openai/codex',
  update: 'codex update',
  sessionFlags: ['resume', 'fork', 'exec', '--remote'],
  sessionArguments: (plugin) => sessionHooks(plugin, Object.keys(EVENTS)),
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['resume', id],
  sessionOf: (env) => env[SESSION_VARIABLE] || null,
};
