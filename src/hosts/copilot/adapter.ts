/** GitHub Copilot CLI as the command line knows it (1.0.102). */
import { join } from 'node:path';
import { readTextIfAny } from '../../files/read.ts';
import { PLUGIN } from '../../process/package.ts';
import type { HostAdapter, HostProgram } from '../command-line.ts';
import { EVENTS } from '../family.ts';
import { fatal, fateOf, statusFate } from '../fate.ts';
import { flag, ok, RESUME_ONLY, type HeadlessHost } from '../headless.ts';
import { permissionFinding, versionFinding } from '../program.ts';
import { tokensSince } from '../rows.ts';
import { hookEvents, hooksSettings } from '../setup/hooks-settings.ts';
import { tokensSpent } from '../stream-lines.ts';
import { transcriptsOf } from '../transcripts.ts';
import { copilot, USAGE } from './hook.ts';
import { COPILOT, SESSION_VARIABLE } from './names.ts';
import { openStream, readRow } from './stream.ts';

const program: HostProgram = {
  // The first version with which this was tried.
  oldest: '1.0.102',
  install: 'npm install -g @github/copilot',
  update: 'copilot update',
  sessionFlags: ['--session-id', '--resume', '-r', '--continue', '--connect', '-p', '--prompt', '--acp'],
  sessionArguments: (plugin) => ['--plugin-dir', plugin],
  sessionEnvironment: {},
  promptFlag: '--interactive',
  // With an id of ours the loop would begin outside, where its variables are not set.
  newSession: null,
  resumeSession: (id) => ['--resume', id],
  sessionOf: (env) => env[SESSION_VARIABLE] || null,
};

const transcripts = transcriptsOf(COPILOT, (session) => join(session, 'events.jsonl'), readRow);

/** The mode of passes where the person named none: files may be edited, and no command may run. */
const EDITS = 'write';

const headless: HeadlessHost = {
  name: COPILOT.name,
  can: { ...RESUME_ONLY, chooseSession: true, tools: true },
  login: 'copilot login',
  gentle: 'SIGINT',
  permissionModes: [EDITS, 'allow-all-tools', 'allow-all'],
  readOnly: { extra: ['--deny-tool=shell', '--deny-tool=write'] },
  ownFlags: ['-p', '--prompt', '-i', '--interactive', '--output-format', '--session-id', '-r', '--resume'],
  command: ({ session, resume, model, permissionMode: mode, allowedTools, prompt, extra }) => ({
    args: [
      '--output-format',
      'json',
      '--session-id',
      resume ?? session,
      '--plugin-dir',
      join(PLUGIN, 'guard'),
      ...allowedTools.map((tool) => `--allow-tool=${tool}`),
      ...flag('--model', model),
      ...(mode === null ? [] : [mode === EDITS ? '--allow-tool=write' : `--${mode}`]),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  }),
  openStream,
  classify: (end) =>
    fateOf(end, ({ type, code, status, error }) => {
      const why = error ?? 'failed';
      if (code === 'billing_not_configured') return fatal('billing', why);
      // The limits of an account; another 429 says that the service is busy.
      if (type === 'quota' || code?.startsWith('user_')) return { is: 'limit', resetsAt: null, why };
      return type === 'authentication' ? fatal('auth', why) : statusFate(status, end.record, why);
    }),
  spentSince: (session, since, env) => {
    const file = transcripts.fileOf(session, env);
    const tokens = tokensSince(readTextIfAny(file ?? '') ?? '', USAGE, since);
    return tokensSpent({ input_tokens: tokens }, '');
  },
  unattendedMode: ({ env }) => (env['COPILOT_ALLOW_ALL'] ? null : EDITS),
  preflight: ({ program: path, pass, env }) => [
    versionFinding({ ...COPILOT, program }, path, env),
    permissionFinding(COPILOT, pass, pass.permissionMode ?? 'allow-all-tools', EDITS, 'allow-all-tools'),
  ],
};

const FOLDER =
  'GitHub Copilot CLI reads the hooks of a project only where you trust the folder: it asks at its start, and with -p it needs --trust-folder';

export const copilotAdapter: HostAdapter = {
  ...COPILOT,
  hook: copilot,
  commands: null,
  headless,
  program,
  settings: hooksSettings(COPILOT, {
    path: (scope, { env, project }) =>
      join(scope === 'user' ? COPILOT.home(env) : join(project, COPILOT.folder), 'hooks', 'dacapo.json'),
    registration: hookEvents(Object.keys(EVENTS), (event) => (event === 'SessionEnd' ? 3 : 600)),
    stop: 'Stop',
    afterInstall: ({ scope }) => [
      ...(scope === 'user' ? [] : [ok('folder', FOLDER)]),
      ok('mcp', 'The tools of Da Capo for its agents: copilot mcp add dacapo -- dacapo mcp'),
    ],
    plugin: (folder) => [
      ['copilot', 'plugin', 'marketplace', 'add', folder],
      ['copilot', 'plugin', 'install', 'dacapo@dacapo'],
    ],
  }),
  rehearsal: null,
  transcripts,
};
