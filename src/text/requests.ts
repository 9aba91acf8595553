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

/** What the agent has to be told: answers that it does not know yet, and the person's own words. Empty: nothing. */
export function sayNews(loop: Pick<Loop, 'requests' | 'steers'>): string {
  return headOf(paragraphs([...untoldAnswers(loop).map(sayAnswer), ...loop.steers.map(saySteer)]), NEWS);
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
  return `A person says, for this iteration: ${clean(words)}`;
}

function said(note: string): string {
  return `The person says: ${clean(note)}`;
}

function clean(words: string): string {
  return headOf(harmless(words).trim(), NOTE);
}
