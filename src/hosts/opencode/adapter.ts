/** OpenCode as the command line knows it (1.18.33). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord, parseAs } from '../../core/shape.ts';
import { PLUGIN } from '../../process/package.ts';
import type { HostAdapter, HostProgram } from '../command-line.ts';
import { fatal, fateOf, statusFate } from '../fate.ts';
import { flag, ok, RESUME_ONLY, warning, type HeadlessHost } from '../headless.ts';
import { jsonHost } from '../json/host.ts';
import { versionFinding } from '../program.ts';
import { pluginSettings } from '../setup/plugin-file.ts';
import type { FatalKind } from '../stream.ts';
import { OPENCODE } from './names.ts';
import { openStream } from './stream.ts';

const program: HostProgram = {
  // The first version with which this was tried.
  oldest: '1.18.33',
  install: 'npm install -g opencode-ai',
  update: 'opencode upgrade',
  sessionFlags: ['run', 'serve', 'attach', '-s', '--session', '-c', '--continue', '--fork', '--prompt'],
  // It takes plugins from its settings only: `dacapo init` puts ours there.
  sessionArguments: () => [],
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['--session', id],
  promptFlag: '--prompt',
  sessionOf: () => null,
};

/** Its words for errors without a status that no retry can fix. */
const FATAL: Readonly<Record<string, FatalKind>> = {
  ProviderAuthError: 'auth',
  ProviderModelNotFoundError: 'model',
  ProviderInitError: 'config',
};

/** No mode that a person can name: it has none. Its plan agent runs commands. */
const READ_ONLY = 'read-only';

const headless: HeadlessHost = {
  name: OPENCODE.name,
  can: { ...RESUME_ONLY, cost: true },
  login: 'opencode auth login',
  gentle: 'SIGINT',
  permissionModes: [],
  readOnly: { permissionMode: READ_ONLY },
  ownFlags: ['--format', '-s', '--session', '-c', '--continue', '--fork', '--attach', '-i', '--interactive'],
  command: ({ resume, model, permissionMode, prompt, extra }) => ({
    args: ['run', '--format', 'json', ...flag('--session', resume), ...flag('--model', model), ...extra],
    env: { DACAPO_DRIVEN: '1', [SETTINGS]: settingsFor(permissionMode) },
    stdin: prompt,
  }),
  openStream,
  classify: (end) =>
    fateOf(end, ({ status, code, error }) => {
      const [kind, why] = [FATAL[code ?? ''], error ?? 'failed'];
      return kind === undefined ? statusFate(status, end.record, why) : fatal(kind, why);
    }),
  unattendedMode: () => null,
  preflight: ({ program: path, env, pass }) => [
    versionFinding({ ...OPENCODE, program }, path, env),
    ...(pass.allowedTools.length > 0 ? [warning('permissions', IGNORED, REMEDY)] : []),
  ],
};

const IGNORED = 'OpenCode has no flag for allowed tools, so --allowed-tools changes nothing.';
const REMEDY =
  'Leave it out; "permission" in opencode.json says what may run, and -- --auto allows the rest.';

/** Settings that come on top of those in its files. */
const SETTINGS = 'OPENCODE_CONFIG_CONTENT';

function settingsFor(mode: string | null): string {
  const own = parseAs(isRecord, process.env[SETTINGS] ?? '') ?? {};
  const plugins: unknown[] = Array.isArray(own['plugin']) ? own['plugin'] : [];
  const ours = pathToFileURL(join(PLUGIN, 'extensions', OPENCODE.name, 'dacapo.js')).href;
  const permission = mode === READ_ONLY && { permission: { edit: 'deny', bash: 'deny' } };
  return JSON.stringify({ ...own, plugin: [...plugins, ours], ...permission });
}

export const opencodeAdapter: HostAdapter = {
  ...OPENCODE,
  hook: jsonHost(OPENCODE, OPENCODE),
  commands: null,
  headless,
  program,
  settings: pluginSettings(OPENCODE, {
    folder: (scope, { env, project }) =>
      join(scope === 'user' ? OPENCODE.home(env) : join(project, OPENCODE.folder), 'plugins'),
    afterInstall: [ok('mcp', 'The plugin brings the tools of Da Capo along')],
  }),
  rehearsal: null,
  // It records its sessions in a database.
  transcripts: { fileOf: () => null, timeOf: () => null, modelOf: () => null },
};
