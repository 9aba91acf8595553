/**
 * Hosts beside Claude Code as the command line knows them: what most of them do alike. A host gives what
 * differs.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesBelow } from '#base/files/list-below.ts';
import { readSince } from '#base/files/read.ts';
import type { UsageWindow } from '#law/record/usage-window.ts';
import type { Host } from '../port/arrival.ts';
import type { HostAdapter, HostProgram, HostSettings, Transcripts } from '../port/command-line.ts';
import { classifyBy } from './pass-outcome.ts';
import { broughtBy } from '../project/brought.ts';
import type {
  Finding,
  HeadlessHost,
  Pass,
  PassPlace,
  PreflightRequest,
  SettingsPlace,
} from '../port/headless.ts';
import type { OtherNames } from '../tables/names.ts';
import { versionFinding } from '../port/program.ts';
import { lastRows, timeOf } from './session-log.ts';
import type { Tokens } from '../port/stream.ts';
import { jsonLineReader } from './stream-lines.ts';

export interface OtherHost extends OtherNames {
  readonly hook: Host;
  readonly program: Pick<HostProgram, 'oldest' | 'install' | 'sessionFlags'> & Partial<HostProgram>;
  readonly can?: HeadlessHost['can'];
  args(pass: Pass, place: PassPlace): readonly string[];
  variables?(pass: Pass): Readonly<Record<string, string>>;
  readonly headless: Pick<HeadlessHost, 'login' | 'ownFlags' | 'openStream'> & Partial<HeadlessHost>;
  /** The tokens in the record of a session since then. Absent: the result tells them. */
  readonly tokensSince?: (record: string, since: string) => Tokens;
  findings(asked: PreflightRequest): Finding[];
  /**
   * It uses what a project brings along and asks nobody. `isTrusted`: the person has agreed in the host's own
   * way, or the host leaves out by itself what nobody agreed to.
   */
  readonly asks?: { isTrusted?(place: SettingsPlace): boolean };
  readonly settings: HostSettings;
  /**
   * How the name of the file that records a session ends, and what a row of it tells. Absent: there is no
   * such file.
   */
  readonly record?: readonly [
    endOf: (session: string) => string,
    readRow: Parameters<typeof jsonLineReader>[0],
  ];
  /** Which model a row names. Absent: in the field of most. */
  readonly modelOf?: Transcripts['modelOf'];
  /** The windows of the account that a row of that file tells. Absent: none does. */
  readonly windowsIn?: (row: string) => readonly UsageWindow[];
}

export function adapterOf(host: OtherHost): HostAdapter {
  const program: HostProgram = {
    update: host.program.install,
    valueFlags: ['--model', '-m'],
    // Those that take plugins or hooks from their settings only get ours there from `dacapo init`.
    sessionArguments: () => [],
    sessionEnvironment: {},
    newSession: null,
    resumeSession: (id) => ['--resume', id],
    sessionOf: (env) => env[host.session ?? ''] || null,
    ...host.program,
  };
  const transcripts = transcriptsOf(host);
  const headless = headlessOf(host, program, transcripts);
  return { ...host, commands: null, headless, program, rehearsal: null, transcripts };
}

function headlessOf(host: OtherHost, program: HostProgram, transcripts: Transcripts): HeadlessHost {
  const { tokensSince, windowsIn } = host;
  return {
    name: host.name,
    can: host.can ?? {},
    gentle: 'SIGINT',
    permissionModes: [],
    command: (pass, place) => ({
      args: [...host.args(pass, place), ...pass.extra],
      env: { DACAPO_DRIVEN: '1', ...host.variables?.(pass) },
      stdin: pass.prompt,
    }),
    classify: classifyBy(),
    ...(tokensSince && {
      spentSince: (session, since, env) => ({
        costUsd: null,
        tokens: tokensSince(transcripts.fileOf(session, env) ?? '', since),
      }),
    }),
    modelOf: (session, env) => {
      const path = transcripts.fileOf(session, env);
      const rows = path === null ? [] : readSince(path, 0).rows.split('\n');
      return transcripts.modelOf(rows.findLast((row) => transcripts.modelOf(row) !== null) ?? '');
    },
    ...(windowsIn && {
      windowsOf: (session, env) => {
        const path = transcripts.fileOf(session, env);
        const told = (path === null ? [] : lastRows(path)).map(windowsIn);
        return told.findLast((windows) => windows.length > 0) ?? [];
      },
    }),
    unattendedMode: () => null,
    ...asking(host),
    preflight: (asked) => [
      versionFinding({ ...host, program }, asked.program, asked.env),
      ...host.findings(asked),
    ],
    ...host.headless,
  };
}

/** A host that leaves out by itself what nobody agreed to is not asked about. */
function asking({ name, settings, asks }: OtherHost): Pick<HeadlessHost, 'brought' | 'untrusted'> {
  const brought = (place: SettingsPlace) => broughtBy({ name, hooks: settings.installed(place) }, place);
  if (asks === undefined) return { brought };
  return { brought, untrusted: (place) => (asks.isTrusted?.(place) === true ? null : brought(place)) };
}

const MODEL = /"model(?:Id)?":"([^"]+)"/;

/** The files in which they record their sessions lie at any depth below the folder of sessions. */
function transcriptsOf({ home, sessions, record, modelOf }: OtherHost): Transcripts {
  if (record === undefined) return { fileOf: () => null, timeOf: () => null, modelOf: () => null };
  const [endOf, readRow] = record;
  return {
    fileOf: (session, env) => {
      const folder = join(home(env), sessions);
      if (!/^[\w-]+$/.test(session) || !existsSync(folder)) return null;
      const name = namesBelow(folder).find((path) => path.endsWith(endOf(session)));
      return name === undefined ? null : join(folder, name);
    },
    timeOf,
    modelOf: modelOf ?? ((row) => MODEL.exec(row)?.[1] ?? null),
    openRows: () => jsonLineReader(readRow),
  };
}
