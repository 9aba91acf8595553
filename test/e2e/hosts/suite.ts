// What every host does in all of Da Capo, with its real program: driven by `dacapo run`, and in its own
// session after `dacapo init --host`. A host's test gives what differs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kill } from '../../processes.ts';
import { CLI, dacapo, ofKind, startDacapo } from '../dacapo.ts';
import { startHeadless } from '../headless.ts';
import { until } from '../world.ts';
import type { Said, Script, Turn } from './script.ts';
import { hostStage, type HostStage } from './stage.ts';
import { ONE_PROCESS, type RigName } from './table.ts';

export const CHECK = ['--check', 'test -f done.txt'];
const usage = { input: 100, output: 20 };
export const THREE: readonly [Turn, ...Turn[]] = [
  { text: 'Nothing yet.', usage },
  { text: 'Still nothing.', usage },
  { run: 'touch done.txt', usage },
  { text: 'There it is.', usage },
];

type ToolUse = readonly [tool: string, input: Record<string, unknown>];

export interface HostCase {
  readonly name: RigName;
  /** Behind our flags of `dacapo run`: nobody is there to ask. */
  readonly unattended: readonly string[];
  /** How a person logs in, as the end of a run says it. */
  readonly login: string;
  /** What becomes of one 429 without a time: the classes of the faults that `dacapo run` sees. */
  readonly faults: readonly string[];
  /** What the model reads where the guard refuses. */
  readonly refused: string;
  /** The host takes hooks from its settings only, so the guard comes with `dacapo init`. */
  readonly guardByInit: boolean;
  /** The file, below HOME, into which `dacapo init` writes. */
  readonly settings: string;
  /** It tells what a pass costs. */
  readonly costs?: boolean;
  /** What a person has to do after `dacapo init`. */
  readonly trust?: (stage: HostStage) => void;
  /** A session of its own, up to the end of the turn. `resume`: the id of one that goes on. */
  readonly session: (stage: HostStage, prompt: string, resume?: string) => Promise<{ code: number | null }>;
  /** How its agent writes a file, if not in the shell. */
  readonly write?: (path: string, content: string) => Said['call'];
  /**
   * The words after its name that register `dacapo mcp`, and what its agent does to call a tool of it.
   * Absent: it has no MCP.
   */
  readonly mcp?: { readonly add: readonly string[]; readonly calls?: (...call: ToolUse) => Said[] };
  /** The file in which a project names MCP servers that it starts without a question. */
  readonly servers?: string;
  /** Quick enough for one more pass, in which the agent asks a question. */
  readonly asks?: boolean;
}

/** Prices of a person's own for the scripted models: those that hosts with prices have in their settings. */
export function keepPrices(stage: HostStage): void {
  const names = ['scripted', 'custom:Scripted-0', 'gemini-2.5-flash'];
  const prices = Object.fromEntries(names.map((model) => [model, { input: 1, output: 5 }]));
  mkdirSync(stage.dacapoHome, { recursive: true });
  writeFileSync(join(stage.dacapoHome, 'config.json'), JSON.stringify({ prices }));
}

/** The arguments of a run of this host. */
export function runOf({ name, unattended }: HostCase, ...more: string[]): string[] {
  return ['run', '--host', name, 'Make done.txt', ...CHECK, '--pause', '0', '--json', ...more, ...unattended];
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly iteration: number;
  readonly tokens: number;
  readonly session_id: string;
}

export async function shown(stage: HostStage): Promise<Shown> {
  const { stdout } = await dacapo({ sandbox: stage }, 'status', '--json');
  const all: unknown = JSON.parse(stdout);
  return (Array.isArray(all) ? all[0] : (all as { loops: unknown[] }).loops[0]) as Shown;
}

interface JournalEvent {
  readonly type: string;
  readonly id?: string;
  readonly session?: string;
  readonly verdict?: { readonly is: string };
}

export function journal(stage: HostStage): JournalEvent[] {
  const loops = join(stage.dacapoHome, 'loops');
  const files = (existsSync(loops) ? readdirSync(loops) : []).map((id) => join(loops, id, 'journal.jsonl'));
  const file = files.find((one) => existsSync(one));
  const lines = file === undefined ? [] : readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalEvent);
}

/** The second turn hangs once; then the work is done. */
function hangs(): Script {
  let hung = false;
  return ({ n }) => {
    if (n === 0) return 'Nothing yet.';
    const first = !hung;
    hung = true;
    if (first) return { text: 'late', delay: 120_000 };
    return n % 2 === 0 ? { run: 'touch done.txt' } : 'There it is.';
  };
}

/** A loop made ready, and a session of the host that gets its prompt. */
export async function readySession(stage: HostStage, host: HostCase, ...flags: string[]): Promise<void> {
  const loop = ['--host', host.name, 'Make done.txt', ...CHECK, ...flags];
  const ready = await dacapo({ sandbox: stage }, 'ready', ...loop);
  expect(ready.stdout).toContain(`${host.name} "Make done.txt"`);
  expect((await host.session(stage, 'Make done.txt')).code).toBe(0);
}

/** A story in which the host starts several times, and is slow on a busy machine. */
const LONG = { timeout: 150_000 };

const PUSH = 'git push origin HEAD:main';
const APPROVE = ['--approve', 'shell(git push *)', '--approve', 'write(deploy/**)'];

/** Something to push, and a place for it. The answer says whether it is there. */
function remote(stage: HostStage): () => boolean {
  const origin = join(stage.root, 'origin');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: stage.project, env: stage.env, encoding: 'utf8' });
  git('init', '-q', '--bare', origin);
  git('remote', 'add', 'origin', origin);
  git('commit', '-q', '--allow-empty', '-m', 'First');
  return () => git('ls-remote', 'origin') !== '';
}

function writes({ write }: HostCase, path: string): Turn {
  const call = write?.(path, 'new\n');
  return call === undefined ? { run: 'echo new > deploy/site.txt' } : { call };
}

/** The ids of the requests to a person, when there are so many. */
async function requested(stage: HostStage, count: number): Promise<string[]> {
  const all = () => journal(stage).filter(({ type }) => type === 'requested');
  await until(() => all().length >= count, `request ${count}`, 100_000);
  return all().map(({ id = '' }) => id);
}

/** Answers the question that comes after two approvals. The answer says whether the agent was told. */
async function answered(stage: HostStage): Promise<() => boolean> {
  const [, , question = ''] = await requested(stage, 3);
  await dacapo({ sandbox: stage }, 'answer', question, 'Take the blue one.');
  return () => stage.model.requests[7]?.text.includes('Take the blue one.') === true;
}

/** `dacapo` itself, for a host that starts our MCP server. Codex hands such a program few variables. */
export function putOnPath(stage: HostStage): void {
  const start = `#!/bin/sh\nDACAPO_HOME='${stage.dacapoHome}' exec '${process.execPath}' '${CLI}' "$@"\n`;
  writeFileSync(join(stage.root, 'bin', 'dacapo'), start, { mode: 0o755 });
}

/** What its agent says by tools of ours. The server has to find out which loop that is about. */
function toolCalls({ mcp }: HostCase, loopId: string): readonly Said[] {
  if (mcp === undefined) return [];
  const said: readonly ToolUse[] = [
    ['loop_note', { loopId, text: 'Mind "the gap".' }],
    ['loop_claim', { summary: 'It is done.' }],
  ];
  return said.flatMap(([tool, input]) => mcp.calls?.(tool, input) ?? [{ call: { tool, input } }]);
}

/** Registers our MCP server with the host's own command, as docs/hosts.md says it. */
async function addServer(stage: HostStage, { name, mcp }: HostCase): Promise<void> {
  if (mcp === undefined || mcp.add.length === 0) return;
  putOnPath(stage);
  expect((await startHeadless(join(stage.root, 'bin', name), mcp.add, stage).done).code).toBe(0);
}

export function hostSuite(host: HostCase): void {
  const { name } = host;
  const staged = (script: Script) => hostStage(name, script);

  test('three iterations by dacapo run, with a check that fails twice', async () => {
    const stage = await staged(THREE);
    const run = await dacapo({ sandbox: stage }, ...runOf(host));
    expect(run.code).toBe(0);
    expect(stage.model.requests).toHaveLength(4);
    expect(stage.model.requests[1]?.text).toContain('check `test -f done.txt` failed with exit code 1');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3, tokens: 480 });
    const taken = journal(stage).filter(({ type }) => type === 'taken');
    expect(taken).toMatchObject(Array(3).fill({ host: name }));
    expect(stage.processes()).toEqual([]);
  });

  test('one session for all iterations, with exact counts', async () => {
    const stage = await staged(({ n }) => THREE[n + 1] ?? 'There it is.');
    const run = await dacapo({ sandbox: stage }, ...runOf(host, '--continue'));
    expect(run.code).toBe(0);
    const told = stage.model.requests[1]?.messages.map(({ text }) => text).join('\n');
    expect(told).toContain('Still nothing.');
    expect(await shown(stage)).toMatchObject({ iteration: 2, tokens: 360 });
  });

  test('a key that is not accepted ends the run at once', async () => {
    const stage = await staged([{ status: 401 }]);
    const run = await dacapo({ sandbox: stage }, ...runOf(host));
    expect(run.code).toBe(8);
    expect(stage.model.requests.length).toBeLessThan(6);
    expect(ofKind(run, 'ends')).toMatchObject([{ status: 'escalated' }]);
    expect(ofKind(run, 'ends')[0]?.next).toContain(host.login);
  });

  test('429 is waited out, and is no iteration', async () => {
    const stage = await staged([{ status: 429 }, { run: 'touch done.txt' }, 'There it is.']);
    const run = await dacapo({ sandbox: stage }, ...runOf(host));
    expect(run.code).toBe(0);
    expect(ofKind(run, 'fault').map((one) => one.class)).toEqual(host.faults);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
  });

  /** In the middle of its second pass. */
  const hung = async () => {
    const stage = await staged(hangs());
    for (const variable of Object.keys(ONE_PROCESS)) delete stage.env[variable];
    const run = startDacapo({ sandbox: stage }, runOf(host));
    await until(() => stage.model.requests.length >= 2, 'the second pass', 50_000);
    return { stage, run };
  };

  test('cancel from another terminal ends the pass, and leaves nothing running', async () => {
    const { stage, run } = await hung();
    expect((await dacapo({ sandbox: stage }, 'cancel')).code).toBe(0);
    await run.ended;
    expect(await shown(stage)).toMatchObject({ status: 'cancelled' });
    expect(stage.processes()).toEqual([]);
  });

  test('kill -9 in the middle of an iteration, then resume completes', async () => {
    const { stage, run } = await hung();
    run.signal('SIGKILL');
    await run.ended;
    await until(() => stage.processes().length === 0, 'the host to be gone with its driver');
    expect((await dacapo({ sandbox: stage }, 'resume', '--json')).code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test(
    'its passes are guarded, and a person approves, answers and steers from another terminal',
    LONG,
    async () => {
      const stage = await staged(({ n }) => {
        const sensitive = [{ run: PUSH }, writes(host, join(stage.project, 'deploy/site.txt'))];
        const first = [{ run: 'echo weak > spec.txt' }, ...sensitive, 'I wait.', ...sensitive];
        const asks = host.asks === true ? ['Which? <promise>ASK: Red or blue?</promise>'] : [];
        return [...first, ...asks, { run: 'touch done.txt' }][n] ?? 'There it is.';
      });
      const world = { sandbox: stage };
      const pushed = remote(stage);
      stage.write('spec.txt', 'strict\n');
      stage.write('deploy/old.txt', 'Not every host makes a folder for a file.\n');
      if (host.guardByInit) await dacapo(world, 'init', '--host', name, '--scope', 'user');
      const run = startDacapo(world, runOf(host, '--protect', 'spec.txt', ...APPROVE));
      const [first, second] = await requested(stage, 2);
      await until(() => run.stdout().includes('"is":"waits"'), 'the wait', 50_000);
      expect(JSON.stringify(stage.model.requests[1]?.body)).toContain(host.refused);
      expect(stage.read('spec.txt')).toBe('strict\n');
      expect([pushed(), stage.has('deploy/site.txt')]).toEqual([false, false]);
      expect(await shown(stage)).toMatchObject({ status: 'waiting', iteration: 1 });
      await dacapo(world, 'steer', 'Mind the gap.');
      for (const id of [first, second]) expect((await dacapo(world, 'approve', id ?? '')).code).toBe(0);
      const told = host.asks === true ? await answered(stage) : () => true;
      expect((await run.ended).code).toBe(0);
      expect([pushed(), stage.read('deploy/site.txt')]).toEqual([true, 'new\n']);
      expect(stage.model.requests[4]?.text).toContain('Mind the gap.');
      expect(told()).toBe(true);
      expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
    },
  );

  test('--max-cost ends the loop when the passes have cost that much', async () => {
    const stage = await staged(THREE);
    if (host.costs !== true) keepPrices(stage);
    const run = await dacapo({ sandbox: stage }, ...runOf(host, '--max-cost', '0.0003'));
    expect(run.code).not.toBe(0);
    expect(stage.model.requests).toHaveLength(2);
    const [end] = ofKind(run, 'ends');
    expect(end).toMatchObject({ status: 'exhausted' });
    expect(JSON.stringify(end).includes('estimated from tokens')).toBe(host.costs !== true);
  });

  test.skipIf(host.costs)('--max-cost is refused for a model without a price', async () => {
    const stage = await staged(['Never.']);
    const asked = runOf({ ...host, unattended: [] }, '--max-cost', '1', '--model', 'nobodys');
    const run = await dacapo({ sandbox: stage }, ...asked);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('the price of nobodys is not known');
    expect(run.stderr).toContain('--max-tokens');
    expect(stage.model.requests).toEqual([]);
  });

  test(
    'three iterations in its own session, after init and an approval, bound by its prompt',
    LONG,
    async () => {
      const script = (id: string) => [
        { run: PUSH },
        'I wait.',
        { run: PUSH },
        ...toolCalls(host, id),
        ...THREE,
      ];
      const stage = await staged(({ n }) => script(journal(stage)[0]?.id ?? '')[n] ?? 'Nothing.');
      const pushed = remote(stage);
      const world = { sandbox: stage };
      await addServer(stage, host);
      const settings = () => {
        try {
          return readFileSync(join(stage.home, host.settings), 'utf8');
        } catch {
          return null;
        }
      };
      const before = settings();
      expect((await dacapo(world, 'init', '--host', name, '--scope', 'user')).code).toBe(0);
      const installed = settings();
      await dacapo(world, 'init', '--host', name, '--scope', 'user');
      expect(settings()).toBe(installed);
      host.trust?.(stage);
      const doctor = () => dacapo(world, 'doctor', '--host', name);
      expect((await doctor()).stdout).toContain('The hook is registered');
      await readySession(stage, host, ...APPROVE);
      expect(pushed()).toBe(false);
      expect((await dacapo(world, 'approve')).stdout).toMatch(/dacapo resume|type any prompt in its session/);
      const { status, session_id: session } = await shown(stage);
      // A session that is still open goes on with the next prompt.
      const next = status === 'interrupted' ? await dacapo(world, 'resume') : { stdout: session };
      expect(next.stdout).toContain(session);
      expect((await host.session(stage, 'Go on.', session)).code).toBe(0);
      expect(pushed()).toBe(true);
      expect(JSON.stringify(stage.model.requests[2]?.body)).toContain(
        'the permission for this call is open now',
      );
      const { id } = await shown(stage);
      const at = script(id).indexOf(THREE[0]);
      const judged = stage.model.requests[at]?.text;
      expect(judged).toMatch(
        host.mcp === undefined ? 'main' : /decision\W+continue[^]*failed with exit code 1/,
      );
      const noted = journal(stage).filter(({ type }) => type === 'noted');
      expect(noted).toHaveLength(host.mcp === undefined ? 0 : 1);
      expect(stage.model.requests).toHaveLength(script(id).length);
      expect(stage.model.requests[at + 1]?.text).toContain('iteration 2');
      expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
      expect((await doctor()).stdout).toMatch(/A stop of .* was last judged/);
      expect((await dacapo(world, 'uninstall', '--host', name, '--scope', 'user')).code).toBe(0);
      expect(settings()).toBe(before);
    },
  );

  test('a session whose program is killed does not show as running', async () => {
    const stage = await staged([{ text: 'late', delay: 120_000 }]);
    const world = { sandbox: stage };
    await dacapo(world, 'init', '--host', name, '--scope', 'user');
    host.trust?.(stage);
    await dacapo(world, 'ready', '--host', name, 'Make done.txt', ...CHECK);
    // In a terminal it waits for the end of a turn that never comes.
    host.session(stage, 'Make done.txt').catch(() => undefined);
    await until(() => stage.model.requests.length > 0, 'the first turn', 50_000);
    expect(await shown(stage)).toMatchObject({ status: 'running' });
    for (const pid of stage.processes()) kill(pid);
    // A killed program is there until its parent has asked for its end.
    await expect.poll(() => shown(stage), { timeout: 20_000 }).toMatchObject({ status: 'interrupted' });
  });

  test.runIf(host.servers)('a server that the project names is started only after dacapo trust', async () => {
    const stage = await staged([{ run: 'touch done.txt' }, 'There it is.']);
    const server = { command: 'sh', args: ['-c', `echo ran > '${stage.root}/ran'; cat`] };
    stage.write(host.servers ?? '', JSON.stringify({ mcpServers: { theirs: server } }));
    const run = () => dacapo({ sandbox: stage }, ...runOf(host));
    const hasRun = () => existsSync(join(stage.root, 'ran'));
    expect((await run()).stderr).toContain(host.servers);
    expect([hasRun(), stage.model.requests.length]).toEqual([false, 0]);
    await dacapo({ sandbox: stage }, 'trust');
    expect((await run()).code).toBe(0);
    expect(hasRun()).toBe(true);
  });

  test.runIf(host.guardByInit)(
    'start needs the hook in its settings, and opens a session with the prompt',
    async () => {
      const stage = await staged(['Never.']);
      const start = () => dacapo({ sandbox: stage }, 'start', '--host', name, 'Make done.txt', '--dry-run');
      expect((await start()).stderr).toContain(`dacapo init --host ${name}`);
      await dacapo({ sandbox: stage }, 'init', '--host', name, '--scope', 'user');
      expect((await start()).stdout).toMatch(/--session-id [\da-f-]{36}.*--prompt-interactive=/s);
    },
  );
}
