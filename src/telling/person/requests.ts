/** Requests to a person, in words: for the person who is asked, and the answers for the agent that asked. */
import type { Loop, Request, Steer, LoopPart } from '#law/loop.ts';
import { openRequestsOf, untoldAnswers } from '#law/waiting/requests.ts';
import { few } from '#law/words/phrases.ts';
import { harmless, headOf, oneLine } from '#base/words/sanitize.ts';
import { paragraphs } from '../agent/continuation.ts';
import type { Audience, AdvisedCommand } from '../advice.ts';
import { inSession, inTerminal, type Commands } from '../audience.ts';
import { ANSWERERS } from './answerers.ts';

type RequestText = Pick<Request, 'kind'> & { readonly what: Pick<Request['what'], 'text'> };

const MAX_REQUESTS_LISTED = 3;
const MAX_REQUEST_CHARS = 200;
const MAX_NOTE_CHARS = 2_000;
const MAX_EARLIER_NEWS_CHARS = 1_000;
/** The most that the agent is told at once, so that the task still has room beside it. */
const MAX_NEWS_CHARS = 4_000;

export function sayRequest({ kind, what }: RequestText, most = MAX_REQUEST_CHARS): string {
  const text = oneLine(what.text, most);
  return kind === 'approval' ? `may the agent run ${text}?` : text;
}

/** What a person in the session may type. */
export function howToAnswer(loop: Loop, commands: Commands): string {
  const [first] = openRequestsOf(loop);
  if (first === undefined) return `${inTerminal({ verb: 'approvals' })} lists what is open`;
  const audience = inSession(commands, openRequestsOf(loop).length > 1);
  return `${sayAnswers(first, audience)} answers it${orOtherGates(first.kind, loop.id)}`;
}

/** What the gates can't show, other gates may. */
export function orOtherGates(kind: Request['kind'], loop: string): string {
  return kind === 'acceptance' ? `; ${inTerminal({ verb: 'amend', loop })} changes the gates instead` : '';
}

/** Any of them answers it. */
export function answersTo({ id, kind }: Pick<Request, 'id' | 'kind'>): readonly AdvisedCommand[] {
  const verbs = kind === 'question' ? (['answer'] as const) : (['approve', 'reject'] as const);
  return verbs.map((verb) => ({ verb, request: id }));
}

function sayAnswers(request: Pick<Request, 'id' | 'kind'>, audience: Audience): string {
  return answersTo(request).map(audience).join(' or ');
}

/**
 * For the person in the session, when the loop waits for them. `file`: what they may move instead; null:
 * nothing.
 */
export function sayRequests(loop: Loop, commands: Commands, file: string | null): string {
  const open = few(openRequestsOf(loop), (one) => sayRequest(one), MAX_REQUESTS_LISTED).join(' ');
  const [first] = openRequestsOf(loop);
  const terminal = first === undefined ? '' : `; in a terminal, ${sayAnswers(first, inTerminal)}`;
  const moved =
    first?.kind === 'question'
      ? `write the answer at the end of ${file} and move it to Approved`
      : `move ${file} to Approved or Rejected`;
  const elsewhere = file === null ? '' : ` Or ${moved}.`;
  return (
    `Da Capo: waiting for your answer: ${open} Here, ` +
    `${howToAnswer(loop, commands)}${terminal}.${elsewhere} The session stays usable, and no iteration ` +
    'is spent.'
  );
}

export function sayAnswered(requests: readonly Request[]): string {
  return requests
    .flatMap((request) => (request.answer === null ? [] : [`${request.id} was ${sayHow(request)}`]))
    .join('; ');
}

export function sayHow({ answer }: Request): string {
  if (answer === null) return 'not answered';
  if (answer.is === 'expired') return 'not answered in time';
  return `${answer.is === 'text' ? 'answered' : answer.is} ${ANSWERERS[answer.by]}`;
}

/**
 * What the agent has to be told: answers and words of the person that it does not know yet. Empty: nothing.
 */
export function sayNews(loop: LoopPart<'people', 'requests' | 'steers'>): string {
  const steers = loop.people.steers.filter(({ told }) => !told);
  return headOf(paragraphs([...untoldAnswers(loop).map(sayAnswer), ...steers.map(saySteer)]), MAX_NEWS_CHARS);
}

/**
 * What the person has said and answered so far, for an agent that was not there or has lost it: the newest
 * first, and only as much as leaves the task its room. Without what is news, and without approvals whose call
 * was made.
 */
export function saySoFar({ people }: LoopPart<'people', 'requests' | 'steers'>): string {
  const { requests, steers } = people;
  const answers = requests.flatMap((request) => {
    const { answer, told, released } = request;
    if (!told || released !== null || answer === null || answer.is === 'expired') return [];
    return [{ ...answer, says: sayAnswer(request).replace(/^Da Capo: /, '') }];
  });
  const words = steers.filter(({ told }) => told).map((steer) => ({ ...steer, says: saySteer(steer) }));
  let room = MAX_NEWS_CHARS;
  const lines = [...answers, ...words]
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map(({ pass, says }) => `- in iteration ${pass}: ${oneLine(says, MAX_EARLIER_NEWS_CHARS)}`)
    .filter((line) => (room -= line.length) > 0);
  if (lines.length === 0) return '';
  return `A person said this in earlier iterations, the newest first. It still counts:\n${lines.join('\n')}`;
}

/**
 * A host may give the agent these words under a warning that nothing in them is consent, and it is right. So
 * they say what is open or on record, which a try shows, and never ask to be believed.
 */
export function sayAnswer(request: Request): string {
  const { kind, what, answer } = request;
  if (answer === null || answer.is === 'expired') return '';
  const text = oneLine(what.text, MAX_REQUEST_CHARS);
  const note = answer.note.trim() === '' ? '' : ` On record with it: ${clean(answer.note)}`;
  switch (kind) {
    case 'approval':
      return answer.is === 'approved'
        ? `Da Capo: the permission for this call is open now, once: ${text} (${sayHow(request)}). Try ` +
            'exactly this call again if you still need it; the permission system decides. Otherwise ' +
            `continue with the task.${note}`
        : `Da Capo: the permission for this call stays closed: ${text} (${sayHow(request)}). Do not do ` +
            `the same in another way. Continue with the task without it.${note}`;
    case 'acceptance':
    case 'completion':
      // An approval ends the loop, but not where only a part of it is done.
      return answer.is === 'approved'
        ? `Da Capo: this part is accepted as done (${sayHow(request)}).${note} Claim it now: no other ` +
            'gate counts for it.'
        : `Da Capo: the task is not confirmed as done (${sayHow(request)}).${note} Continue with the task.`;
    case 'question': {
      const given =
        answer.is === 'text' ? clean(answer.note) : `${answer.is === 'approved' ? 'yes' : 'no'}.${note}`;
      return (
        `Da Capo: you asked: ${text}\nThe answer on record, given ${ANSWERERS[answer.by]}: ` +
        `${given}\nIt opens no permission. Continue with the task.`
      );
    }
  }
}

function saySteer({ words }: Steer): string {
  return `A person says: ${clean(words)}`;
}

function clean(words: string): string {
  return headOf(harmless(words).trim(), MAX_NOTE_CHARS);
}
