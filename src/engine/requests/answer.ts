/** What loops have asked, and what a person answers. The first answer in the journal wins. */
import { hasEnded, type Loop, type Request } from '#law/loop.ts';
import type { EventOf, AnswerActor } from '#law/record/events.ts';
import { refuse } from '#base/refusal.ts';
import { advise, type Advice, type Refused } from '#telling/advice.ts';
import { MAX_NOTE_CHARS, openRequestsOf, requestPrefix } from '#law/waiting/requests.ts';
import { headOf, oneLine } from '#base/words/sanitize.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Commands } from '#telling/audience.ts';
import { sayHow, sayRequest } from '#telling/person/requests.ts';
import { clockTime } from '#telling/time.ts';
import { adviseSteps, nextSteps } from '#telling/next-step.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { readViews } from '#evidence/views/views.ts';
import { FLEET_COPY, loopsToActOn, type Choice } from '../look/find.ts';
import { knownLoop, loopsUnder, openById, withLoop, type Opened } from '../look/loops.ts';
import { syncRequests } from './sync.ts';
import { refuseToAgents } from '../trust/people-only.ts';

export interface AnswerOrder {
  readonly id: string;
  readonly answer: EventOf<'answered'>['answer'];
  /** Words for the agent; the answer itself, if a question is answered. */
  readonly note: string;
  readonly by: AnswerActor;
}

export type Answered = { readonly ok: true; readonly loop: Loop; readonly request: Request } | Refused;

/** `loop`: which one asked, if the caller knows it. */
export function answer(order: AnswerOrder, loop: string | null, runtime: Runtime): Answered {
  const refusal = refuseWord(order.answer) ?? refuseToAgents(`dacapo ${COMMANDS[order.answer]}`, runtime.env);
  if (refusal !== null) return refusal;
  const opened = loop === null ? openAsking(order.id, runtime) : openById(loop, runtime);
  if (!opened.ok) return opened;
  try {
    return refuseCopy(opened.open, order) ?? answerIn(opened.open, order, runtime);
  } finally {
    opened.open.close();
  }
}

/** A copy of a loop of a fleet: what is written into it reaches nobody. */
function refuseCopy(open: OpenLoop, { id, answer }: AnswerOrder): Refused | null {
  if (open.blobs.read(FLEET_COPY) === null) return null;
  const command = { verb: COMMANDS[answer], request: id, of: 'fleet' } as const;
  const why = `Loop ${title(open.loop())} runs in a fleet; this is a copy.`;
  return refuse('fleet-copy', why, advise`${command} answers it.`);
}

/** Who answers is the caller's to know: this asks nobody whether it is a person. */
export function answerIn(open: OpenLoop, order: AnswerOrder, runtime: Runtime): Answered {
  const { id, answer, by } = order;
  open.look();
  readViews(open, runtime);
  const before = findIn(open.loop(), id);
  if (before === undefined) return refuseUnknown(id, []);
  const at = runtime.now();
  const refusal = whyNot(open.loop(), before, answer, at);
  if (refusal !== null) {
    syncRequests(open, runtime);
    return refusal;
  }
  const note = headOf(order.note.trim(), MAX_NOTE_CHARS);
  const after = open.write({ type: 'answered', at, id, answer, note, by });
  open.keep();
  const request = findIn(after, id) ?? before;
  const given = request.answer;
  const isOurs =
    given !== null && given.is === answer && given.at === at && given.by === by && given.note === note;
  syncRequests(open, runtime);
  return isOurs ? { ok: true, loop: knownLoop(open, runtime), request } : refuseAnswered(request, after, at);
}

export const ANSWER_OF_VERB = { approve: 'approved', reject: 'rejected', answer: 'text' } as const;
const COMMANDS = { approved: 'approve', rejected: 'reject', text: 'answer' } as const;

/** A front end may take the word from outside. An event without an answer would abort the loop. */
function refuseWord(answer: string): Refused | null {
  if (Object.hasOwn(COMMANDS, answer)) return null;
  const why = `${JSON.stringify(oneLine(answer, 40))} is not an answer.`;
  return refuse('no-answer', why, 'Approve, reject or answer.');
}

type RequestMeant = Pick<OpenRequest, 'id' | 'loop' | 'kind' | 'what'>;

/**
 * The one request that an answer without an id means. Words answer a question and only that; a yes answers
 * anything else.
 */
export function onlyRequest(
  open: readonly RequestMeant[],
  answer: AnswerOrder['answer'],
  commands: Commands,
): RequestMeant | Refused {
  const suited = open.filter(({ kind }) => (kind === 'question') === (answer === 'text'));
  const fit = suited.length === 0 || answer === 'rejected' ? open : suited;
  const [only, ...others] = fit;
  if (only === undefined)
    return refuse(
      'no-request',
      'Nothing waits for your answer here.',
      advise`${{ verb: 'approvals-all' }} shows what other projects ask.`,
    );
  if (others.length === 0) return only;
  const lines = fit.map(({ id, kind, what }) => {
    return `  ${commands[COMMANDS[answer]]} ${id}  ${sayRequest({ kind, what: { text: what } })}`;
  });
  const why = `${lines.length} requests could be meant:\n${lines.join('\n')}`;
  return refuse('several-requests', why, 'Name one.');
}

function findIn({ people: { requests } }: Loop, id: string): Request | undefined {
  return requests.find((request) => request.id === id);
}

/** Opens the loop that asked. Of several with such a request, the one that still waits for the answer. */
function openAsking(id: string, runtime: Runtime): Opened<Advice> {
  const asking: OpenLoop[] = [];
  runtime.store.visit(
    (one) => id.startsWith(requestPrefix(one.id)),
    (open) => findIn(open.loop(), id) !== undefined && asking.push(open) > 0,
  );
  const waiting = asking.filter((open) => findIn(open.loop(), id)?.answer === null);
  const [only, ...others] = waiting.length > 0 ? waiting : asking.slice(-1);
  const isClear = only !== undefined && others.length === 0;
  for (const open of asking) if (!isClear || open !== only) open.close();
  if (isClear) return { ok: true, open: only };
  if (only === undefined) return refuseUnknown(id, openIds(runtime));
  return refuse(
    'several-requests',
    `${waiting.length} loops have an open request ${id}: ` +
      `${waiting.map((open) => title(open.loop())).join(', ')}.`,
    'Move its file to Approved or Rejected, or cancel one of the loops.',
  );
}

/** Of all loops: what a person can still answer. */
function openIds(runtime: Runtime): string[] {
  const ids: string[] = [];
  runtime.store.visit(
    ({ ended }) => !ended,
    (open) => {
      ids.push(...openRequestsOf(open.loop()).map(({ id }) => id));
      return false;
    },
  );
  return ids;
}

function whyNot(loop: Loop, request: Request, answer: AnswerOrder['answer'], now: string): Refused | null {
  const { id, kind } = request;
  const [approve, reject] = [
    { verb: 'approve', request: id } as const,
    { verb: 'reject', request: id } as const,
  ];
  if (request.answer !== null) return refuseAnswered(request, loop, now);
  if (hasEnded(loop))
    return refuse('ended', `Loop ${title(loop)} has ended.`, 'Nothing waits for an answer.');
  if (answer === 'text' && kind !== 'question')
    return refuse(
      'no-question',
      `Request ${id} is not a question.`,
      advise`${approve} or ${reject} answers it; --note adds words for the agent.`,
    );
  if (answer === 'approved' && kind === 'question')
    return refuse(
      'question',
      `Request ${id} is a question: ${sayRequest(request)}`,
      advise`Answer it in words: ${{ verb: 'answer', request: id }}`,
    );
  return null;
}

function refuseAnswered(request: Request, loop: Loop, now: string): Refused {
  const { id, answer } = request;
  if (answer === null || answer.is === 'expired')
    return refuse(
      'expired',
      `Request ${id} is over: nobody answered in time. Loop ${title(loop)} ${sayStatus(loop)}.`,
      advise`${adviseSteps(nextSteps(loop, now, 'onlooker'))}.`,
    );
  const why = `Request ${id} was already ${sayHow(request)}, at ${clockTime(answer.at)}.`;
  return refuse('answered', why, 'The first answer counts.');
}

function refuseUnknown(id: string, open: readonly string[]): Refused {
  const meant = nearest(id, open);
  const is = meant === null ? '' : ` Is it ${meant}?`;
  const next = advise`${{ verb: 'approvals' }} lists what is open.${is}`;
  return refuse('no-request', `There is no request ${JSON.stringify(oneLine(id, 80))}.`, next);
}

/** As `dacapo approvals --json` prints it. */
export type OpenRequest = ReturnType<typeof requestsOf>[number];

export function openRequests(root: string | null, runtime: Runtime): OpenRequest[] {
  return requestsOf(loopsUnder(root, runtime), runtime);
}

/** For an answer without an id: a command outside of any project does not reach into the projects below. */
export function requestsToActOn(choice: Omit<Choice, 'id'>, runtime: Runtime): OpenRequest[] {
  return requestsOf(loopsToActOn(choice, runtime).own, runtime);
}

export function requestsOf(loops: readonly Loop[], runtime: Runtime) {
  const now = Date.parse(runtime.now());
  return loops
    .map((loop) => upToDate(loop, runtime))
    .filter((loop) => !hasEnded(loop))
    .flatMap((loop) =>
      openRequestsOf(loop)
        .filter(({ expires }) => Date.parse(expires) > now)
        .map(({ id, kind, what, why, at, expires }) => ({
          id,
          loop: loop.id,
          name: loop.name,
          project: loop.project,
          kind,
          what: what.text,
          tool: what.tool,
          why,
          asked_at: at,
          expires_at: expires,
        })),
    )
    .toSorted((a, b) => Date.parse(a.asked_at) - Date.parse(b.asked_at));
}

/** Somebody may have moved a file while nobody was looking. */
function upToDate(loop: Loop, runtime: Runtime): Loop {
  if (hasEnded(loop) || openRequestsOf(loop).length === 0) return loop;
  return withLoop(loop.id, runtime, (open) => syncRequests(open, runtime)) ?? loop;
}
