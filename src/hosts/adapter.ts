/** Hosts beside Claude Code as the command line knows them: what most of them do alike. A host gives what differs. */
import type { Host } from './arrival.ts';
import type { HostAdapter, HostProgram, HostSettings, Transcripts } from './command-line.ts';
import { classifyBy } from './fate.ts';
import {
  RESUME_ONLY,
  type Finding,
  type HeadlessHost,
  type Pass,
  type PreflightRequest,
} from './headless.ts';
import type { OtherNames } from './names.ts';
import { versionFinding } from './program.ts';
import { tokensSpent } from './stream-lines.ts';

interface OtherHost extends OtherNames {
  readonly hook: Host;
  readonly program: Pick<HostProgram, 'oldest' | 'install' | 'sessionFlags'> & Partial<HostProgram>;
  readonly can?: Partial<HeadlessHost['can']>;
  /** The arguments of a pass. Those of the person follow. */
  args(pass: Pass): readonly string[];
  /** Further variables of a pass. */
  variables?(): Readonly<Record<string, string>>;
  readonly headless: Pick<HeadlessHost, 'login' | 'ownFlags' | 'openStream'> & Partial<HeadlessHost>;
  /** The tokens in the record of a session since then. Absent: the result tells them. */
  readonly tokensSince?: (record: string, since: string) => number;
  /** What else would go wrong unattended. */
  findings(asked: PreflightRequest): Finding[];
  readonly settings: HostSettings;
  readonly transcripts: Transcripts;
}

export function adapterOf(host: OtherHost): HostAdapter {
  const program: HostProgram = {
    update: host.program.install,
    // Those that take plugins or hooks from their settings only get ours there from `dacapo init`.
    sessionArguments: () => [],
    sessionEnvironment: {},
    newSession: null,
    resumeSession: (id) => ['--resume', id],
    sessionOf: (env) => env[host.session ?? ''] || null,
    ...host.program,
  };
  return { ...host, commands: null, headless: headlessOf(host, program), program, rehearsal: null };
}

function headlessOf(host: OtherHost, program: HostProgram): HeadlessHost {
  const { tokensSince } = host;
  return {
    name: host.name,
    can: { ...RESUME_ONLY, ...host.can },
    gentle: 'SIGINT',
    permissionModes: [],
    command: (pass) => ({
      args: [...host.args(pass), ...pass.extra],
      env: { DACAPO_DRIVEN: '1', ...host.variables?.() },
      stdin: pass.prompt,
    }),
    classify: classifyBy(),
    ...(tokensSince && {
      spentSince: (session, since, env) => {
        const record = host.transcripts.fileOf(session, env) ?? '';
        return tokensSpent({ input_tokens: tokensSince(record, since) }, '');
      },
    }),
    unattendedMode: () => null,
    preflight: (asked) => [
      versionFinding({ ...host, program }, asked.program, asked.env),
      ...host.findings(asked),
    ],
    ...host.headless,
  };
}
