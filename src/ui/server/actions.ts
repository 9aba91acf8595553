/** What a person does on the page. Each is an operation, with the page as the hand that did it. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { By } from '../../core/record/events.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { textAt } from '../../core/shape.ts';
import { HOST } from '../../hosts/default-host.ts';
import { DEFAULT_WORD } from '../../hosts/names.ts';
import type { LoopIndex } from '../../live/loop-index.ts';
import { answer, type AnswerOrder } from '../../operations/requests/answer.ts';
import { cancel } from '../../operations/steer/cancel.ts';
import { pause } from '../../operations/steer/pause.ts';
import { resume, type CarriedOn } from '../../operations/steer/resume.ts';
import { steer } from '../../operations/steer/steer.ts';
import { handOf, refuseToAgents } from '../../operations/trust/people-only.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import type { Done } from '../wire.ts';
import { launch } from './launch.ts';
import { startWords } from './start-form.ts';

/** The page gives no new limits. */
const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };

export type Acted = ({ readonly ok: true } & Done) | Refusal;
type Body = Readonly<Record<string, unknown>>;

export interface Actions {
  /** Null: there is no such action. */
  readonly onLoop: (what: string, id: string, body: Body) => Promise<Acted> | null;
  /** `how`: `approve`, `reject` or `answer`. */
  readonly onRequest: (how: string, id: string, body: Body) => Acted | null;
  readonly start: (body: Body) => Promise<Acted>;
}

export interface ActionsOn {
  readonly index: LoopIndex;
  readonly cli: string;
  readonly projects: () => readonly string[];
}

/** A map, because the name comes from the address: an object would also know `__proto__`. */
const ANSWERS: ReadonlyMap<string, { readonly answer: AnswerOrder['answer']; readonly says: string }> =
  new Map([
    ['approve', { answer: 'approved', says: 'Approved. The loop continues.' }],
    ['reject', { answer: 'rejected', says: 'Rejected. The agent is told.' }],
    ['answer', { answer: 'text', says: 'Answered. The loop continues.' }],
  ]);

export function makeActions({ index, cli, projects }: ActionsOn, world: Runtime): Actions {
  const by: By = handOf(world.env) === 'agent' ? 'agent' : 'page';
  const choice = (id: string) => ({ id, root: '' });
  const done = (id: string, says: string): Acted => ({ ok: true, says, card: index.card(id) });
  const refuseUnknown = (id: string): Refusal | null =>
    index.card(id) === null ? refuse('no-loop', `There is no loop ${id}.`, 'Reload the page.') : null;

  const pauseIt = (id: string): Acted => {
    const paused = pause(choice(id), by, world);
    return paused.ok ? done(id, 'Paused. No further iteration begins.') : paused;
  };
  const cancelIt = (id: string): Acted => {
    const cancelled = cancel(choice(id), by, world);
    return cancelled.ok ? done(id, 'Cancelled.') : cancelled;
  };
  const resumeIt = async (id: string): Promise<Acted> => {
    const order = { ...choice(id), by, limits: NO_LIMITS, checkpoint: undefined, acceptChanges: false };
    const resumed = resume(order, world);
    if (!resumed.ok) return resumed;
    if (resumed.carriedOn.by === 'run') return runOn(resumed.loop);
    return done(id, sayCarriedOn(resumed.carriedOn, resumed.loop));
  };
  /** A loop of `dacapo run` needs a process that drives it. */
  const runOn = async ({ id, project }: Loop): Promise<Acted> => {
    const seen = () => (index.card(id)?.status === 'running' ? id : null);
    const launched = await launch({ words: ['--loop', id], prompt: null, folder: project, cli, seen }, world);
    return launched.ok ? done(id, 'Goes on, in a process of its own.') : launched;
  };

  const steerIt = (id: string, words: string): Acted => {
    const steered = steer({ ...choice(id), words, by }, world);
    return steered.ok ? done(id, 'The agent reads this in its next iteration.') : steered;
  };

  return {
    onRequest: (how, id, body) => {
      const given = ANSWERS.get(how);
      if (given === undefined) return null;
      const answered = answer({ id, answer: given.answer, note: textAt(body, 'words'), by: 'page' }, world);
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
      const refusal = refuseToAgents('Starting a loop', world.env);
      if (refusal !== null) return refusal;
      const order = startWords(body, projects());
      if (!order.ok) return order;
      const before = new Set(index.look().cards.map(({ id }) => id));
      const seen = () =>
        index.look().cards.find((card) => !before.has(card.id) && card.driver === 'fresh')?.id ?? null;
      const { words, prompt, project: folder } = order;
      const launched = await launch({ words, prompt, folder, cli, seen }, world);
      if (!launched.ok) return launched;
      return launched.id === null
        ? {
            ok: true,
            says: 'Starting. The checks run once first; the loop shows up when they are through.',
            card: null,
          }
        : done(launched.id, 'Started. It continues when you close this page.');
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
    case 'session':
      return `Open. Continue it in its session: ${DEFAULT_WORD} ${HOST.program.resumeSession(carriedOn.session).join(' ')}`;
  }
}
