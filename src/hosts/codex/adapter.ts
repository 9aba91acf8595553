/** Codex as the command line knows it (0.166.0). */
import { join } from 'node:path';
import { isRecord, parseAs, recordAt, textOrNull } from '../../core/shape.ts';
import { readTextIfAny } from '../../files/read.ts';
import { PLUGIN } from '../../process/package.ts';
import type { Environment } from '../arrival.ts';
import type { HostAdapter, HostProgram } from '../command-line.ts';
import { fatal, fateOf, statusFate } from '../fate.ts';
import { flag, ok, problem, RESUME_ONLY, warning, type Finding, type HeadlessHost } from '../headless.ts';
import { toolsFindings, versionFinding } from '../program.ts';
import { hookEvents, hooksSettings, type FoundHook } from '../setup/hooks-settings.ts';
import { jsonLines } from '../stream-lines.ts';
import { transcriptsOf } from '../transcripts.ts';
import { codex } from './hook.ts';
import { CODEX, SESSION_VARIABLE } from './names.ts';
import { EVENTS, sessionHooks, trustHash, trustKey } from './session-hooks.ts';
import { readLine, readRow } from './stream.ts';

const program: HostProgram = {
  // The first version with which this was tried. Hooks of the command line, and trust in them, are young.
  oldest: '0.166.0',
  install: 'npm install -g @openai/codex',
  update: 'codex update',
  sessionFlags: ['resume', 'fork', 'exec', '--remote'],
  sessionArguments: (plugin) => sessionHooks(plugin, Object.keys(EVENTS)),
  sessionEnvironment: {},
  newSession: null,
  resumeSession: (id) => ['resume', id],
  sessionOf: (env) => env[SESSION_VARIABLE] || null,
};

const headless: HeadlessHost = {
  name: CODEX.name,
  can: RESUME_ONLY,
  login: 'codex login',
  gentle: 'SIGINT',
  permissionModes: ['read-only', 'workspace-write', 'danger-full-access'],
  readOnly: { permissionMode: 'read-only' },
  ownFlags: [
    '--json',
    '--output-schema',
    '-o',
    '--output-last-message',
    '--ephemeral',
    '--last',
    '--worktree',
  ],
  command: ({ resume, model, permissionMode, prompt, extra }) => ({
    args: [
      'exec',
      ...(resume === null ? [] : ['resume', resume]),
      '--json',
      '--skip-git-repo-check',
      ...sessionHooks(PLUGIN, ['PreToolUse'], 'guard'),
      ...flag('--model', model),
      // A resumed session has no flag for it.
      ...flag('-c', permissionMode && `sandbox_mode=${JSON.stringify(permissionMode)}`),
      ...extra,
    ],
    env: { DACAPO_DRIVEN: '1' },
    stdin: prompt,
  }),
  openStream: () => jsonLines(readLine),
  classify: (end) =>
    fateOf(end, (result) => {
      const why = result.error ?? 'failed';
      if (result.code === 'limit') return { is: 'limit', resetsAt: null, why };
      return result.code === 'billing' ? fatal('billing', why) : statusFate(result.status, end.record, why);
    }),
  // Its own settings decide; by default it may write in the project, without a network.
  unattendedMode: () => null,
  preflight: ({ program: path, env, pass }) => [
    versionFinding({ ...CODEX, program }, path, env),
    ...toolsFindings(CODEX, pass),
  ],
};

const TRUST =
  'Start codex: it asks whether to trust the new hooks. Or type /hooks there, and t on each of them.';
const FOLDER = 'Codex reads the hooks of a project only where you trust the folder: it asks at its start';

export const codexAdapter: HostAdapter = {
  ...CODEX,
  hook: codex,
  commands: null,
  headless,
  program,
  settings: hooksSettings(CODEX, {
    path: (scope, { env, project }) =>
      join(scope === 'user' ? CODEX.home(env) : join(project, CODEX.folder), 'hooks.json'),
    registration: hookEvents(Object.keys(EVENTS), (event) => EVENTS[event]?.timeout),
    stop: 'Stop',
    findings: (found, { env }) => [trustFinding(found, env)],
    afterInstall: ({ scope }) => [
      warning('trust', 'Codex runs a new hook only after you trust it, and skips it without a word.', TRUST),
      ...(scope === 'user' ? [] : [ok('folder', FOLDER)]),
      ok('mcp', 'The tools of Da Capo for its agents: codex mcp add dacapo -- dacapo mcp'),
    ],
    plugin: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', 'dacapo@dacapo'],
    ],
  }),
  rehearsal: null,
  transcripts: { ...transcriptsOf(CODEX, (session) => `-${session}.jsonl`, readRow), modelOf },
};

function modelOf(row: string): string | null {
  if (!row.includes('"turn_context"')) return null;
  return textOrNull(recordAt(parseAs(isRecord, row) ?? {}, 'payload')['model']);
}

/** Codex keeps in its config what a person has trusted. */
function trustFinding({ path, hooks }: FoundHook, env: Environment): Finding {
  const config = readTextIfAny(join(CODEX.home(env), 'config.toml')) ?? '';
  const isTrusted = ({ event, group, at, handler }: FoundHook['hooks'][number]) => {
    const begin = config.indexOf(`[hooks.state.${JSON.stringify(trustKey(path, event, group, at))}]`);
    const hash = trustHash(event, { command: handler['command'], timeout: handler['timeout'] });
    return begin !== -1 && config.slice(begin).split(/\n\[/, 1)[0]?.includes(`"${hash}"`) === true;
  };
  const untrusted = hooks.filter((one) => !isTrusted(one)).map(({ event }) => event);
  if (untrusted.length === 0) return ok('trust', `Codex trusts the hooks in ${path}`);
  return problem(
    'trust',
    `Codex skips hooks that you have not trusted: ${untrusted.join(', ')} (${path}).`,
    TRUST,
  );
}
