/** What Gemini CLI and its fork Qwen Code share: one settings.json for hooks and permissions, and most flags. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordAt, textOrNull } from '../core/shape.ts';
import type { Host } from './arrival.ts';
import type { HostAdapter, HostProgram, HostSettings, Scope } from './command-line.ts';
import { eventFor, type Heard, type HostFolders } from './family.ts';
import {
  flag,
  ok,
  RESUME_ONLY,
  warning,
  type Finding,
  type HeadlessHost,
  type SettingsPlace,
} from './headless.ts';
import type { HostNames } from './names.ts';
import { permissionFinding, versionFinding } from './program.ts';
import { hookEvents, hooksSettings } from './setup/hooks-settings.ts';
import type { HooksFile } from './setup/install.ts';
import { handlersIn } from './setup/registration.ts';
import { settingsIn } from './setup/settings.ts';
import { transcriptsOf } from './transcripts.ts';

interface GeminiKin extends HostNames, HostFolders, Pick<HooksFile, 'extra'> {
  readonly hook: Host;
  readonly events: Readonly<Record<string, Heard>>;
  readonly program: Pick<HostProgram, 'oldest' | 'install' | 'sessionOf'>;
  readonly headless: Pick<
    HeadlessHost,
    'login' | 'permissionModes' | 'openStream' | 'classify' | 'untrusted'
  >;
  /** Whether it takes a fallback model. */
  readonly fallback: boolean;
  /** Where the settings name the permission mode, and the mode that allows edits and asks for the rest. */
  readonly modeAt: readonly [string, string];
  readonly edits: string;
  /** What else the person has to know after `dacapo init`. */
  after?(scope: Scope): Finding[];
  readonly transcripts: readonly [
    endOf: Parameters<typeof transcriptsOf>[1],
    readRow: Parameters<typeof transcriptsOf>[2],
  ];
}

export function kinAdapter(kin: GeminiKin): HostAdapter {
  const program = programOf(kin);
  return {
    ...kin,
    commands: null,
    headless: headlessOf(kin, program),
    program,
    settings: settingsOf(kin),
    rehearsal: null,
    transcripts: transcriptsOf(kin, ...kin.transcripts),
  };
}

export function settingsPath({ folder, home }: HostFolders, scope: Scope, place: SettingsPlace): string {
  return join(scope === 'user' ? home(place.env) : join(place.project, folder), 'settings.json');
}

function settingsAt(kin: HostFolders, scope: Scope, place: SettingsPlace) {
  return settingsIn(settingsPath(kin, scope, place)) ?? {};
}

/** Milliseconds, unlike those of Claude Code. A session's end must not hold up the terminal. */
const TIMEOUT = 600_000;
const END_TIMEOUT = 3_000;

function settingsOf(kin: GeminiKin): HostSettings {
  const { word, name, title, events } = kin;
  const timeout = (event: string) => (event === 'SessionEnd' ? END_TIMEOUT : TIMEOUT);
  const settings = hooksSettings(kin, {
    ...(kin.extra && { extra: kin.extra }),
    path: (scope, place) => settingsPath(kin, scope, place),
    registration: hookEvents(Object.keys(events), timeout, eventFor(events, 'tool')),
    stop: eventFor(events, 'stop'),
    afterInstall: ({ scope }) => [
      ...(kin.after?.(scope) ?? []),
      ok('mcp', `The tools of Da Capo for its agents: ${word} mcp add dacapo dacapo mcp`),
    ],
    plugin: (folder) => [[word, 'extensions', 'link', join(folder, 'plugin', 'extensions', name)]],
  });
  const silent = `${title} has no hook of Da Capo: dacapo init --host ${name} adds it`;
  return { ...settings, silencedBy: (place) => (hasHook(kin, place) ? [] : [silent]) };
}

function programOf({ program }: GeminiKin): HostProgram {
  return {
    update: program.install,
    sessionFlags: ['--session-id', '--resume', '-r', '--continue', '-c', '--session-file', '-p', '--prompt'],
    // They take hooks from their settings only: `dacapo init` puts them there.
    sessionArguments: () => [],
    sessionEnvironment: {},
    // Behind `--` a prompt is lost in one of them, and without a flag it ends the other after one turn.
    promptFlag: '--prompt-interactive',
    newSession: (id) => ['--session-id', id],
    resumeSession: (id) => ['--resume', id],
    ...program,
  };
}

function headlessOf(kin: GeminiKin, program: HostProgram): HeadlessHost {
  const { fallback } = kin;
  const modeOf = (place: SettingsPlace) => {
    const [group, key] = kin.modeAt;
    return textOrNull(recordAt(settingsAt(kin, 'user', place), group)[key]);
  };
  return {
    name: kin.name,
    can: { ...RESUME_ONLY, fallbackModel: fallback, chooseSession: true, tools: true },
    gentle: 'SIGINT',
    readOnly: { permissionMode: 'plan' },
    ownFlags: [
      '-p',
      '--prompt',
      '-i',
      '--prompt-interactive',
      '-o',
      '--output-format',
      '--session-id',
      '-r',
      '--resume',
    ],
    command: (pass) => ({
      args: [
        '--output-format',
        'stream-json',
        ...(pass.resume === null ? ['--session-id', pass.session] : ['--resume', pass.resume]),
        ...pass.allowedTools.map((tool) => `--allowed-tools=${tool}`),
        ...flag('--model', pass.model),
        ...flag('--fallback-model', fallback ? pass.fallbackModel : null),
        ...flag('--approval-mode', pass.permissionMode),
        ...pass.extra,
      ],
      env: { DACAPO_DRIVEN: '1' },
      stdin: pass.prompt,
    }),
    unattendedMode: (place) => (modeOf(place) === null ? kin.edits : null),
    preflight: ({ program: path, pass, ...place }) => [
      versionFinding({ ...kin, program }, path, place.env),
      permissionFinding(kin, pass, pass.permissionMode ?? modeOf(place) ?? kin.edits, kin.edits, 'yolo'),
      ...guardFindings(kin, place),
    ],
    ...kin.headless,
  };
}

/** Registered by `dacapo init`, or in our extension. */
function hasHook(kin: GeminiKin, place: SettingsPlace): boolean {
  const isHere = (scope: Scope) => handlersIn(settingsAt(kin, scope, place)).length > 0;
  return isHere('user') || isHere('project') || existsSync(join(kin.home(place.env), 'extensions', 'dacapo'));
}

/** A pass works without the guard, but the person should know. */
function guardFindings(kin: GeminiKin, place: SettingsPlace): Finding[] {
  if (hasHook(kin, place)) return [];
  const says = `${kin.title} has no hook of Da Capo, so nothing refuses a write to a protected file, and no call waits for an approval.`;
  return [warning('guard', says, `Run \`dacapo init --host ${kin.name}\`.`)];
}
