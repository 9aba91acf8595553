/**
 * Starts a run of a task: a loop, with the hooks and rules of the task. In a session its stop hook enforces
 * it.
 */
import { USUAL_PROMISE } from '#law/gates.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { readStartFields } from '#input/arguments.ts';
import { startForTool, type ToolStart, type ToolStarted } from '#engine/agent/start-for-tool.ts';
import { readRules, type ValidationRule } from '#input/config/validation-rules.ts';
import { withLoop } from '#engine/look/loops.ts';
import { readOwnRules } from '#engine/agent/validation-rules.ts';
import { cancelLoop } from '#engine/steer/control.ts';
import { refuseUnknown } from '#engine/trust/trust.ts';
import { realPath } from '#base/files/paths.ts';
import type { Runtime } from '#store/runtime.ts';
import { isSpec, looksAtFiles } from '../stop-hooks/spec.ts';
import { carryPhase } from './checkpoints.ts';
import { newId, type Task } from './record.ts';
import { addTo, findTask, liveRun, openTask, refuseBlocked } from './task.ts';

/** Promises that end a run undone. They always count, so they need no gate. */
const DISTRESS = new Set(['BLOCKED', 'ESCALATE', 'STUCK', 'UNVERIFIABLE']);
/** As `loop_start` allows. */
const MAX_NAME_CHARS = 80;
/** Hooks that can say complete. The others only watch. */
const DECIDING = new Set<unknown>(['default', 'validation', 'promise', 'tdd', 'security']);

export interface RunOrder extends Pick<ToolStart, 'project' | 'host' | 'session' | 'mcp'> {
  readonly taskId: string;
  readonly maxIterations?: number;
  readonly completionPromises?: readonly string[];
  /** As the agent gives them: they are read strictly. */
  readonly validationRules?: unknown;
}

type RunStarted = ToolStarted & { readonly run: string };

export async function startRun(order: RunOrder, runtime: Runtime): Promise<RunStarted | Refusal> {
  const found = openTask(order.taskId, runtime);
  if (!found.ok) return found;
  const { task } = found;
  const taken =
    refuseSecond(task, runtime) ?? refuseBlocked(task, runtime) ?? refuseElsewhere(task, order.project);
  if (taken !== null) return taken;
  const read = readRules(order.validationRules ?? []);
  if (!read.ok) return read;
  const { rules } = read;
  const forbidden = await refuseCommands(rules, order.project, runtime);
  if (forbidden !== null) return forbidden;
  const request = requestFor(task, order, rules.length > 0);
  if (!request.ok) return request;
  const hooks = task.hooks.map((hook) => ({ ...hook, taskId: task.id }));
  const files = hooks.some(({ spec }) => isSpec(spec) && looksAtFiles(spec));
  const own = { hooks, rules, files, task: task.id };
  const { project, host, session, mcp } = order;
  const started = await startForTool({ request, project, host, session, own, mcp }, runtime);
  return started.ok ? recordRun(task, started, runtime) : started;
}

/** A live run keeps its limits, so a second one is never a way to raise them. */
function refuseSecond(task: Task, runtime: Runtime): Refusal | null {
  const live = liveRun(task, runtime);
  if (live === null) return null;
  return refuse(
    'already-running',
    `Task ${task.id} is being worked on already, in ${live.run}.`,
    'Continue with that one: iteration_validate, then iteration_next or iteration_complete. Its ' +
      'limits stay as they are.',
  );
}

function refuseElsewhere(task: Task, project: string): Refusal | null {
  if (realPath(task.project) === realPath(project)) return null;
  const next = 'Start it from a server in that project, or make a task here: task_create.';
  return refuse('another-project', `Task ${task.id} belongs to another project.`, next);
}

/** Nobody is asked before rules run, so an agent brings no command: a person wrote down what is run. */
async function refuseCommands(rules: readonly ValidationRule[], project: string, runtime: Runtime) {
  const named = rules.flatMap((rule) => (rule.type === 'command' ? rule.command : []));
  if (named.length === 0) return null;
  const own = readOwnRules(runtime.store);
  if (!own.ok) return { ...own, next: `Ask a person to fix it. ${own.next}` };
  const unknown = named.filter((command) => !own.commands.includes(command));
  return refuseUnknown(unknown, project, runtime, ', or to rules.commands of their own config');
}

function requestFor(task: Task, { completionPromises, maxIterations }: RunOrder, hasRules: boolean) {
  const wanted = completionPromises?.filter((promise) => !DISTRESS.has(promise));
  if (wanted !== undefined && wanted.length !== 1)
    return refuse(
      'bad-promises',
      `${wanted.length === 0 ? 'None' : 'More than one'} of the completionPromises says that the ` +
        'task is done.',
      `Give exactly one beside BLOCKED and ESCALATE, for example ["${USUAL_PROMISE}", "BLOCKED"].`,
    );
  const { title, description, hooks } = task;
  const prompt = description.trim() === '' ? title : `${title}\n\n${description}`;
  const name = oneLine(title, MAX_NAME_CHARS);
  const parsed = readStartFields(prompt, { name, maxIterations, promise: wanted?.[0] });
  // Without promises, rules or a hook that can say complete are the gate.
  const decides = hasRules || hooks.some(({ enabled, spec }) => enabled && DECIDING.has(spec['type']));
  if (!parsed.ok || wanted !== undefined || !decides) return parsed;
  return { ...parsed, promise: null, promiseByDefault: false };
}

/**
 * Of two runs that begin at once, the first line in the log counts. The other one ends before it has begun.
 */
function recordRun(task: Task, started: ToolStarted, runtime: Runtime): RunStarted | Refusal {
  const at = runtime.now();
  const run = newId('IT', at);
  const loop = started.loop.id;
  runtime.store.tasks.make(run, { type: 'run', at, task: task.id, loop });
  addTo(task.id, { type: 'begun', at, run, loop }, runtime);
  const now = findTask(task.id, runtime);
  const refusal = now.ok && liveRun(now.task, runtime)?.run !== run ? refuseSecond(now.task, runtime) : null;
  withLoop(loop, runtime, (open) =>
    refusal === null ? carryPhase(task, open, runtime) : cancelLoop(open, 'mcp', null, runtime),
  );
  return refusal ?? { ...started, run };
}
