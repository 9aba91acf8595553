/** How a reader types a command of ours: in a terminal, in a session of a host, or to a fleet. */
import type { Audience, AdvisedCommand, Verb } from './advice.ts';

/** What our commands are called in a session. */
export type Commands = Readonly<Record<'resume' | 'cancel' | 'approve' | 'reject' | 'answer', string>>;

/** For a session of a host that has no commands of ours. */
export const TERMINAL: Commands = {
  resume: 'dacapo resume',
  cancel: 'dacapo cancel',
  approve: 'dacapo approve',
  reject: 'dacapo reject',
  answer: 'dacapo answer',
};

const PLACEHOLDER_TEXT = '"…"';

/** Where the words are not those of the verb. */
const TERMINAL_WORDS: Partial<Readonly<Record<Verb, string>>> = {
  reopen: 'resume',
  follow: 'logs -f',
  'run-loop': 'run --loop',
  rollback: 'rollback --loop',
  hooks: 'hooks --loop',
  'list-all': 'list --all',
  'approvals-all': 'approvals --all',
  begin: 'run "PROMPT"',
  start: 'start "PROMPT"',
};

export function inTerminal(command: AdvisedCommand): string {
  if (command.of === 'fleet') return inFleet(command);
  const { verb, loop } = command;
  if (verb === 'switch-model') return `dacapo run --loop ${loop} --model MODEL, or /model in the session`;
  if (verb === 'reserve-less') return `dacapo run --loop ${loop} --reserve PERCENT`;
  if (verb === 'trust') return `${TRUST_HERE}${inTerminal({ ...command, verb: 'resume' })}`;
  return typed(`dacapo ${TERMINAL_WORDS[verb] ?? verb}`, command, hasWords(verb) ? [PLACEHOLDER_TEXT] : []);
}

const TRUST_HERE = 'dacapo trust in that folder, then ';

const SUBMIT = 'submit "PROMPT" --repo URL --ref REF';

/** The commands of a fleet that do the same. What a fleet does not have is done by its nearest one. */
const FLEET_WORDS: Partial<Readonly<Record<Verb, string>>> = {
  approve: 'answer',
  reject: 'answer',
  reopen: 'resume',
  'run-loop': 'resume',
  follow: 'attach',
  explain: 'logs',
  approvals: 'list',
  'approvals-all': 'list',
  'list-all': 'list',
  run: 'submit',
  begin: SUBMIT,
  start: SUBMIT,
};

export function inFleet(command: AdvisedCommand): string {
  const { verb } = command;
  // A fleet continues no loop with another model or reserve.
  if (verb === 'switch-model') return 'a new dacapo fleet submit takes --model';
  if (verb === 'reserve-less') return 'a new dacapo fleet submit --reserve PERCENT';
  if (verb === 'trust') return `${typed('dacapo fleet trust', command, [])}, which`;
  const answers = verb === 'approve' || verb === 'reject' ? [`--${verb}`] : [];
  const words = hasWords(verb) ? [PLACEHOLDER_TEXT] : answers;
  return typed(`dacapo fleet ${FLEET_WORDS[verb] ?? verb}`, command, words);
}

/**
 * In the session of the loop, which needs no id. `namesRequests`: more than one is open. What a session has
 * no command for is typed in a terminal.
 */
export function inSession(names: Commands, namesRequests: boolean): Audience {
  if (names === TERMINAL) return inTerminal;
  return (command) => {
    const { verb, request, flags = [], of } = command;
    if (verb === 'trust') return `${TRUST_HERE}${names.resume}`;
    if (!isNamed(verb) || flags.length > 0 || of === 'fleet') return `\`${inTerminal(command)}\``;
    const which = namesRequests && request !== undefined ? ` ${request}` : '';
    return `${names[verb]}${which}${hasWords(verb) ? ' …' : ''}`;
  };
}

/** In a message that is not only about commands. */
export function inQuotes(audience: Audience): Audience {
  return (command) => (command.verb === 'trust' ? audience(command) : `\`${audience(command)}\``);
}

function typed(
  head: string,
  { loop, request, flags = [] }: AdvisedCommand,
  words: readonly string[],
): string {
  return [head, request ?? loop, ...words, ...flags].filter(Boolean).join(' ');
}

function hasWords(verb: Verb): boolean {
  return verb === 'answer' || verb === 'steer';
}

function isNamed(verb: Verb): verb is keyof Commands {
  return Object.hasOwn(TERMINAL, verb);
}
