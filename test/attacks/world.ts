/**
 * A disposable machine for attacks: a home, a state folder, a project, the bundled hook program and the built
 * command line, both as real processes. README.md beside this file says how to add an attack.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hearArrival } from '#engine/hearing/hear.ts';
import { callerOf } from '#hosts/tables/registry.ts';
import { runtimeAt } from '#engine/process-runtime.ts';
import { hookSinks } from '#engine/notices/tell-sinks.ts';
import { findHome, logTo, lookupIn } from '#store/file/home.ts';
import { CLI, type Ran } from '../surfaces/cli/box.ts';
import {
  HOOK,
  makeProgram,
  said,
  type Environment,
  type Payload,
  type Program,
  type Said,
} from '../programs/program.ts';

/** What the agent is told about a tool call; null: it was let through. */
export type Denied = string | null;

export interface AttackWorld {
  /** All that the hook harness has: payloads, journal, events, environment. */
  readonly program: Program;
  readonly project: string;
  /** $DACAPO_HOME. */
  readonly home: string;
  /** Writes a file of the project and gives its path back. */
  readonly write: (path: string, content: string) => string;
  readonly read: (path: string) => string;
  readonly has: (path: string) => boolean;
  /** The hook program with a payload and changes of its environment, as the host runs it. */
  readonly hook: (input: Payload | string, env?: Partial<Environment>) => Promise<Said | null>;
  /** A person types `/ralph ARGS`. */
  readonly ralph: (args: string) => Promise<Said | null>;
  /** The agent wants to stop, and says this. */
  readonly stop: (words?: string, env?: Partial<Environment>) => Promise<Said | null>;
  /** The agent is about to use a tool. */
  readonly tool: (name: string, input: Payload) => Promise<Denied>;
  readonly bash: (line: string) => Promise<Denied>;
  /**
   * The same as `tool`, heard by the sources of the hook in this process: for long lists, of which `tool` has
   * tried one.
   */
  readonly judge: (name: string, input: Payload) => Promise<Denied>;
  /** A person runs `dacapo …` in a terminal of their own: nothing says that an agent does. */
  readonly dacapo: (args: readonly string[], env?: Partial<Environment>) => Ran;
  /** As the journal tells it. */
  readonly status: () => string;
}

/**
 * With `git` the project is a repository with one commit. Closed after the test, unless `closeLater` takes
 * that over. `here`: the sources of the hook hear in this process, where the attack is on a program that the
 * hook starts.
 */
export function attackWorld(
  options: { git?: boolean; here?: boolean; closeLater?: (close: () => void) => void } = {},
): AttackWorld {
  const program = makeProgram(options);
  (options.closeLater ?? onTestFinished)(program.close);
  const { project, home } = program;
  const hook = async (input: Payload | string, env?: Partial<Environment>) => {
    if (options.here && typeof input !== 'string' && env === undefined) return hearHere(program, input);
    return said(await program.run(input, env));
  };
  const tool = async (name: string, input: Payload): Promise<Denied> => {
    const answer = await hook(program.payload('PreToolUse', { tool_name: name, tool_input: input }));
    return deniedBy(answer);
  };
  return {
    program,
    project,
    home,
    write: (path, content) => {
      const full = join(project, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    read: (path) => readFileSync(join(project, path), 'utf8'),
    has: (path) => existsSync(join(project, path)),
    hook,
    ralph: (args) => hook(program.command('dacapo:ralph', args)),
    stop: (words, env) => hook(program.stopped(words), env),
    tool,
    bash: (line) => tool('Bash', { command: line }),
    judge: async (name, input) =>
      deniedBy(
        await hearHere(program, program.payload('PreToolUse', { tool_name: name, tool_input: input })),
      ),
    dacapo: (args, changes = {}) => {
      const env = { ...personsEnvironment(program.env), ...changes };
      const ran = spawnSync(process.execPath, [CLI, ...args], {
        cwd: project,
        env,
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
    status: () => program.loop().status.is,
  };
}

/** What the hook program would answer (src/programs/hook-program.ts). */
async function hearHere({ env }: Program, payload: Payload): Promise<Said | null> {
  const home = findHome(env, process.platform);
  const host = callerOf(payload, env);
  if (typeof host === 'string') throw new Error(`heard for another host, ${host}`);
  const arrival = host.readArrival(payload, env);
  if (arrival === null) throw new Error('this is nothing to hear');
  const now = () => new Date().toISOString();
  const given = { env, now, log: logTo(home.log, now), registration: HOOK };
  const runner = join(dirname(HOOK), 'runner.cjs');
  const runtime = { ...runtimeAt(home, { ...given, runner }, hookSinks), started: now() };
  const answer = await hearArrival(arrival, lookupIn(home), () => runtime);
  return said({ signal: null, ...host.encode(answer, arrival) });
}

/** Without what a host puts into the shell of its agent. */
function personsEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CLAUDE')));
}

function deniedBy(answer: Said | null): Denied {
  const output: Readonly<Record<string, unknown>> = { ...answer?.hookSpecificOutput };
  if (output['permissionDecision'] !== 'deny') return null;
  return String(output['permissionDecisionReason']);
}
