// The bundled hook as the host runs it: a real process, the host's payload on stdin, the host's variables, a
// home and a project of its own.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Event, EventOf } from '#law/record/events.ts';
import { type Loop } from '#law/loop.ts';
import { homeAt } from '#store/file/home.ts';
import { readPromptText } from '#store/prompts.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { fileStore } from '#store/file/store.ts';
import { readMarkdown } from '#evidence/views/markdown/format.ts';
import { registrationFrom } from '#hosts/claude-code/setup/hooks-file.ts';
import { groupsOf } from '#hosts/setup/registration.ts';
import { kill, processesBelow } from '../processes.ts';
import { warmHome } from '../warm.ts';

export const HOOK = resolve(import.meta.dirname, '../../plugin/dist/hook.cjs');
export const SESSION = '5e551011-aaaa-4bbb-8ccc-000000000001';
export const VIEW = '.claude/ralph-loop.local.md';

export type Payload = Readonly<Record<string, unknown>>;
export type Environment = Record<string, string>;

/** How one run of the hook ended, and what the host heard. */
export interface Run {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a hook may say, of what the tests look at. */
export interface Said {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly hookEventName: string; readonly additionalContext?: string };
}

export type Program = ReturnType<typeof makeProgram>;

/** `isNew`: on this machine no loop was ever started. */
export function makeProgram(options: { git?: boolean; isNew?: boolean } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dc-hook-')));
  const project = join(root, 'project');
  const home = join(root, 'dacapo');
  mkdirSync(project);
  if (!options.isNew) warmHome(home);
  const env: Environment = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: root,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.invalid',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.invalid',
    // Not DACAPO_HOME: with it, the script in front of the hook starts Node every time.
    XDG_STATE_HOME: root,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: SESSION,
    CLAUDE_PID: String(process.pid),
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (options.git) {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'Begin');
  }

  const payload = (event: string, fields: Payload = {}): Payload => ({
    session_id: SESSION,
    transcript_path: join(root, 'transcript.jsonl'),
    cwd: project,
    prompt_id: 'prompt-1',
    permission_mode: 'default',
    hook_event_name: event,
    ...fields,
  });
  const stopped = (words = 'Still at work.', fields: Payload = {}): Payload => {
    // An agent has worked before it claims to be done.
    if (/<promise>/.test(words)) appendFileSync(join(project, 'work.txt'), words);
    return payload('Stop', {
      effort: { level: 'medium' },
      stop_hook_active: false,
      last_assistant_message: words,
      background_tasks: [],
      session_crons: [],
      ...fields,
    });
  };
  const command = (name: string, args = '', fields: Payload = {}): Payload =>
    payload('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args,
      command_source: 'plugin',
      prompt: `/${name} ${args}`,
      ...fields,
    });

  const begin = (
    input: Payload | string | null,
    changes: Partial<Environment> = {},
    cwd = project,
  ): Running => {
    const { command: program, args } = registeredFor(input);
    return beginHook(program, args, input, { cwd, env: { ...env, ...changes } });
  };
  const run = (input: Payload | string, changes: Partial<Environment> = {}, cwd = project): Promise<Run> =>
    begin(input, changes, cwd).ended;

  const loopId = (): string => {
    const [id, ...others] = readdirSync(join(home, 'loops'));
    if (id === undefined || others.length > 0)
      throw new Error(`one loop was expected, not ${others.length + 1}`);
    return id;
  };
  const loopDir = (): string => join(home, 'loops', loopId());
  const journal = (): string => readFileSync(join(loopDir(), 'journal.jsonl'), 'utf8');
  const loop = (): Loop => {
    const open = fileStore(homeAt(home)).open(loopId());
    if (open === null) throw new Error('the journal does not read');
    const state = open.loop();
    const broken = open.broken();
    open.close();
    if (broken !== null) throw new Error(`the journal has a broken line: ${broken}`);
    return state;
  };

  return {
    root,
    project,
    home,
    env,
    git,
    payload,
    stopped,
    command,
    begin,
    run,
    /** Starts a loop as `/ralph ARGS` does. */
    start: async (args: string, fields: Payload = {}): Promise<Said> => {
      const started = said(await run(command('dacapo:ralph', args, fields)));
      if (started?.hookSpecificOutput?.additionalContext === undefined)
        throw new Error(`no loop was started: ${JSON.stringify(started)}`);
      return started;
    },
    stop: async (words?: string, fields: Payload = {}): Promise<Said | null> =>
      said(await run(stopped(words, fields))),
    loopDir,
    loop,
    passes: (): number => loop().frame.passes,
    journal,
    /** Every line of the journal, parsed: throws where one is torn. */
    events: (): Event[] =>
      journal()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Event),
    log: (): string =>
      existsSync(join(home, 'hook.log')) ? readFileSync(join(home, 'hook.log'), 'utf8') : '',
    view: (): string => readFileSync(join(project, VIEW), 'utf8'),
    hasView: (): boolean => existsSync(join(project, VIEW)),
    /** The view parses, names this loop, and its digest is right. */
    viewIsWhole: (): boolean =>
      readMarkdown(readFileSync(join(project, VIEW), 'utf8'), loop(), (key) =>
        readPromptText(fileBlobs(loopDir()), key),
      ).is === 'untouched',
    evidence: (): string[] =>
      existsSync(join(loopDir(), 'evidence')) ? readdirSync(join(loopDir(), 'evidence')).toSorted() : [],
    /** The processes whose working directory is in the sandbox (Linux only). */
    processes: (): number[] => processesBelow(root),
    close: (): void => {
      for (const pid of processesBelow(root)) kill(pid);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

const REGISTERED = registrationFrom(dirname(dirname(HOOK)), process.platform);

/** The command that `dacapo init` registers for an event: so every test asks the script in front of it, too. */
function registeredFor(input: Payload | string | null): { command: string; args: string[] } {
  const byNode = { command: process.execPath, args: [HOOK] };
  if (input === null || typeof input === 'string') return byNode;
  const { hook_event_name: event, tool_name: tool } = input;
  const group = groupsOf(REGISTERED.get(String(event))).find(
    ({ matcher }) => typeof tool !== 'string' || new RegExp(String(matcher)).test(tool),
  );
  const handler = group?.hooks[0];
  if (handler?.['command'] !== '/bin/sh') return byNode;
  return { command: '/bin/sh', args: (handler['args'] as unknown[]).map(String) };
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
}

export function beginHook(
  program: string,
  args: readonly string[],
  /** Null: whoever begins it sends it. */
  input: Payload | string | null,
  options: { cwd: string; env: Partial<Environment> },
): Running {
  const child = spawn(program, [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // One that ends before it reads (disabled, killed) breaks the pipe.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const ended = once(child, 'close').then(([exit, signal]: (number | string | null)[]) => ({
    exit: typeof exit === 'number' ? exit : null,
    signal: typeof signal === 'string' ? signal : null,
    stdout,
    stderr,
  }));
  return { child, ended };
}

/** What the host makes of a run: always exit 0 and silence on stderr, then one JSON document or nothing. */
export function said(run: Run): Said | null {
  if (run.exit !== 0 || run.stderr !== '')
    throw new Error(`not as the host wants it: ${JSON.stringify(run)}`);
  if (run.stdout === '') return null;
  const value: unknown = JSON.parse(run.stdout);
  if (typeof value !== 'object' || value === null) throw new Error(`no document: ${run.stdout}`);
  return value;
}

export function continues(answer: Said | null): boolean {
  return answer?.hookSpecificOutput?.additionalContext !== undefined;
}

/** True when the host may let the session stop after this. */
export function allows(answer: Said | null): boolean {
  return answer === null || (answer.decision === undefined && answer.hookSpecificOutput === undefined);
}

export function eventsOf<K extends Event['type']>(events: readonly Event[], type: K): EventOf<K>[] {
  return events.filter((event): event is Extract<Event, EventOf<K>> => event.type === type);
}

/** Waits until it is so; throws after `ms`. */
export async function until(what: string, isSo: () => boolean, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !isSo(); await pause(20))
    if (Date.now() > end) throw new Error(`after ${ms} ms it is still not so that ${what}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
