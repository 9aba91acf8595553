/** The port to a host's program on this machine: where it is, its version, and how to start a session. */
import type { Environment } from './arrival.ts';
import type { SettingsPlace } from './settings.ts';

/** The program, or why there is none. */
export type FoundProgram =
  | { readonly ok: true; readonly program: string }
  | { readonly ok: false; readonly message: string; readonly next: string };

export interface StatusBar {
  /** The command line program. */
  readonly program: string;
  readonly place: SettingsPlace;
}

export interface HostProgram {
  /** The first version that Da Capo works with. */
  readonly oldest: string;
  find(env: Environment): FoundProgram;
  /** Whether the person has named the program. Then we search for no other. */
  isNamed(env: Environment): boolean;
  /** A program in a `node_modules` of this folder or of one above it. */
  findBeside(folder: string, platform: string, arch: string): string | null;
  /** Null: the program could not be asked, or gave no version. */
  versionOf(program: string, env: Environment): string | null;
  isRecent(version: string): boolean;
  /** Flags that choose the session: `dacapo start` gives them itself. */
  readonly sessionFlags: readonly string[];
  /**
   * Arguments that load our plugin for this session only, and lift the host's cap on stops. `bar`: also show the loop in
   * the host's status bar, where nobody else's line stands in the settings of this place.
   */
  sessionArguments(plugin: string, bar?: StatusBar): string[];
  /** The same as environment, for when a flag of the person replaces ours. */
  readonly sessionEnvironment: Readonly<Record<string, string>>;
  newSession(id: string): string[];
  resumeSession(id: string): string[];
  /** The session in whose shell this process runs; null: none that we can see. */
  sessionOf(env: Environment): string | null;
}
