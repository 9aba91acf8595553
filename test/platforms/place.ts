// A machine with a clone, a home and a project below one folder, whose name may hold anything. It is a host
// there: it starts the lines that `dacapo init` registered, in its own words.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAMS = ['bin', 'dist', 'plugin', 'package.json'];
const SESSION = '5e551011-aaaa-4bbb-8ccc-000000000001';
const MOST_MS = 60_000;
/** Nobody's: a user that is not root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Where root has a Node of its own, nobody else can start it. */
export function canBeNobody(): boolean {
  return (
    process.getuid?.() !== 0 || spawnSync(process.execPath, ['-e', '0'], { ...NOBODY, cwd: '/' }).status === 0
  );
}

export type Place = ReturnType<typeof makePlace>;
type Environment = Readonly<Record<string, string>>;

interface Registered {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>>;
}

interface Handler {
  readonly command: string;
  readonly args: readonly string[];
}

/** `nobody`: whoever runs the tests, the programs run as a user who is not root. */
export function makePlace({ name = 'place', nobody = false }: { name?: string; nobody?: boolean } = {}) {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'dc-place-')));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const root = join(parent, name);
  const [clone, home, project, bin] = ['clone', 'home', 'project', 'bin'].map((one) => join(root, one)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [clone, home, project, bin]) mkdirSync(folder, { recursive: true });
  for (const one of PROGRAMS) cpSync(join(ROOT, one), join(clone, one), { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  cpSync(join(import.meta.dirname, 'agent.mjs'), join(bin, 'stand-in'));
  chmodSync(join(bin, 'stand-in'), 0o755);
  if (nobody) for (const folder of [parent, root, home, project]) chmodSync(folder, 0o777);
  const env: Environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
  const user = nobody && process.getuid?.() === 0 ? NOBODY : {};
  const start = (program: string, args: readonly string[], more: Environment = {}, input = '') => {
    const options = {
      cwd: project,
      env: { ...env, ...more },
      input,
      encoding: 'utf8',
      timeout: MOST_MS,
    } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, ...user });
    return { code: status, stdout, stderr: error === undefined ? stderr : error.message };
  };
  const registered = () =>
    JSON.parse(readFileSync(join(project, '.claude/settings.local.json'), 'utf8')) as Registered;
  return {
    root,
    home,
    project,
    bin,
    start,
    /** As an installed command is started, by its link or wrapper. */
    dacapo: (args: readonly string[], more?: Environment) =>
      start(process.execPath, [join(clone, 'bin/dacapo.cjs'), ...args], more),
    write: (path: string, content: string) => {
      const full = join(project, path);
      mkdirSync(join(full, '..'), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    /** The first line that is registered for the event. `folder`: the project as the host names it. */
    hook: (event: string, fields: object, more: Environment = {}, folder = project) => {
      const [handler] = registered().hooks[event]?.[0]?.hooks ?? [];
      if (handler === undefined) throw new Error(`no hook is registered for ${event}`);
      const payload = {
        session_id: SESSION,
        transcript_path: join(root, 'transcript.jsonl'),
        cwd: folder,
        prompt_id: 'prompt-1',
        permission_mode: 'acceptEdits',
        hook_event_name: event,
        ...fields,
      };
      const own = { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: SESSION };
      const of = { ...own, CLAUDE_PID: String(process.pid), ...more };
      return start(handler.command, handler.args, of, JSON.stringify(payload));
    },
  };
}

export const CHECK = `import { existsSync } from 'node:fs'; process.exit(existsSync('done.txt') ? 0 : 1);`;

export const ralph = (args: string) => ({
  expansion_type: 'slash_command',
  command_name: 'ralph',
  command_args: args,
  command_source: 'user',
  prompt: `/ralph ${args}`,
});

export const stopped = (words: string, prompt_id = 'prompt-1') => ({
  prompt_id,
  last_assistant_message: words,
  stop_hook_active: false,
  background_tasks: [],
  session_crons: [],
});

interface Held {
  readonly env?: Environment;
  /** The project as the host names it. */
  readonly folder?: string;
  readonly flags?: string;
  readonly during?: () => void;
}

/** A whole session: it is held once, and then proven done. */
export function session({ dacapo, write, hook }: Place, { env, folder, flags = '', during }: Held = {}) {
  write('check.mjs', CHECK);
  const init = dacapo(['init'], env);
  const began = hook(
    'UserPromptExpansion',
    ralph(`Make done.txt --check "node check.mjs" ${flags}`),
    env,
    folder,
  );
  during?.();
  const held = hook('Stop', stopped('I am done.'), env, folder);
  write('done.txt', '');
  const ended = hook('Stop', stopped('I am really done.', 'prompt-2'), env, folder);
  return { init, began, held, ended };
}

/** Asks for a write of this file. */
export const writing = (file_path: string) => ({
  tool_name: 'Write',
  tool_use_id: 't1',
  tool_input: { file_path, content: 'x' },
});

export const HELD = 'check `node check.mjs` failed with exit code 1';
export const PROVEN = 'completed after 2 iterations: `node check.mjs` passes (proven)';
