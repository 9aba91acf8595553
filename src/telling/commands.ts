/** What a person types to Da Capo, by the names that it has where they sit. */
import type { AnswerActor } from '#law/record/events.ts';

export type Commands = Readonly<Record<'resume' | 'cancel' | 'approve' | 'reject' | 'answer', string>>;

export const TERMINAL: Commands = {
  resume: 'dacapo resume',
  cancel: 'dacapo cancel',
  approve: 'dacapo approve',
  reject: 'dacapo reject',
  answer: 'dacapo answer',
};

/** How an answer was given, in words that follow "approved". A moved file does not say whose hand it was. */
export const ANSWERERS: Readonly<Record<AnswerActor, string>> = {
  terminal: 'from a terminal',
  session: 'in the session',
  file: 'by a moved file',
  view: 'in the terminal view',
  page: 'on the page',
  webhook: 'by a callback of the webhook',
};

/** Advice about a loop of a fleet: the commands of one machine are named as those of the fleet. */
const OF_FLEET: readonly (readonly [RegExp, string])[] = [
  [
    /dacapo trust in that folder, then dacapo resume (\S+) continues it/g,
    'dacapo fleet trust $1, which continues it',
  ],
  [/dacapo (approve|reject) ([\w-]+)/g, 'dacapo fleet answer $2 --$1'],
  // A fleet starts no loop with another model.
  [/dacapo run --loop \S+ --model MODEL.*session/g, 'a new dacapo fleet submit takes --model'],
  [/dacapo run --loop\b/g, 'dacapo fleet resume'],
  [/dacapo run "PROMPT"/g, 'dacapo fleet submit "PROMPT" --repo URL --ref REF'],
  [/dacapo run\b/g, 'dacapo fleet submit'],
  [/dacapo logs -f\b/g, 'dacapo fleet attach'],
  [/dacapo explain\b/g, 'dacapo fleet logs'],
  [/dacapo approvals( --all)?/g, 'dacapo fleet list'],
  [/dacapo (answer|cancel|pause|resume|amend|steer|list|status|logs)\b/g, 'dacapo fleet $1'],
];

export function fleetWords(text: string): string {
  return OF_FLEET.reduce((said, [command, instead]) => said.replaceAll(command, instead), text);
}
