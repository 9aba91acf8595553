/** Codex as the command line knows it (0.166.0). */
import { dirname, join } from 'node:path';
import { isRecord, parseAs, recordAt, textOrNull } from '#base/shape.ts';
import { readTextIfAny } from '#base/files/read.ts';
import { PLUGIN } from '#base/process/package.ts';
import { adapterOf } from '../kit/adapter.ts';
import type { Environment } from '../port/arrival.ts';
import { EVENTS } from '../kit/claude-like-hooks.ts';
import { classifyBy } from '../kit/pass-outcome.ts';
import {
  flagWith,
  modelFlag,
  ok,
  problem,
  warning,
  type Finding,
  type PassPlace,
  type PreflightRequest,
} from '../port/headless.ts';
import { CODEX } from '../tables/names.ts';
import { toolsFindings } from '../port/program.ts';
import { hooksSettings, type FoundHook } from '../setup/hooks-settings.ts';
import { jsonLineReader } from '../kit/stream-lines.ts';
import { codex } from './hook.ts';
import { sessionHooks, trustHash, trustKey } from './session-hooks.ts';
import { readLine, readRow, windowsIn } from './stream.ts';

const TRUST =
  'Start codex: it asks whether to trust the new hooks. Or type /hooks there, and t on each of them.';

/**
 * With a terminal, its agent can type into a shell that runs (`write_stdin`), and no hook is asked about
 * that. Without one, the input of a command is closed. In a session that a person opens alone, only the
 * guard's look at the line is left.
 */
const NO_TYPING = ['--disable', 'unified_exec_tty'];

export const codexAdapter = adapterOf({
  ...CODEX,
  hook: codex,
  can: { windows: true },
  program: {
    // The first version with which this was tried. Hooks of the command line, and trust in them, are young.
    oldest: '0.166.0',
    install: 'npm install -g @openai/codex',
    update: 'codex update',
    sessionFlags: ['resume', 'fork', 'exec', '--remote'],
    sessionArguments: (plugin) => [...NO_TYPING, ...sessionHooks(plugin, Object.keys(EVENTS))],
    resumeSession: (id) => ['resume', id],
  },
  args: ({ resume, model, permissionMode }, place) => [
    'exec',
    ...(resume === null ? [] : ['resume', resume]),
    '--json',
    '--skip-git-repo-check',
    ...NO_TYPING,
    ...sessionHooks(PLUGIN, ['PreToolUse'], 'guard'),
    ...modelFlag('--model', model),
    ...untrustedFolder(place),
    // A resumed session has no flag for it.
    ...flagWith('-c', permissionMode && `sandbox_mode=${JSON.stringify(permissionMode)}`),
  ],
  // Its own settings decide what it may do; by default it may write in a project that is trusted, without a
  // network.
  headless: {
    login: 'codex login',
    permissionModes: ['read-only', 'workspace-write', 'danger-full-access'],
    readOnly: { permissionMode: 'read-only' },
    ownFlags: '--json --output-schema -o --output-last-message --ephemeral --last --worktree'.split(' '),
    openStream: () => jsonLineReader(readLine),
    classify: classifyBy(({ code }) => (code === 'limit' || code === 'billing' ? code : undefined)),
  },
  findings: (asked) => [...toolsFindings(CODEX, asked.pass), ...folderFindings(asked)],
  settings: hooksSettings(CODEX, {
    file: ['hooks.json'],
    findings: (found, { env }) => [trustFinding(found, env)],
    after: () => [
      warning(
        'trust',
        'Codex runs a new hook only after you trust it, and skips it silently until then.',
        TRUST,
      ),
    ],
    trust: '',
    mcp: 'codex mcp add dacapo -- dacapo mcp',
  }),
  record: [(session) => `-${session}.jsonl`, readRow],
  modelOf,
  windowsIn,
});

function modelOf(row: string): string | null {
  if (!row.includes('"turn_context"')) return null;
  return textOrNull(recordAt(parseAs(isRecord, row) ?? {}, 'payload')['model']);
}

/**
 * Where a mode lets its agent write, Codex takes the folder for trusted, uses the servers that the project
 * names, and writes the trust into the person's settings. Said for this process alone, a folder that the
 * person has not trusted stays so.
 */
function untrustedFolder({ cwd, env }: PassPlace): string[] {
  const config = readTextIfAny(join(CODEX.home(env), 'config.toml')) ?? '';
  if (foldersFrom(cwd).some((folder) => isKnown(config, folder))) return [];
  return ['-c', `projects={${JSON.stringify(cwd)}={trust_level="untrusted"}}`];
}

function foldersFrom(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];
}

function isKnown(config: string, folder: string): boolean {
  return config.includes(`[projects.${JSON.stringify(folder)}]`);
}

const SANDBOX = /^\s*(?:sandbox_mode|default_permissions|profile)\s*=/m;

/** In a folder that nobody has trusted, Codex lets its agent read only, and says nothing. */
function folderFindings({ pass, project, env }: PreflightRequest): Finding[] {
  const config = readTextIfAny(join(CODEX.home(env), 'config.toml')) ?? '';
  const isChosen = pass.permissionMode !== null || pass.extra.length > 0 || SANDBOX.test(config);
  if (isChosen || isKnown(config, project)) return [];
  const says = 'Codex does not know this folder, so its agent may only read there.';
  const remedy = 'Start codex there once and trust the folder, or use --permission-mode workspace-write.';
  return [warning('permissions', says, remedy)];
}

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
