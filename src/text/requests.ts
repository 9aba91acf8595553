/** Requests to a person, in words: for the person who is asked, and the answers for the agent that asked. */
import type { Loop, Request, Steer } from '../core/loop.ts';
import { openRequestsOf, untoldAnswers } from '../core/waiting/requests.ts';
import { few } from '../core/words/phrases.ts';
import { harmless, headOf, oneLine } from '../core/words/sanitize.ts';
import { paragraphs } from './agent/continuation.ts';

const NAMED = 3;
const SHOWN = 200;
/** The most that the agent is told of one note. */
const NOTE = 2_000;
/** The most of one answer or word that the agent was told before. */
const SAID_BEFORE = 1_000;
/** The most that the agent is told at once, so that the task still has room beside it. */
const NEWS = 4_000;

/** What a request wants, in one line. */
export function sayRequest({ kind, what }: Pick<Request, 'kind' | 'what'>): string {
  const text = oneLine(what.text, SHOWN);
  switch (kind) {
    case 'approval':
      return `may the agent run ${text}?`;
    case 'question':
    case 'completion':
      return text;
  }
}

/** What a person may type. */
export function howToAnswer(loop: Loop): string {
  const [first] = openRequestsOf(loop);
  if (first === undefined) return 'dacapo approvals lists what is open';
  return first.kind === 'question'
    ? `dacapo answer ${first.id} "…" answers it`
    : `dacapo approve ${first.id} or dacapo reject ${first.id} answers it`;
}

/** For the person in the session, when the loop waits for them. */
export function sayRequests(loop: Loop): string {
  const open = few(openRequestsOf(loop), sayRequest, NAMED).join(' ');
  return `Da Capo: waiting for your answer: ${open} In a terminal, ${howToAnswer(loop)}. The session stays usable, and no iteration is spent.`;
}

/** What the agent has to be told: answers and words of the person that it does not know yet. Empty: nothing. */
export function sayNews(loop: Pick<Loop, 'requests' | 'steers'>): string {
  const steers = loop.steers.filter(({ told }) => !told);
  return headOf(paragraphs([...untoldAnswers(loop).map(sayAnswer), ...steers.map(saySteer)]), NEWS);
}

/**
 * What the person has said and answered so far, for an agent that was not there or has lost it: the newest first, and
 * only as much as leaves the task its room. Without what is news, and without approvals whose call was made.
 */
export function saySoFar({ requests, steers }: Pick<Loop, 'requests' | 'steers'>): string {
  const answers = requests.flatMap((request) => {
    const { answer, told, released } = request;
    if (!told || released !== null || answer === null || answer.is === 'expired') return [];
    return [{ ...answer, says: sayAnswer(request).replace(/^Da Capo: /, '') }];
  });
  const words = steers.filter(({ told }) => told).map((steer) => ({ ...steer, says: saySteer(steer) }));
  let room = NEWS;
  const lines = [...answers, ...words]
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map(({ pass, says }) => `- in iteration ${pass}: ${oneLine(says, SAID_BEFORE)}`)
    .filter((line) => (room -= line.length) > 0);
  if (lines.length === 0) return '';
  return `A person said this in earlier iterations, the newest first. It still counts:\n${lines.join('\n')}`;
}

export function sayAnswer({ kind, what, answer }: Request): string {
  if (answer === null || answer.is === 'expired') return '';
  const text = oneLine(what.text, SHOWN);
  const note = answer.note.trim() === '' ? '' : ` ${said(answer.note)}`;
  switch (kind) {
    case 'approval':
      return answer.is === 'approved'
        ? `Da Capo: a person approved this call: ${text}. Make exactly this call again now, with the same input: it is let through once.${note}`
        : `Da Capo: a person rejected this call: ${text}. Do not make it, and do not do the same in another way. Continue with the task without it.${note}`;
    case 'completion':
      return `Da Capo: a person looked, and the task is not done.${note} Continue with the task.`;
    case 'question':
      if (answer.is === 'text')
        return `Da Capo: you asked: ${text}\nA person answered: ${clean(answer.note)}\nContinue with the task.`;
      return `Da Capo: you asked: ${text}\nA person ${answer.is === 'approved' ? 'says yes' : 'says no'}.${note} Continue with the task.`;
  }
}

function saySteer({ words }: Steer): string {
  return `A person says: ${clean(words)}`;
}

function said(note: string): string {
  return `The person says: ${clean(note)}`;
}

function clean(words: string): string {
  return headOf(harmless(words).trim(), NOTE);
}
