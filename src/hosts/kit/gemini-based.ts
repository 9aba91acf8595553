/**
 * What Gemini CLI and its fork Qwen Code share: one settings.json for hooks and permissions, and most flags.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordAt, textOrNull } from '#base/shape.ts';
import { adapterOf, type OtherHost } from './adapter.ts';
import type { HostAdapter, HostProgram, HostSettings, Scope } from '../port/command-line.ts';
import type { HookKind } from './claude-like-hooks.ts';
import {
  flagWith,
  modelFlag,
  warning,
  type Finding,
  type HeadlessHost,
  type SettingsPlace,
} from '../port/headless.ts';
import type { OtherNames } from '../tables/names.ts';
import { permissionFinding } from '../port/program.ts';
import { folderOf, hooksSettings } from '../setup/hooks-settings.ts';
import type { HooksFile } from '../setup/install.ts';
import { onlyInstalled, recognisedIn } from '../setup/registration.ts';
import { settingsIn } from '../setup/settings.ts';

interface GeminiBased
  extends OtherNames, Pick<OtherHost, 'hook' | 'record' | 'asks'>, Pick<HooksFile, 'extra'> {
  readonly events: Readonly<Record<string, HookKind>>;
  readonly program: Pick<HostProgram, 'oldest' | 'install'>;
  readonly headless: Pick<HeadlessHost, 'login' | 'permissionModes' | 'openStream'> & Partial<HeadlessHost>;
  readonly fallback: boolean;
  /** Where the settings name the permission mode, and the mode that allows edits and asks for the rest. */
  readonly modeAt: readonly [string, string];
  readonly edits: string;
  readonly trust?: string;
}

export function geminiBasedAdapter(kin: GeminiBased): HostAdapter {
  const { fallback } = kin;
  const modeOf = (place: SettingsPlace) => {
    const [group, key] = kin.modeAt;
    return textOrNull(recordAt(settingsAt(kin, 'user', place), group)[key]);
  };
  return adapterOf({
    ...kin,
    program: {
      sessionFlags: '--session-id --resume -r --continue -c --session-file -p --prompt'.split(' '),
      // Behind `--` a prompt is lost in one of them, and without a flag it ends the other after one turn.
      promptFlag: '--prompt-interactive',
      newSession: (id) => ['--session-id', id],
      ...kin.program,
    },
    can: { fallbackModel: fallback, chooseSession: true, tools: true },
    args: (pass) => [
      '--output-format',
      'stream-json',
      ...(pass.resume === null ? ['--session-id', pass.session] : ['--resume', pass.resume]),
      ...pass.allowedTools.map((tool) => `--allowed-tools=${tool}`),
      ...modelFlag('--model', pass.model),
      ...modelFlag('--fallback-model', fallback ? pass.fallbackModel : null),
      ...flagWith('--approval-mode', pass.permissionMode),
    ],
    headless: {
      readOnly: { permissionMode: 'plan' },
      ownFlags: '-p --prompt -i --prompt-interactive -o --output-format --session-id -r --resume'.split(' '),
      unattendedMode: (place) => (modeOf(place) === null ? kin.edits : null),
      ...kin.headless,
    },
    findings: ({ pass, ...place }) => [
      permissionFinding(kin, pass, {
        mode: pass.permissionMode ?? modeOf(place) ?? kin.edits,
        edits: kin.edits,
        all: 'yolo',
      }),
      ...guardFindings(kin, place),
    ],
    settings: settingsOf(kin),
  });
}

/** In its own list: the person has agreed to exactly this folder. */
export function isTrustedIn({ home }: OtherNames): (place: SettingsPlace) => boolean {
  return ({ project, env }) =>
    (settingsIn(join(home(env), 'trustedFolders.json')) ?? {})[project] === 'TRUST_FOLDER';
}

const FILE = 'settings.json';

function settingsAt(kin: OtherNames, scope: Scope, place: SettingsPlace) {
  return settingsIn(join(folderOf(kin, scope, place), FILE)) ?? {};
}

function hooksOf(kin: GeminiBased): HostSettings {
  const { word, events, trust, extra } = kin;
  return hooksSettings(kin, {
    file: [FILE],
    events,
    // Unlike Claude Code.
    milliseconds: true,
    guards: true,
    ...(extra && { extra }),
    ...(trust && { trust }),
    mcp: `${word} mcp add dacapo dacapo mcp`,
  });
}

function settingsOf(kin: GeminiBased): HostSettings {
  const { name, title } = kin;
  const settings = hooksOf(kin);
  const silent = `${title} has no hook of Da Capo: dacapo init --host ${name} adds it`;
  return { ...settings, silencedBy: (place) => (hasHook(kin, place) ? [] : [silent]) };
}

/** Registered by `dacapo init`, or in our extension. */
function hasHook(kin: GeminiBased, place: SettingsPlace): boolean {
  const ofPerson = recognisedIn(settingsAt(kin, 'user', place)).length > 0;
  const installed = onlyInstalled(settingsAt(kin, 'project', place), hooksOf(kin).installed(place));
  const inProject = Object.keys(installed).length > 0;
  return ofPerson || inProject || existsSync(join(kin.home(place.env), 'extensions', 'dacapo'));
}

/** A pass works without the guard, but the person should know. */
function guardFindings(kin: GeminiBased, place: SettingsPlace): Finding[] {
  if (hasHook(kin, place)) return [];
  const says =
    `${kin.title} has no hook of Da Capo, so nothing refuses a write to a protected file, and no call ` +
    'waits for an approval.';
  return [warning('guard', says, `Run \`dacapo init --host ${kin.name}\`.`)];
}
