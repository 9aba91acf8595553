/** Claude Code's program, and the flags that start a session (2.1.325). */
import type { HostProgram } from '../../program.ts';
import { CAP_VARIABLE, NO_CAP } from '../hook/cap.ts';
import { findBeside, findProgram, isNamed } from './find.ts';
import { OLDEST, isAtLeast, versionOf } from './version.ts';

const WITHOUT_CAP: Readonly<Record<string, string>> = { [CAP_VARIABLE]: NO_CAP };

export const program: HostProgram = {
  oldest: OLDEST,
  find: findProgram,
  isNamed,
  findBeside,
  versionOf,
  isRecent: (version) => isAtLeast(version, OLDEST),
  sessionFlags: ['--session-id', '--resume', '-r', '--continue', '-c', '--fork-session', '--from-pr', '--bg'],
  sessionArguments: (plugin) => ['--plugin-dir', plugin, '--settings', JSON.stringify({ env: WITHOUT_CAP })],
  sessionEnvironment: WITHOUT_CAP,
  newSession: (id) => ['--session-id', id],
  resumeSession: (id) => ['--resume', id],
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'] || null,
};
