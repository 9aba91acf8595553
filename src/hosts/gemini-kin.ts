/** What Gemini CLI and its fork Qwen Code share: one settings.json for hooks and permissions, and most flags. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordAt, textOrNull } from '../core/shape.ts';
import { readTextIfAny } from '../files/read.ts';
import type { Environment } from './arrival.ts';
import type { HostProgram, HostSettings, Scope } from './command-line.ts';
import {
  flag,
  ok,
  warning,
  type Finding,
  type HeadlessHost,
  type Pass,
  type SettingsPlace,
} from './headless.ts';
import type { HostNames } from './names.ts';
import { versionFinding } from './program.ts';
import { hookEvents, hooksSettings } from './setup/hooks-settings.ts';
import type { HooksFile } from './setup/install.ts';
import { handlersIn } from './setup/registration.ts';
import { parseSettings, type Settings } from './setup/settings.ts';

export interface GeminiKin extends HostNames {
  /** Its folder in a project. */
  readonly folder: string;
  /** Its folder of this person. */
  readonly home: (env: Environment) => string;
  readonly program: Pick<HostProgram, 'oldest' | 'install' | 'sessionOf'>;
  /** Its events, and which of them are a stop and a call of a tool. */
  readonly events: readonly string[];
  readonly stop: string;
  readonly before: string;
  /** Where the settings name the permission mode, its modes, and the one that allows edits and asks for the rest. */
  readonly modeAt: readonly [string, string];
  readonly modes: readonly string[];
  readonly edits: string;
}

export function settingsPath(
  { folder, home }: GeminiKin,
  scope: Scope,
  { env, project }: SettingsPlace,
): string {
  return join(scope === 'user' ? home(env) : join(project, folder), 'settings.json');
}

function settingsOf(kin: GeminiKin, scope: Scope, place: SettingsPlace): Settings {
  return parseSettings(readTextIfAny(settingsPath(kin, scope, place)) ?? '') ?? {};
}

/** Milliseconds, unlike those of Claude Code. A session's end must not hold up the terminal. */
const TIMEOUT = 600_000;
const END_TIMEOUT = 3_000;

interface MoreSettings extends Pick<HooksFile, 'extra'> {
  /** What else the person has to know after `dacapo init`. */
  readonly after?: (scope: Scope) => Finding[];
}

export function kinSettings(kin: GeminiKin, { after, ...more }: MoreSettings): HostSettings {
  const { word, name, title } = kin;
  const settings = hooksSettings(kin, {
    ...more,
    path: (scope, place) => settingsPath(kin, scope, place),
    registration: hookEvents(
      kin.events,
      (event) => (event === 'SessionEnd' ? END_TIMEOUT : TIMEOUT),
      kin.before,
    ),
    stop: kin.stop,
    afterInstall: ({ scope }) => [
      ...(after?.(scope) ?? []),
      ok('mcp', `The tools of Da Capo for its agents: ${word} mcp add dacapo dacapo mcp`),
    ],
    plugin: (folder) => [[word, 'extensions', 'link', join(folder, 'plugin', 'extensions', name)]],
  });
  const silent = `${title} has no hook of Da Capo: dacapo init --host ${name} adds it`;
  return { ...settings, silencedBy: (place) => (hasHook(kin, place) ? [] : [silent]) };
}

export function kinProgram({ program }: GeminiKin): HostProgram {
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

type OwnPart = Pick<HeadlessHost, 'login' | 'openStream' | 'classify' | 'untrusted'> & {
  readonly fallback: boolean;
};

export function kinHeadless(kin: GeminiKin, { fallback, ...own }: OwnPart): HeadlessHost {
  const modeOf = (place: SettingsPlace) => {
    const [group, key] = kin.modeAt;
    return textOrNull(recordAt(settingsOf(kin, 'user', place), group)[key]);
  };
  return {
    name: kin.name,
    can: {
      resume: true,
      compact: false,
      budget: false,
      fallbackModel: fallback,
      chooseSession: true,
      cost: false,
      tools: true,
    },
    gentle: 'SIGINT',
    permissionModes: kin.modes,
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
      args: argumentsOf(pass, fallback),
      env: { DACAPO_DRIVEN: '1' },
      stdin: pass.prompt,
    }),
    unattendedMode: (place) => (modeOf(place) === null ? kin.edits : null),
    preflight: ({ program, pass, ...place }) => [
      versionFinding({ ...kin, program: kinProgram(kin) }, program, place.env),
      ...commandFindings(kin, pass, pass.permissionMode ?? modeOf(place) ?? kin.edits),
      ...guardFindings(kin, place),
    ],
    ...own,
  };
}

function argumentsOf(pass: Pass, fallback: boolean): string[] {
  return [
    '--output-format',
    'stream-json',
    ...(pass.resume === null ? ['--session-id', pass.session] : ['--resume', pass.resume]),
    ...pass.allowedTools.map((tool) => `--allowed-tools=${tool}`),
    ...flag('--model', pass.model),
    ...flag('--fallback-model', fallback ? pass.fallbackModel : null),
    ...flag('--approval-mode', pass.permissionMode),
    ...pass.extra,
  ];
}

/** Without a person there, the model is not even offered the tools that need one. */
function commandFindings(
  kin: GeminiKin,
  pass: Pick<Pass, 'allowedTools' | 'extra'>,
  mode: string,
): Finding[] {
  if (mode === 'yolo' || pass.allowedTools.length > 0 || pass.extra.length > 0)
    return [ok('permissions', `The permission mode is ${mode}`)];
  const says = `The permission mode is ${mode}, and no rule allows a command: the agent ${mode === kin.edits ? 'can edit, but not build or test' : 'may be unable to work'}.`;
  return [
    warning(
      'permissions',
      says,
      `Allow what the task needs: --allowed-tools "${kin.tool}", or --permission-mode yolo.`,
    ),
  ];
}

/** Registered by `dacapo init`, or in our extension. */
function hasHook(kin: GeminiKin, place: SettingsPlace): boolean {
  const isHere = (scope: Scope) => handlersIn(settingsOf(kin, scope, place)).length > 0;
  return isHere('user') || isHere('project') || existsSync(join(kin.home(place.env), 'extensions', 'dacapo'));
}

/** A pass works without the guard, but the person should know. */
function guardFindings(kin: GeminiKin, place: SettingsPlace): Finding[] {
  if (hasHook(kin, place)) return [];
  const says = `${kin.title} has no hook of Da Capo, so nothing refuses a write to a protected file, and no call waits for an approval.`;
  return [warning('guard', says, `Run \`dacapo init --host ${kin.name}\`.`)];
}
