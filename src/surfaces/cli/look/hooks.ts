/**
 * `dacapo hooks`: the user's own stop hooks, as data, and what a loop's hooks did. `dacapo checkpoints`: what
 * they saved.
 */
import { oneLine } from '#base/words/sanitize.ts';
import { hooksOf } from '#law/gates.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { StoredHook } from '#store/store.ts';
import { HookSpecError } from '#surfaces/stop-hooks/spec.ts';
import { fromSpec } from '#surfaces/stop-hooks/from-spec.ts';
import { createRegistry, type StopHookRegistry } from '#surfaces/stop-hooks/registry.ts';
import { withLoop } from '#engine/look/loops.ts';
import { refuseToAgents } from '#engine/trust/people-only.ts';
import { fail, failFor, headedTable, reply, failUsage } from '../terminal/terminal.ts';
import { metricsOf } from './hook-metrics.ts';
import { pickNewest, here } from '../context.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { readCheckpoints } from '#evidence/proofs/stop-hooks/checkpoints.ts';
import { checkpointField } from '#telling/agent/to-agent.ts';
import { ago } from '#telling/time.ts';

type HooksOptions = GivenFlags<'metrics' | 'json', 'action' | 'what' | 'loop' | 'name'>;

const ACTIONS = ['list', 'add', 'enable', 'disable', 'remove'];

export async function runHooks(options: HooksOptions, { runtime }: CommandCall): Promise<number> {
  const { action = 'list', metrics, loop, json } = options;
  if (!ACTIONS.includes(action))
    return failUsage(
      `dacapo hooks has no action ${JSON.stringify(action.slice(0, 40))}.`,
      `use one of: ${ACTIONS.join(', ')}.`,
    );
  if (metrics) return showMetrics(loop, json, runtime);
  const owner = loop === undefined ? null : pickNewest(loop, { verb: 'hooks' }, runtime);
  if (typeof owner === 'number') return owner;
  const stored = runtime.store.hooks.read();
  if (!stored.ok) return fail(`${stored.why}.`, 'fix it, or delete it.');
  if (action === 'list') return list(stored.hooks, owner?.id ?? here(), json);
  const refusal = refuseToAgents(`dacapo hooks ${action}`, runtime.env);
  return refusal === null ? change(options, owner, stored.hooks, runtime) : failFor(refusal);
}

function list(stored: readonly StoredHook[], task: string, json: boolean): number {
  const hooks = stored.filter(({ taskId }) => taskId === task);
  const none =
    'No stop hooks of your own here. dacapo hooks add \'{"type": "max-files", "files": 20}\' adds one.';
  const rows = hooks.map(({ id, enabled, spec }) => [
    id,
    enabled ? 'yes' : 'no',
    oneLine(JSON.stringify(spec), 300),
  ]);
  return reply(json, hooks, ...(hooks.length === 0 ? [none] : headedTable(['ID', 'ENABLED', 'HOOK'], rows)));
}

function change(
  { action, what, name, json }: HooksOptions,
  loop: Loop | null,
  stored: readonly StoredHook[],
  runtime: Runtime,
): number {
  if (what === undefined)
    return failUsage(
      `dacapo hooks ${action} needs ${action === 'add' ? 'a hook' : 'the id of a hook'}.`,
      action === 'add'
        ? 'dacapo hooks add \'{"type": "tdd", "rule": "tests"}\''
        : 'dacapo hooks list shows them.',
    );
  if (action === 'add' && loop !== null && (hasEnded(loop) || hooksOf(loop.frame) === null))
    return fail(
      `loop ${loop.id} ${hasEnded(loop) ? 'has ended' : 'was started without stop hooks, so it asks none'}.`,
      'add the hook to the project, and start a new loop.',
    );
  const task = loop?.id ?? here();
  const registry = createRegistry();
  try {
    registry.restore(stored);
    const id = action === 'add' ? addHook(registry, what, name, task) : what;
    const done = CHANGES[action ?? ''];
    if (done?.make(registry, id) === false)
      return fail(
        `there is no stop hook ${JSON.stringify(oneLine(id, 80))}.`,
        'dacapo hooks list shows them.',
      );
    const tasks = new Set([...stored.map(({ taskId }) => taskId), task]);
    runtime.store.hooks.write(
      [...tasks].flatMap((one) => registry.save(one).map((hook) => ({ ...hook, spec: { ...hook.spec } }))),
    );
    const added = `added: ${loop === null ? 'loops that begin here ask' : 'this loop asks'} it`;
    return reply(json, { id, action }, `Stop hook ${id} is ${done?.word ?? added}.`);
  } catch (error) {
    if (error instanceof HookSpecError)
      return failUsage(error.message, 'docs/stop-hooks.md lists the types.');
    if (error instanceof SyntaxError)
      return failUsage(`that is not JSON: ${error.message}`, 'put it in single quotes.');
    throw error;
  }
}

type Change = (registry: StopHookRegistry, id: string) => boolean;

const CHANGES: Readonly<Record<string, { readonly word: string; readonly make: Change }>> = {
  enable: { word: 'enabled', make: (registry, id) => registry.enable(id) },
  disable: { word: 'disabled', make: (registry, id) => registry.disable(id) },
  remove: { word: 'removed', make: (registry, id) => registry.unregister(id) },
};

function addHook(registry: StopHookRegistry, data: string, name: string | undefined, taskId: string): string {
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
  const loop = pickNewest(wanted, { verb: 'hooks', flags: ['--metrics'] }, runtime);
  if (typeof loop === 'number') return loop;
  const metrics = withLoop(loop.id, runtime, (open) => metricsOf(open.journal.read(0).events)) ?? [];
  const none = `No stop hook of loop ${loop.id} has been asked yet.`;
  const heading = 'HOOK ASKED COMPLETE CONTINUE ESCALATE ABSTAINED FAILED LONGEST RIGHT'.split(' ');
  const rows = metrics.map(({ hook, asked, verdicts, abstained, failed, timedOut, longestMs, accuracy }) => [
    oneLine(hook, 60),
    ...[asked, verdicts.complete, verdicts.continue, verdicts.escalate].map(String),
    ...[abstained, failed + timedOut].map(String),
    `${longestMs} ms`,
    accuracy === null ? '-' : `${Math.round(accuracy * 100)} %`,
  ]);
  return reply(json, metrics, ...(metrics.length === 0 ? [none] : headedTable(heading, rows)));
}

const MAX_FIELD_CHARS = 120;

export async function runCheckpoints(
  { id, json }: GivenFlags<'json', 'id'>,
  { runtime }: CommandCall,
): Promise<number> {
  const loop = pickNewest(id, { verb: 'checkpoints' }, runtime);
  if (typeof loop === 'number') return loop;
  const kept = withLoop(loop.id, runtime, (open) => readCheckpoints(open.blobs)) ?? [];
  const rows = kept.map((one, index) => [
    String(index + 1),
    String(one.iteration),
    ago(one.at, runtime.now()),
    oneLine(one.hook, MAX_FIELD_CHARS),
    oneLine(checkpointField(one, 'executionPhase'), MAX_FIELD_CHARS),
    oneLine(checkpointField(one, 'executionStep'), MAX_FIELD_CHARS),
  ]);
  const lines = [
    ...headedTable(['', 'ITERATION', 'WHEN', 'HOOK', 'PHASE', 'STEP'], rows),
    '',
    `dacapo resume ${loop.id} --checkpoint N continues from one of them.`,
  ];
  const numbered = kept.map((one, index) => ({ number: index + 1, ...one }));
  return reply(json, numbered, ...(kept.length === 0 ? [`Loop ${loop.id} has no checkpoints.`] : lines));
}
