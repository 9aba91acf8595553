/** The port to a host's settings: registers Da Capo, removes it, and reports what in them gets in its way. */
import type { Refusal } from '../core/refusal.ts';
import type { Environment } from './arrival.ts';
import type { Finding } from './finding.ts';

/** Whom the settings are for: this person anywhere, everyone in this project, this person in this project. */
export type Scope = 'user' | 'project' | 'local';

export interface SettingsPlace {
  readonly project: string;
  readonly env: Environment;
  readonly platform: string;
}

/** One file before and after. Null: it is not there. */
export interface Edit {
  readonly path: string;
  readonly kind: 'settings' | 'command' | 'exclude';
  readonly before: string | null;
  readonly after: string | null;
  /** The path for a copy of the file as it was before Da Capo; null: no copy is made. */
  readonly backup: string | null;
}

export interface SettingsOrder {
  readonly scope: Scope;
  readonly place: SettingsPlace;
  /** The plugin's folder: its hook program is what gets registered. */
  readonly plugin: string;
  /** Put a shell line in front of Node, which makes a session without a loop cheaper. */
  readonly guard: boolean;
  /** Also lift the host's own cap on stops. */
  readonly cap: boolean;
  /** The command line program for the host's status bar; null: leave the status bar unchanged. */
  readonly statusLine: string | null;
  /** Da Capo's own folder, where we record what was added. */
  readonly home: string;
  /** The repository's exclude file, for what is nobody else's business; null: there is none. */
  readonly exclude: string | null;
}

/** The planned changes. Nothing changes before `apply`. */
export interface SettingsPlan {
  readonly ok: true;
  /** The settings file. */
  readonly settings: string;
  readonly edits: readonly Edit[];
  /** What was left alone, and why. */
  readonly notes: readonly string[];
  readonly apply: () => void;
}

export interface HostSettings {
  planInstall(order: SettingsOrder): SettingsPlan | Refusal;
  planUninstall(order: SettingsOrder): SettingsPlan | Refusal;
  /** The program, Node and git. */
  environmentFindings(env: Environment, node: string): Finding[];
  /** Whether our hook is registered and would run. */
  registrationFindings(place: SettingsPlace): Finding[];
  /** What keeps the hook from judging a loop that runs, each in words with its file; empty: nothing does. */
  silencedBy(place: SettingsPlace): readonly string[];
  /** Settings that may end a loop early or make it wait. */
  habitFindings(place: SettingsPlace): Finding[];
  /** Other tools that answer the same stops. */
  rivalFindings(place: SettingsPlace): Finding[];
  /** Whose line the status bar shows: ours, one of the person's, or none. */
  statusLine(place: SettingsPlace): 'ours' | 'own' | 'none';
  /** Commands that install this folder's plugin, word by word; empty: it has none to install. */
  pluginCommands(folder: string): readonly (readonly string[])[];
  /** What to know about an installation as this order asks for it. */
  installFindings(order: SettingsOrder): Finding[];
}
