/** What a person does on the page. Each is an operation, with the page as the actor. */
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Actor } from '../../core/record/events.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { textAt, errorMessage } from '../../core/shape.ts';
import { chosenHost, hostOf } from '../../hosts/adapters.ts';
import type { HostAdapter } from '../../hosts/command-line.ts';
import type { LoopIndex } from '../../live/loop-index.ts';
import { beginRun, continueRun, type RunHost, type RunReady } from '../../operations/begin/run.ts';
import { answer, type AnswerOrder } from '../../operations/requests/answer.ts';
import { cancel } from '../../operations/steer/control.ts';
import { pause, steer } from '../../operations/steer/steer.ts';
import { resume, type CarriedOn } from '../../operations/steer/resume.ts';
import { withLoop } from '../../operations/look/loops.ts';
import { actorOf, HAND_VARIABLE, refuseToAgents } from '../../operations/trust/people-only.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import type { Done } from '../wire.ts';
import { partsOf } from './request.ts';
import { readForm } from './start-form.ts';

/** The page gives no new limits. */
const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };

/**
 * Checks may take minutes before there is a loop, and a busy machine seconds before a process drives it. Nobody waits
 * that long for an answer.
 */
const PATIENCE_MS = 12_000;
const LOOK_MS = 150;

export type Acted = ({ readonly ok: true } & Done) | Refusal;
type Body = Readonly<Record<string, unknown>>;

export type Actions = ReturnType<typeof makeActions>;

interface ActionsOn {
  readonly index: LoopIndex;
  readonly cli: string;
  readonly projects: () => readonly string[];
}

const LATE: Acted = {
  ok: true,
  says: 'Starting. The checks run once first; the loop shows up when they are through. Keep dacapo ui open until then.',
  card: null,
};

/** A map, because the name comes from the address: an object would also know `__proto__`. */
const ANSWERS: ReadonlyMap<string, GivenAnswer> = new Map([
  ['approve', { answer: 'approved', says: 'Approved. The loop continues.' }],
  ['reject', { answer: 'rejected', says: 'Rejected. The agent is told.' }],
  ['answer', { answer: 'text', says: 'Answered. The loop continues.' }],
]);

type GivenAnswer = Pick<AnswerOrder, 'answer'> & Pick<Done, 'says'>;

export function makeActions({ index, cli, projects }: ActionsOn, runtime: Runtime) {
  const by: Actor = actorOf(runtime.env) === 'agent' ? 'agent' : 'page';
  const choice = (id: string) => ({ id, root: '' });
  const done = (id: string, says: string): Acted => ({ ok: true, says, card: index.card(id) });
  const told = (result: { readonly ok: true } | Refusal, id: string, says: string): Acted =>
    result.ok ? done(id, says) : result;
  const resumeIt = async (id: string): Promise<Acted> => {
    const order = { ...choice(id), by, limits: NO_LIMITS, checkpoint: undefined, acceptChanges: false };
    const resumed = resume(order, runtime);
    if (!resumed.ok) return resumed;
    if (resumed.carriedOn.by === 'run') return runOn(resumed.loop);
    return done(id, sayCarriedOn(resumed.carriedOn, resumed.loop));
  };
  const findHost = ({ program, headless }: HostAdapter): ({ readonly ok: true } & RunHost) | Refusal => {
    const found = program.find(runtime.env);
    if (!found.ok) return refuse('no-host', found.message, found.next);
    return { ok: true, host: headless, program: found.program };
  };
  /** A loop of `dacapo run` needs a process that drives it. */
  const driven = async ({ open, warnings, notes }: RunReady, says: string): Promise<Acted> => {
    const { id, project } = open.loop();
    open.close();
    const refusal = await launch(id, project, cli, runtime);
    return refusal ?? done(id, [says, ...[...notes, ...warnings].map((text) => `Note: ${text}`)].join('\n'));
  };
  const runOn = async (loop: Loop): Promise<Acted> => {
    const { id } = loop;
    const on = findHost(hostOf(loop));
    if (!on.ok) return on;
    const begun = continueRun({ choice: choice(id), planned: null, by, on }, runtime);
    return begun.ok ? driven(begun, 'Goes on, in a process of its own.') : begun;
  };
  /** Until its loop is made, a start ends with the server. */
  const closing = new AbortController();
  const starts = new Set<Promise<unknown>>();
  const startIt = async (body: Body): Promise<Acted> => {
    const host = chosenHost();
    const form = readForm(body, projects(), host.headless.permissionModes);
    if (!form.ok) return form;
    const on = findHost(host);
    if (!on.ok) return on;
    const begun = await beginRun({ ...form, by, on }, { ...runtime, stopped: closing.signal });
    return begun.ok ? driven(begun, 'Started. It continues when you close this page.') : begun;
  };

  const start = async (body: Body): Promise<Acted> => {
    const refusal = refuseToAgents('Starting a loop', runtime.env);
    if (refusal !== null) return refusal;
    const started = startIt(body);
    const over = started.then((acted) => (acted.ok ? null : `${acted.message} ${acted.next}`), errorMessage);
    starts.add(over);
    void over.then(() => starts.delete(over));
    const acted = await Promise.race([started, setTimeout(PATIENCE_MS, LATE, { ref: false })]);
    if (acted === LATE) void over.then((why) => why !== null && runtime.log(`ui: ${why}`));
    return acted;
  };

  const onLoop = new Map<string, (id: string, body: Body) => Acted | Promise<Acted>>([
    ['pause', (id) => told(pause(choice(id), by, runtime), id, 'Paused. No further iteration begins.')],
    ['cancel', (id) => told(cancel(choice(id), by, runtime), id, 'Cancelled.')],
    ['resume', resumeIt],
    [
      'steer',
      (id, body) =>
        told(
          steer({ ...choice(id), words: textAt(body, 'words'), by }, runtime),
          id,
          'The agent reads this in its next iteration.',
        ),
    ],
  ]);
  const answerTo = (id: string, { answer: given, says }: GivenAnswer, body: Body): Acted => {
    const answered = answer({ id, answer: given, note: textAt(body, 'words'), by: 'page' }, runtime);
    return answered.ok ? done(answered.loop.id, says) : answered;
  };
  return {
    /** Null: there is no such action. */
    act: async (path: string, body: Body): Promise<Acted | null> => {
      if (path === '/api/loops') return start(body);
      const [request, how = ''] = partsOf(path, 'requests');
      const given = ANSWERS.get(how);
      if (request !== undefined && given !== undefined) return answerTo(request, given, body);
      const [id, what = ''] = partsOf(path);
      const act = onLoop.get(what);
      if (id === undefined || act === undefined) return null;
      return index.card(id) === null
        ? refuse('no-loop', `There is no loop ${id}.`, 'Reload the page.')
        : act(id, body);
    },
    /** Ends the starts that have no loop yet. */
    close: async (): Promise<void> => {
      closing.abort();
      await Promise.all(starts);
    },
  };
}

function sayCarriedOn(carriedOn: Exclude<CarriedOn, { by: 'run' }>, loop: Loop): string {
  switch (carriedOn.by) {
    case 'nobody':
      return hasEnded(loop) ? `It ${sayStatus(loop)}.` : 'Goes on.';
    case 'its-run':
      return 'Goes on at once, in the terminal that runs it.';
    case 'prompt':
      return 'Open. It begins when a session gets its prompt first.';
    case 'open-session':
      return 'Open. Any prompt in its session continues it.';
    case 'session': {
      const { word, program } = hostOf(loop);
      return `Open. Continue it in its session: ${word} ${program.resumeSession(carriedOn.session).join(' ')}`;
    }
  }
}

/**
 * Starts `dacapo run --loop ID`, as a process of its own: it drives the loop, and goes on when the page and its server
 * are gone. Null: it drives the loop.
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
  for (let waited = 0; waited < PATIENCE_MS && !isOwned(); waited += LOOK_MS) {
    if (ended !== null)
      return refuse(
        'not-driven',
        `The process that drives loop ${loop} ended at once (${String(ended)}).`,
        `dacapo run --loop ${loop} in a terminal shows why.`,
      );
    await setTimeout(LOOK_MS);
  }
  return null;
}
