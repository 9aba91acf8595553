/** What a person does on the page. Each is an operation, with the page as the actor. */
import { inWords } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { hasEnded, type Loop } from '#law/loop.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { errorMessage, oneOf, textAt } from '#base/shape.ts';
import { chosenHost, hostOf } from '#hosts/tables/adapters.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { findProgram } from '#hosts/port/program.ts';
import type { LoopIndex } from '#engine/look/loop-index.ts';
import { beginRun, continueRun, type RunHost, type RunReady } from '#engine/begin/run.ts';
import type { AnswerOrder } from '#engine/requests/answer.ts';
import { applyAction, type LoopAction, type ActionPort } from '#engine/steer/actions.ts';
import type { CarriedOn } from '#engine/steer/resume.ts';
import { withLoop } from '#engine/look/loops.ts';
import { actorOf, HAND_VARIABLE, refuseToAgents } from '#engine/trust/people-only.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus } from '#telling/person/status.ts';
import type { ActionDone } from '../wire.ts';
import { partsOf } from './request.ts';
import { readForm } from './start-form.ts';

/**
 * Checks may take minutes before there is a loop, and a busy machine seconds before a process drives it.
 * Nobody waits that long for an answer.
 */
const PATIENCE_MS = 12_000;
const OWNER_POLL_MS = 150;

export type ActedOnPage = Granted<ActionDone>;
type Body = Readonly<Record<string, unknown>>;

export type Actions = ReturnType<typeof makeActions>;

interface ActionsOn {
  /** Left out: the loops are of this machine. */
  readonly fleetActions: ActionPort | undefined;
  readonly index: LoopIndex;
  readonly cli: string;
  readonly projects: () => readonly string[];
}

const LATE: ActedOnPage = {
  ok: true,
  says:
    'Starting. The checks run once first; the loop shows up when they are through. Keep dacapo ui open ' +
    'until then.',
  card: null,
};

/** A map, because the name comes from the address: an object would also know `__proto__`. */
const ANSWERS: ReadonlyMap<string, readonly [answer: AnswerOrder['answer'], says: string]> = new Map([
  ['approve', ['approved', 'Approved. The loop continues.']],
  ['reject', ['rejected', 'Rejected. The agent will be told.']],
  ['answer', ['text', 'Answered. The loop continues.']],
]);
const isAct = oneOf('pause', 'cancel', 'resume', 'steer');
const ACTED = {
  pause: 'Paused. No further iteration begins.',
  cancel: 'Cancelled.',
  resume: 'Resumed. The next free worker takes it.',
  steer: 'The agent reads this in its next iteration.',
};

export function makeActions({ fleetActions, index, cli, projects }: ActionsOn, runtime: Runtime) {
  const by = actorOf(runtime.env) === 'agent' ? 'agent' : 'page';
  const done = (id: string, says: string): ActedOnPage => ({ ok: true, says, card: index.card(id) });
  /** A loop of `dacapo run` needs a process that drives it. */
  const driven = async ({ open, warnings, notes }: RunReady, says: string): Promise<ActedOnPage> => {
    const { id, project } = open.loop();
    open.close();
    const refusal = await launch(id, project, cli, runtime);
    return refusal ?? done(id, [says, ...[...notes, ...warnings].map((text) => `Note: ${text}`)].join('\n'));
  };
  const runOn = async (loop: Loop): Promise<ActedOnPage> => {
    const on = findHost(hostOf(loop), runtime);
    if (!on.ok) return on;
    const begun = continueRun({ choice: { id: loop.id, root: '' }, planned: null, by, on }, runtime);
    return begun.ok ? driven(begun, 'Resumed, in a process of its own.') : inWords(begun, inTerminal);
  };
  const startIt = async (body: Body, stopped: AbortSignal): Promise<ActedOnPage> => {
    const host = chosenHost();
    const form = readForm(body, projects(), host.headless.permissionModes);
    if (!form.ok) return form;
    const on = findHost(host, runtime);
    if (!on.ok) return on;
    const begun = await beginRun({ ...form, by, on }, { ...runtime, stopped });
    if (!begun.ok) return inWords(begun, inTerminal);
    return driven(begun, 'Started. It continues when you close this page.');
  };

  const starts = openStarts(startIt, runtime);
  const actOn = async (id: string, act: LoopAction, says: string): Promise<ActedOnPage> => {
    const wish = { ...act, by } as const;
    const acted = fleetActions === undefined ? applyAction(id, wish, runtime) : await fleetActions(id, wish);
    if (!acted.ok) return inWords(acted, inTerminal);
    const { carriedOn } = acted;
    if (carriedOn?.by === 'run') return runOn(carriedOn.loop);
    return done(acted.id, carriedOn === undefined ? says : sayCarriedOn(carriedOn, carriedOn.loop));
  };
  return {
    act: async (path: string, body: Body): Promise<ActedOnPage | null> => {
      if (path === '/api/loops') return fleetActions === undefined ? starts.start(body) : STARTS_NONE;
      const words = textAt(body, 'words');
      const [id, is, request, how = ''] = partsOf(path);
      const [answer, answered = ''] = is === 'requests' ? (ANSWERS.get(how) ?? []) : [];
      if (id === undefined || !(answer !== undefined || isAct(is))) return null;
      if (index.card(id) === null) return refuse('no-loop', `There is no loop ${id}.`, 'Reload the page.');
      if (answer !== undefined)
        return actOn(id, { is: 'answer', request: request ?? '', answer, note: words }, answered);
      return isAct(is) ? actOn(id, is === 'steer' ? { is, words } : { is }, ACTED[is]) : null;
    },
    close: starts.close,
  };
}

/** Starts that are under way. Until its loop is made, a start ends with the server. */
function openStarts(
  startIt: (body: Body, stopped: AbortSignal) => Promise<ActedOnPage>,
  { env, log }: Runtime,
) {
  const closing = new AbortController();
  const starts = new Set<Promise<unknown>>();
  const start = async (body: Body): Promise<ActedOnPage> => {
    const refusal = refuseToAgents('Starting a loop', env);
    if (refusal !== null) return refusal;
    const started = startIt(body, closing.signal);
    const over = started.then((acted) => (acted.ok ? null : `${acted.message} ${acted.next}`), errorMessage);
    starts.add(over);
    void over.then(() => starts.delete(over));
    const acted = await Promise.race([started, setTimeout(PATIENCE_MS, LATE, { ref: false })]);
    if (acted === LATE) void over.then((why) => why !== null && log(`ui: ${why}`));
    return acted;
  };
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all(starts);
  };
  return { start, close };
}

function findHost(host: HostAdapter, { env }: Runtime): Granted<RunHost> {
  const found = findProgram(host, env);
  return found.ok ? { ok: true, host: host.headless, program: found.program } : found;
}

const STARTS_NONE = refuse(
  'fleet',
  'The page starts no loops in a fleet.',
  'dacapo fleet submit "PROMPT" --repo URL --ref REF gives it one.',
);

const CARRIED_ON = {
  'its-run': 'Resumed. The terminal that runs it continues at once.',
  prompt: 'Open. It begins when a session gets its prompt first.',
  'open-session': 'Open. Any prompt in its session continues it.',
};

function sayCarriedOn(carriedOn: Exclude<CarriedOn, { by: 'run' }>, loop: Loop): string {
  if (carriedOn.by === 'nobody') return hasEnded(loop) ? `It ${sayStatus(loop)}.` : 'Resumed.';
  if (carriedOn.by !== 'session') return CARRIED_ON[carriedOn.by];
  return `Open. In a terminal, dacapo resume ${loop.id} opens its session.`;
}

/**
 * Starts `dacapo run --loop ID`, as a process of its own: it drives the loop, and goes on when the page and
 * its server are gone. Null: it drives the loop.
 */
async function launch(loop: string, folder: string, cli: string, runtime: Runtime): Promise<Refusal | null> {
  const child = spawn(process.execPath, [cli, 'run', '--loop', loop, '--quiet'], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { ...runtime.env, [HAND_VARIABLE]: 'page' },
    windowsHide: true,
  });
  child.unref();
  const isOwned = () =>
    withLoop(loop, runtime, (open) => open.loop().session.owner?.process === child.pid) ?? false;
  let ended: string | null = null;
  child.on('exit', (code, signal) => (ended = signal ?? `exit code ${code ?? 0}`));
  child.on('error', ({ message }) => (ended = message));
  for (let waited = 0; waited < PATIENCE_MS && !isOwned(); waited += OWNER_POLL_MS) {
    if (ended !== null)
      return refuse(
        'not-driven',
        `The process that drives loop ${loop} ended at once (${String(ended)}).`,
        `dacapo run --loop ${loop} in a terminal shows why.`,
      );
    await setTimeout(OWNER_POLL_MS);
  }
  return null;
}
