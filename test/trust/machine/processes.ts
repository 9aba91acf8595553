/** What the processes of a simulated machine do: the product's own functions, as its programs call them. */
import { hearArrival } from '#engine/hearing/hear.ts';
import { drive as driveLoop } from '#engine/driver/drive.ts';
import { startLoop } from '#engine/begin/start.ts';
import { openToRun } from '#engine/begin/continue-loop.ts';
import { explain, explanationReport } from '#engine/look/explain.ts';
import { loopById, loopsUnder, withLoop } from '#engine/look/loops.ts';
import { readStatusNow, statusJson } from '#engine/look/status.ts';
import { hookSinks } from '#engine/notices/tell-sinks.ts';
import { runtimeAt } from '#engine/process-runtime.ts';
import { applyAction, type LoopAction } from '#engine/steer/actions.ts';
import { mayRemoveLoop } from '#engine/steer/prune.ts';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { claudeCodeHeadless } from '#hosts/claude-code/headless/command.ts';
import { commandNamesIn } from '#hosts/claude-code/names.ts';
import type { Arrival, CommandArrival, Sender, StopArrival } from '#hosts/port/arrival.ts';
import { hasEnded } from '#law/loop.ts';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { findHome, logTo } from '#store/file/home.ts';
import type { Runtime } from '#store/runtime.ts';
import { parseStartWords } from '../../input/start-words.ts';

function runtimeOf(registration = 'terminal'): Runtime {
  const home = findHome(process.env, process.platform);
  const now = () => new Date().toISOString();
  const log = logTo(home.log, now);
  return runtimeAt(home, { env: process.env, now, log, registration, runner: 'runner.cjs' }, hookSinks);
}

export type Told = Pick<Sender, 'session' | 'process' | 'project' | 'prompt'>;
/** What a host tells the hook of a session. */
export type HookOrder = { readonly from: Told; readonly registration: string } & (
  | {
      readonly is: 'stop';
      readonly message: string;
      readonly continuedByHook: boolean;
      /** How much waits in the host's queue. */
      readonly waiting: number;
      readonly background: StopArrival['background'];
    }
  | { readonly is: 'prompt'; readonly text: string; readonly person: boolean }
  | { readonly is: 'command'; readonly command: CommandArrival['command']; readonly args: string }
  | { readonly is: 'session-start'; readonly source: 'resume' }
  | { readonly is: 'session-end'; readonly reason: string }
);

export async function hook(order: HookOrder) {
  const runtime = runtimeOf(order.registration);
  return hearArrival(arrivalOf(order), runtime.store, () => runtime);
}

function arrivalOf(order: HookOrder): Arrival {
  const { name: host, limits } = claudeCode;
  const from: Sender = { ...order.from, host, limits, commands: commandNamesIn({}) };
  switch (order.is) {
    case 'stop': {
      const { is, message, continuedByHook, waiting, background } = order;
      const look: StopArrival['look'] = ({ offset }) => ({
        queue: { offset, waiting },
        taken: false,
        toolUsed: true,
      });
      return { is, from, message, continuedByHook, look, background, cap: null, attended: true };
    }
    case 'prompt':
      return { is: order.is, from, text: order.text, person: order.person };
    case 'command':
      return { is: order.is, from, command: order.command, args: order.args, cap: null, liftCap: null };
    case 'session-start':
      return { is: order.is, from, source: order.source };
    case 'session-end':
      return { is: order.is, from, reason: order.reason };
  }
}

/** What a person does at a terminal. */
export function act({ id, action }: { readonly id: string; readonly action: LoopAction }) {
  const done = applyAction(id, action, runtimeOf());
  return done.ok ? { ok: true as const } : { ok: false as const, code: done.code, why: done.message };
}

/** As `dacapo prune LOOP` does it, for a loop without a work tree. */
export function prune({ id }: { readonly id: string }) {
  const runtime = runtimeOf();
  const loop = loopById(id, runtime);
  if (loop === null || !hasEnded(loop) || !mayRemoveLoop(id, runtime))
    return { ok: false as const, code: 'not-ended' };
  runtime.store.remove(id);
  const { isAlive, store } = runtime;
  store.sweep(store.leftovers({ removed: new Set([id]), isAlive, now: runtime.now() }));
  return { ok: true as const };
}

const NO_LOOK = { silencedBy: () => [], recordedAt: () => null, goalOf: () => null };

/** `dacapo list`, `status` and `explain`. */
export function look({ id }: { readonly id: string }) {
  const runtime = runtimeOf();
  const listed = loopsUnder(null, runtime).map((loop) => loop.id);
  const before = loopById(id, runtime);
  if (before === null) return { listed, seen: null };
  statusJson(readStatusNow(before, NO_LOOK, runtime));
  const explained = explain(id, runtime);
  if (explained !== null) explanationReport(explained, runtime.now());
  const seen = withLoop(id, runtime, (open) => open.loop());
  return { listed, seen: seen && { status: seen.status.is, passes: seen.frame.passes, stops: seen.stops } };
}

/** A loop for `dacapo run`, as that command makes it. */
export function makeRun({ project, words }: { readonly project: string; readonly words: readonly string[] }) {
  const runtime = runtimeOf();
  const request = parseStartWords([...words, '--mode', 'fresh', '--max-stalls', 'off']);
  if (!request.ok) throw new Error(request.message);
  const order = {
    project,
    host: 'claude-code',
    actor: 'terminal',
    from: null,
    owns: null,
    view: true,
  } as const;
  const started = startLoop({ request, ...order }, runtime);
  if (started.is !== 'started') throw new Error(started.is);
  const { open } = started;
  const plan = { ...DEFAULT_PLAN, pauseMs: 0 };
  open.write({ type: 'planned', at: runtime.now(), by: 'terminal', plan });
  open.keep();
  open.close();
  return { id: open.loop().id };
}

/** `dacapo run --loop`. Its host is a script of the simulation. */
export async function drive({ id }: { readonly id: string }) {
  const runtime = runtimeOf();
  const opened = openToRun({ id, root: '/' }, runtime);
  if (!opened.ok) return { ok: false as const, code: opened.code };
  const watchdog = { ready: async () => null, tell: () => undefined, close: () => undefined };
  const never = new AbortController().signal;
  const loop = await driveLoop(
    opened.open,
    {
      host: claudeCodeHeadless,
      program: 'claude',
      env: process.env,
      permissionMode: 'acceptEdits',
      watchdog,
      now: never,
      soon: never,
      tell: () => true,
      drained: async () => undefined,
      chance: () => 0.5,
      settled: async () => 'ours',
      wait: async () => 'here',
      keeper: null,
    },
    runtime,
  );
  opened.open.close();
  return { ok: true as const, status: loop.status.is };
}
