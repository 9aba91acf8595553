/**
 * The ports that the command line uses: a host's settings, its program, its transcripts, and a rehearsal with
 * it.
 */
import type { Refusal } from '#base/refusal.ts';
import type { Commands } from '#telling/audience.ts';
import type { Environment, Host } from './arrival.ts';
import type { Finding, HeadlessHost, SettingsPlace, StreamReader } from './headless.ts';
import type { HostNames } from '../tables/names.ts';

export interface HostAdapter extends HostNames {
  readonly hook: Host;
  /** What our commands are called in its sessions; null: it has no commands. */
  readonly commands: (Commands & { readonly start: string }) | null;
  readonly headless: HeadlessHost;
  readonly program: HostProgram;
  readonly settings: HostSettings;
  /** Null: `dacapo demo` and `dacapo doctor --probe` can't run it. */
  readonly rehearsal: HostRehearsal | null;
  readonly transcripts: Transcripts;
}

export type RehearsedHost = HostAdapter & { readonly rehearsal: HostRehearsal };

/** Whom the settings are for: this person anywhere, everyone in this project, this person in this project. */
export type Scope = 'user' | 'project' | 'local';

/** A hook as a host's settings name it. */
export type Handler = Readonly<Record<string, unknown>>;
/** The handlers of an event, with the calls that they are for. Some hosts list handlers without groups. */
export interface Group {
  readonly matcher?: unknown;
  readonly hooks: readonly Handler[];
}
/** By event. */
export type Registration = ReadonlyMap<string, readonly (Group | Handler)[]>;

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
  readonly cap: boolean;
  readonly statusLine: boolean;
  /** Da Capo's own folder, where we record what was added. */
  readonly home: string;
  /** The repository's exclude file, for what is nobody else's business; null: there is none. */
  readonly exclude: string | null;
}

/** The planned changes. Nothing changes before `apply`. */
export interface SettingsPlan {
  readonly ok: true;
  readonly settings: string;
  readonly edits: readonly Edit[];
  readonly notes: readonly string[];
  readonly apply: () => void;
}

export interface HostSettings {
  planInstall(order: SettingsOrder): SettingsPlan | Refusal;
  planUninstall(order: SettingsOrder): SettingsPlan | Refusal;
  /** The hooks that `dacapo init` of this installation would write here now. Only these are ours. */
  installed(place: SettingsPlace): Registration;
  registrationFindings(place: SettingsPlace): Finding[];
  /** A session that a person opens here has our hook. Absent: it is not known. */
  isRegistered?(place: SettingsPlace): boolean;
  /** What our commands are called in a session here, where that depends on how the hook got into it. */
  commandsAt?(place: SettingsPlace): Commands;
  /** What to know about an installation as this order asks for it, and what the person still has to do. */
  installFindings(order: SettingsOrder): Finding[];
  /** What keeps the hook from judging a loop that runs, each in words with its file; empty: nothing does. */
  silencedBy?(place: SettingsPlace): readonly string[];
  /** Settings that may end a loop early or make it wait. */
  habitFindings?(place: SettingsPlace): Finding[];
  rivalFindings?(place: SettingsPlace): Finding[];
  /** Absent: it has no status bar for us. */
  statusLine?(place: SettingsPlace): 'ours' | 'own' | 'none';
}

/** A host's program, and how it starts a session. `hosts/port/program.ts` finds it by its word. */
export interface HostProgram {
  /** The first version with which it was tried, where nothing else is said. */
  readonly oldest: string;
  /** Where to get it, and the command that updates it. */
  readonly install: string;
  readonly update: string;
  /** Where npm puts the program itself, in `node_modules`. Absent: it is not looked for there. */
  inModules?(platform: string, arch: string): readonly string[];
  /** Flags that choose the session: `dacapo start` gives them itself. */
  readonly sessionFlags: readonly string[];
  /** Flags that take a value, as people pass them on. */
  readonly valueFlags: readonly string[];
  /**
   * Arguments that load our plugin or hooks for this session only, and lift the host's cap on stops. `bar`:
   * also show the loop in the host's status bar, unless the settings here have another status line.
   */
  sessionArguments(plugin: string, bar?: SettingsPlace): string[];
  /** The same as environment, for when a flag of the person replaces ours. */
  readonly sessionEnvironment: Readonly<Record<string, string>>;
  /** Null: the host chooses the id, so the loop waits for its prompt there. */
  readonly newSession: ((id: string) => string[]) | null;
  resumeSession(id: string): string[];
  /** A session that is opened again takes a first prompt as well, as a new one does. */
  readonly resumesWithPrompt?: true;
  /**
   * The flag for the first prompt of a session; empty: it needs none. Absent: the prompt stands behind `--`.
   */
  readonly promptFlag?: string;
  sessionOf(env: Environment): string | null;
  /** Why nobody opens a session of it in a terminal. Absent: people do. */
  readonly noSession?: Refusal;
}

export interface HostRehearsal {
  /** A headless run with the model at this address. Further arguments follow these. */
  command(model: string): { readonly args: readonly string[]; readonly env: Environment };
  /** Arguments with which its agent may edit files. */
  readonly mayEdit: readonly string[];
  /** Arguments that start a loop as Da Capo is registered in this place. */
  asRegistered(place: SettingsPlace, request: string): readonly string[];
  /** Copies the person's registration of Da Capo to another place, and nothing else of theirs. */
  copyRegistration(from: SettingsPlace, to: SettingsPlace, plugin: string): void;
  play(session: PlayedSession): PlayedCommand;
  /** Commands that install this folder's plugin, word by word; empty: it has none to install. */
  pluginCommands(folder: string): readonly (readonly string[])[];
}

export interface PlayedSession {
  readonly id: string;
  readonly project: string;
  readonly transcript: string;
  readonly process: number;
}

export interface PlayedCommand {
  readonly env: Environment;
  start(request: string): { readonly typed: string; readonly payload: object };
  stop(message: string, passes: number): object;
  end(): object;
  /** What the model gets to read; null: nothing, so the session may stop. */
  toAgent(stdout: string): string | null;
}

export interface Transcripts {
  fileOf(session: string, env: Environment): string | null;
  /**
   * Removes what the host keeps of a session of ours that nobody will open again. Absent: it keeps nothing in
   * a place of its own.
   */
  forget?(session: string, env: Environment): void;
  /** A reader for its rows. Absent: they are like the lines of a stream. */
  openRows?(): StreamReader;
  /** When a row was written; null: it has no time, or is not from the session's own agent. */
  timeOf(row: string): string | null;
  /** Which model wrote a row of a transcript or a line of a stream; null: the row does not say. */
  modelOf(row: string): string | null;
  /**
   * The condition of the host's own goal that is active after these rows. Absent: the host has none, or tells
   * of none.
   */
  goalIn?(rows: readonly string[]): string | null;
}
