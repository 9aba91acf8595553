/**
 * `dacapo hooks`: manages the user's own stop hooks, as data, for a project or one loop, and shows what a loop's
 * hooks did.
 */
import { oneLine } from '../../core/words/sanitize.ts';
import { hooksOf } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { StoredHook } from '../../store/store.ts';
import { HookSpecError } from '../../stop-hooks/spec.ts';
import { fromSpec } from '../../stop-hooks/from-spec.ts';
import { createRegistry, type StopHookRegistry } from '../../stop-hooks/registry.ts';
import { withLoop } from '../../operations/look/loops.ts';
import { refuseToAgents } from '../../operations/trust/people-only.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { metricsOf, type MetricsReport } from './hook-metrics.ts';
import { noLoops, pickNewest } from '../loops.ts';
import { here } from '../project.ts';
import { table } from '../terminal/table.ts';
import { fail, failFor, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliRuntime } from '../runtime.ts';

export interface HooksOptions {
  readonly action: string | undefined;
  /** For `add`, the hook as data. Otherwise the id of a hook. */
  readonly what: string | undefined;
  readonly loop: string | undefined;
  readonly name: string | undefined;
  readonly metrics: boolean;
  readonly json: boolean;
}

const ACTIONS = ['list', 'add', 'enable', 'disable', 'remove'];

export async function runHooks(options: HooksOptions): Promise<number> {
  const { action = 'list', metrics, loop, json } = options;
  const runtime = cliRuntime();
  if (!ACTIONS.includes(action))
    return fail(
      `dacapo hooks can't ${JSON.stringify(action.slice(0, 40))}.`,
      `it can ${ACTIONS.join(', ')}.`,
      EXIT.usage,
    );
  if (metrics) return showMetrics(loop, json, runtime);
  const task = taskOf(loop, runtime);
  if (task.is === 'refused') return task.exit;
  const stored = runtime.store.hooks.read();
  if (!stored.ok) return fail(`${stored.why}.`, 'fix it, or delete it.');
  if (action === 'list') return list(stored.hooks, task.id, json);
  const refusal = refuseToAgents(`dacapo hooks ${action}`, runtime.env);
  return refusal === null ? change(options, task, stored.hooks, runtime) : failFor(refusal);
}

type Task =
  | { readonly is: 'task'; readonly id: string; readonly loop: Loop | null }
  | { readonly is: 'refused'; readonly exit: number };

function taskOf(wanted: string | undefined, runtime: Runtime): Task {
  if (wanted === undefined) return { is: 'task', id: here(), loop: null };
  const picked = pickNewest(wanted, 'hooks --loop', runtime);
  if (picked.is === 'none') return { is: 'refused', exit: noLoops() };
  return picked.is === 'one' ? { is: 'task', id: picked.loop.id, loop: picked.loop } : picked;
}

function list(stored: readonly StoredHook[], task: string, json: boolean): number {
  const hooks = stored.filter(({ taskId }) => taskId === task);
  if (json) sayJson(hooks);
  else if (hooks.length === 0)
    say('No stop hooks of your own here. dacapo hooks add \'{"type": "max-files", "files": 20}\' adds one.');
  else
    say(
      ...table([
        ['ID', 'ENABLED', 'HOOK'].map((word) => paint.dim(word)),
        ...hooks.map(({ id, enabled, spec }) => [
          id,
          enabled ? 'yes' : 'no',
          oneLine(JSON.stringify(spec), 300),
        ]),
      ]),
    );
  return EXIT.ok;
}

/** Changes the hooks through the registry and writes exactly what the registry saves. */
function change(
  { action, what, name, json }: HooksOptions,
  { id: task, loop }: Extract<Task, { is: 'task' }>,
  stored: readonly StoredHook[],
  runtime: Runtime,
): number {
  if (what === undefined)
    return fail(
      `dacapo hooks ${action} needs ${action === 'add' ? 'a hook' : 'the id of a hook'}.`,
      action === 'add'
        ? 'dacapo hooks add \'{"type": "tdd", "rule": "tests"}\''
        : 'dacapo hooks list shows them.',
      EXIT.usage,
    );
  if (action === 'add' && loop !== null && (hasEnded(loop) || hooksOf(topFrame(loop)) === null))
    return fail(
      `loop ${loop.id} ${hasEnded(loop) ? 'has ended' : 'was started without stop hooks, so it asks none'}.`,
      'add the hook to the project, and start a new loop.',
    );
  const registry = createRegistry();
  try {
    registry.restore(stored);
    const id = action === 'add' ? add(registry, what, name, task) : what;
    const done =
      action === 'enable'
        ? registry.enable(id)
        : action === 'disable'
          ? registry.disable(id)
          : action === 'remove'
            ? registry.unregister(id)
            : true;
    if (!done)
      return fail(
        `there is no stop hook ${JSON.stringify(oneLine(id, 80))}.`,
        'dacapo hooks list shows them.',
      );
    const tasks = new Set([...stored.map(({ taskId }) => taskId), task]);
    runtime.store.hooks.write(
      [...tasks].flatMap((one) => registry.save(one).map((hook) => ({ ...hook, spec: { ...hook.spec } }))),
    );
    if (json) sayJson({ id, action });
    else if (action === 'add')
      say(`Stop hook ${id} is added: ${loop === null ? 'loops that begin here ask' : 'this loop asks'} it.`);
    else say(`Stop hook ${id} is ${DONE[action ?? ''] ?? 'changed'}.`);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof HookSpecError)
      return fail(error.message, 'docs/stop-hooks.md lists the types.', EXIT.usage);
    if (error instanceof SyntaxError)
      return fail(`that is not JSON: ${error.message}`, 'put it in single quotes.', EXIT.usage);
    throw error;
  }
}

const DONE: Readonly<Record<string, string>> = {
  enable: 'enabled',
  disable: 'disabled',
  remove: 'removed',
};

function add(registry: StopHookRegistry, data: string, name: string | undefined, taskId: string): string {
  const spec: unknown = JSON.parse(data);
  const hook = fromSpec(spec);
  const type = typeof spec === 'object' && spec !== null && 'type' in spec ? spec.type : 'data';
  if (name !== undefined && registry.get(name) !== undefined)
    throw new HookSpecError(name, 'is the id of another hook', 'Choose another name.');
  return registry.registerStopHook(
    { taskId, ...(name !== undefined && { hookId: name }), metadata: { type } },
    hook,
  );
}

function showMetrics(wanted: string | undefined, json: boolean, runtime: Runtime): number {
  const picked = pickNewest(wanted, 'hooks --metrics --loop', runtime);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const metrics = withLoop(picked.loop.id, runtime, (open) => metricsOf(open.journal.read(0).events)) ?? [];
  if (json) sayJson(metrics);
  else if (metrics.length === 0) say(`No stop hook of loop ${picked.loop.id} has been asked yet.`);
  else say(...metricsTable(metrics));
  return EXIT.ok;
}

function metricsTable(metrics: readonly MetricsReport[]): string[] {
  return table([
    ['HOOK', 'ASKED', 'COMPLETE', 'CONTINUE', 'ESCALATE', 'ABSTAINED', 'FAILED', 'LONGEST', 'RIGHT'].map(
      (word) => paint.dim(word),
    ),
    ...metrics.map((one) => [
      oneLine(one.hook, 60),
      String(one.asked),
      String(one.verdicts.complete),
      String(one.verdicts.continue),
      String(one.verdicts.escalate),
      String(one.abstained),
      String(one.failed + one.timedOut),
      `${one.longestMs} ms`,
      one.accuracy === null ? '-' : `${Math.round(one.accuracy * 100)} %`,
    ]),
  ]);
}
