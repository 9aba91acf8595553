/** What a person does on the page. Each is an operation, with the page as the actor. */
import { setTimeout } from 'node:timers/promises';
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Actor } from '../../core/record/events.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { textAt } from '../../core/shape.ts';
import { errorMessage } from '../../core/thrown.ts';
import { chosenHost, hostOf } from '../../hosts/adapters.ts';
import type { HostAdapter } from '../../hosts/command-line.ts';
import type { LoopIndex } from '../../live/loop-index.ts';
import { beginRun, continueRun, type RunHost, type RunReady } from '../../operations/begin/run.ts';
import { answer, type AnswerOrder } from '../../operations/requests/answer.ts';
import { cancel } from '../../operations/steer/cancel.ts';
import { pause, steer } from '../../operations/steer/steer.ts';
import { resume, type CarriedOn } from '../../operations/steer/resume.ts';
import { actorOf, refuseToAgents } from '../../operations/trust/people-only.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import type { Done } from '../wire.ts';
import { launch } from './launch.ts';
import { readForm } from './start-form.ts';

/** The page gives no new limits. */
const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };

/** Checks may take minutes before there is a loop. Nobody waits that long for an answer. */
const PATIENCE_MS = 12_000;

export type Acted = ({ readonly ok: true } & Done) | Refusal;
type Body = Readonly<Record<string, unknown>>;

export interface Actions {
  readonly onLoop: (what: string, id: string, body: Body) => Promise<Acted> | null;
  /** `how`: `approve`, `reject` or `answer`. */
  readonly onRequest: (how: string, id: string, body: Body) => Acted | null;
  readonly start: (body: Body) => Promise<Acted>;
  /** Ends the starts that have no loop yet. */
  readonly close: () => Promise<void>;
}

export interface ActionsOn {
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
const ANSWERS: ReadonlyMap<string, { readonly answer: AnswerOrder['answer']; readonly says: string }> =
  new Map([
    ['approve', { answer: 'approved', says: 'Approved. The loop continues.' }],
    ['reject', { answer: 'rejected', says: 'Rejected. The agent is told.' }],
    ['answer', { answer: 'text', says: 'Answered. The loop continues.' }],
  ]);

export function makeActions({ index, cli, projects }: ActionsOn, runtime: Runtime): Actions {
  const by: Actor = actorOf(runtime.env) === 'agent' ? 'agent' : 'page';
  const choice = (id: string) => ({ id, root: '' });
  const done = (id: string, says: string): Acted => ({ ok: true, says, card: index.card(id) });
  const refuseUnknown = (id: string): Refusal | null =>
    index.card(id) === null ? refuse('no-loop', `There is no loop ${id}.`, 'Reload the page.') : null;

  const pauseIt = (id: string): Acted => {
    const paused = pause(choice(id), by, runtime);
    return paused.ok ? done(id, 'Paused. No further iteration begins.') : paused;
  };
  const cancelIt = (id: string): Acted => {
    const cancelled = cancel(choice(id), by, runtime);
    return cancelled.ok ? done(id, 'Cancelled.') : cancelled;
  };
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
    const refusal = await launch({ loop: id, folder: project, cli }, runtime);
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

  const steerIt = (id: string, words: string): Acted => {
    const steered = steer({ ...choice(id), words, by }, runtime);
    return steered.ok ? done(id, 'The agent reads this in its next iteration.') : steered;
  };

  return {
    onRequest: (how, id, body) => {
      const given = ANSWERS.get(how);
      if (given === undefined) return null;
      const answered = answer({ id, answer: given.answer, note: textAt(body, 'words'), by: 'page' }, runtime);
      return answered.ok ? done(answered.loop.id, given.says) : answered;
    },
    onLoop: (what, id, body) => {
      switch (what) {
        case 'pause':
          return Promise.resolve(refuseUnknown(id) ?? pauseIt(id));
        case 'cancel':
          return Promise.resolve(refuseUnknown(id) ?? cancelIt(id));
        case 'resume':
          return Promise.resolve(refuseUnknown(id) ?? resumeIt(id));
        case 'steer':
          return Promise.resolve(refuseUnknown(id) ?? steerIt(id, textAt(body, 'words')));
        default:
          return null;
      }
    },
    start: async (body) => {
      const refusal = refuseToAgents('Starting a loop', runtime.env);
      if (refusal !== null) return refusal;
      const started = startIt(body);
      const over = started.then(
        (acted) => (acted.ok ? null : `${acted.message} ${acted.next}`),
        errorMessage,
      );
      starts.add(over);
      void over.then(() => starts.delete(over));
      const acted = await Promise.race([started, setTimeout(PATIENCE_MS, LATE, { ref: false })]);
      if (acted === LATE) void over.then((why) => why !== null && runtime.log(`ui: ${why}`));
      return acted;
    },
    close: async () => {
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
