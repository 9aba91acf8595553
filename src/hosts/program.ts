/** The port to a host's program on this machine: where it is, which version, and how a session of it is begun. */
import type { Environment } from './arrival.ts';

/** The program, or why there is none. */
export type Found =
  | { readonly ok: true; readonly program: string }
  | { readonly ok: false; readonly message: string; readonly next: string };

export interface HostProgram {
  /** The first version that Da Capo works with. */
  readonly oldest: string;
  find(env: Environment): Found;
  /** Whether the person has named the program, so that no other one is looked for. */
  isNamed(env: Environment): boolean;
  /** A program in a `node_modules` of this folder or of one above it. */
  findBeside(folder: string, platform: string, arch: string): string | null;
  /** Null: it could not be asked, or gave no version. */
  versionOf(program: string, env: Environment): string | null;
  isRecent(version: string): boolean;
  /** Flags that choose the session: `dacapo start` gives them itself. */
  readonly sessionFlags: readonly string[];
  /** For a session with our plugin for itself alone, and without the host's cap on stops. */
  sessionArguments(plugin: string): string[];
  /** The same where a flag of the person's own replaces ours. */
  readonly sessionEnvironment: Readonly<Record<string, string>>;
  newSession(id: string): string[];
  resumeSession(id: string): string[];
  /** The session in whose shell this process runs; null: none, as far as it shows. */
  sessionOf(env: Environment): string | null;
}
