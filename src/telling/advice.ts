/**
 * What a person can do, as a value: words, and commands of ours that each audience types by other names
 * (`audience.ts`).
 */
import type { Refusal } from '#base/refusal.ts';

/**
 * `reopen`: resumes a loop that a session can't. `follow`: watches its journal. `run-loop`: runs one that is
 * there; `begin` begins another with a prompt, and `run` is the name of that. `switch-model`: continues it
 * with another model, `reserve-less` with a smaller `--reserve`. `trust`: agrees to files that stopped it, and
 * resumes it.
 */
export type Verb =
  | 'resume'
  | 'reopen'
  | 'run-loop'
  | 'switch-model'
  | 'reserve-less'
  | 'trust'
  | 'run'
  | 'begin'
  | 'start'
  | 'cancel'
  | 'pause'
  | 'steer'
  | 'amend'
  | 'approve'
  | 'reject'
  | 'answer'
  | 'approvals'
  | 'approvals-all'
  | 'list'
  | 'list-all'
  | 'status'
  | 'explain'
  | 'report'
  | 'logs'
  | 'follow'
  | 'watch'
  | 'features'
  | 'hooks'
  | 'checkpoints'
  | 'doctor'
  | 'rollback'
  | 'prune';

export interface AdvisedCommand {
  readonly verb: Verb;
  readonly loop?: string;
  /** What is answered. */
  readonly request?: string;
  readonly flags?: readonly string[];
  /** For a copy of a loop: whoever reads it, the fleet has the loop itself. */
  readonly of?: 'fleet';
}

/** How a reader types a command. */
export type Audience = (command: AdvisedCommand) => string;

export type Advice = string | readonly (string | AdvisedCommand)[];

/** A refusal whose next step is not worded yet. */
export type Refused = Refusal<Advice>;

/** A template of words and commands. */
export function advise(words: TemplateStringsArray, ...parts: readonly (AdvisedCommand | Advice)[]): Advice {
  return words.flatMap((text, at) => {
    const part = parts[at];
    return [text, ...(part === undefined ? [] : isParts(part) ? part : [part])];
  });
}

function isParts(part: AdvisedCommand | Advice): part is Exclude<Advice, string> {
  return Array.isArray(part);
}

export function sayAdvice(advice: Advice, audience: Audience): string {
  if (typeof advice === 'string') return advice;
  return advice.map((part) => (typeof part === 'string' ? part : audience(part))).join('');
}

/** The commands in it, as data for programs: the words around them are for people. */
export function commandsInAdvice(advice: Advice): readonly AdvisedCommand[] {
  return typeof advice === 'string' ? [] : advice.filter((part) => typeof part !== 'string');
}

export function inWords({ next, ...refused }: Refused, audience: Audience): Refusal {
  return { ...refused, next: sayAdvice(next, audience) };
}
