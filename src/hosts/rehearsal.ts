/** The port for `dacapo demo` and `dacapo doctor --probe`: a host that runs a loop against a scripted model. */
import type { Environment } from './arrival.ts';
import type { SettingsPlace } from './settings.ts';

export interface HostRehearsal {
  /** A headless run with the model at this address. Further arguments follow these. */
  command(model: string): { readonly args: readonly string[]; readonly env: Environment };
  /** Arguments that start a loop with our plugin, and nothing else of ours. */
  withPlugin(plugin: string, request: string): { readonly typed: string; readonly args: readonly string[] };
  /** Arguments that start a loop as Da Capo is registered in this place. */
  asRegistered(place: SettingsPlace, request: string): readonly string[];
  /** Copies the person's registration of Da Capo to another place, and nothing else of theirs. */
  copyRegistration(from: SettingsPlace, to: SettingsPlace, plugin: string): void;
  /** A session that Da Capo plays itself, without a host. */
  play(session: PlayedSession): Played;
}

export interface PlayedSession {
  readonly id: string;
  readonly project: string;
  /** The file of its transcript. */
  readonly transcript: string;
  readonly process: number;
}

/** The host's part in a played session: the payloads for the hook, and how it reads the answers. */
export interface Played {
  readonly env: Environment;
  start(request: string): { readonly typed: string; readonly payload: object };
  stop(message: string, passes: number): object;
  end(): object;
  /** What the model gets to read; null: nothing, so the session may stop. */
  toAgent(stdout: string): string | null;
}
