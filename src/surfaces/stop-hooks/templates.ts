/**
 * Ready-made hooks: the three that most loops need, then some for common situations. Hooks that only watch
 * (checkpoints, bounds) abstain as long as they have nothing to say, so that a chain can combine them with
 * one that completes.
 */
import { headOf } from '#base/words/sanitize.ts';
import { STATE_FOLDER } from '#evidence/views/state-folder.ts';
import { abstain, hasRulePassed, hasPromise, notRun } from './context.ts';
import { declared, type DeclaredHook, type HookOptionsOf } from './spec.ts';
import type { AgentContext, LoopContext, StopHookResult, ValidationResult } from './types.ts';

/** A prompt has to be readable: with this many failures the agent has enough to do. */
const MAX_FAILURES_LISTED = 10;
/** A validation's message may be the whole output of a program. */
const MAX_MESSAGE_CHARS = 500;

export const promiseHook: DeclaredHook = declared(
  { type: 'promise' },
  (context) => judgePromises(context) ?? continueWith('No completion promise detected'),
);

export const validationHook: DeclaredHook = declared(
  { type: 'validation' },
  (context) => judgeValidation(context) ?? continueWith('No validation rules'),
);

/** Promises first, then validation. Recommended. */
export const defaultHook: DeclaredHook = declared(
  { type: 'default' },
  (context) => judgePromises(context) ?? judgeValidation(context) ?? continueWith('Iteration in progress'),
);

export const PRESETS = { default: defaultHook, validation: validationHook, promise: promiseHook };

function continueWith(reason: string, nextPrompt?: string): StopHookResult {
  return { action: 'continue', reason, ...(nextPrompt !== undefined && { nextPrompt }) };
}

const BY_PROMISE = [
  ['COMPLETE', 'complete', 'Agent signaled completion via <promise>COMPLETE</promise>'],
  ['ESCALATE', 'escalate', 'Agent asked for a person via <promise>ESCALATE</promise>'],
  ['BLOCKED', 'escalate', 'Agent said that it is blocked via <promise>BLOCKED</promise>'],
] as const;

function judgePromises(context: AgentContext): StopHookResult | null {
  const [, action, reason] = BY_PROMISE.find(([type]) => hasPromise(context, type)) ?? [];
  return action === undefined ? null : { action, reason };
}

function judgeValidation({ validationResults }: AgentContext): StopHookResult | null {
  if (validationResults.length === 0) return null;
  const { length } = validationResults;
  const failures = validationResults.filter(({ passed, notRun }) => !passed && !notRun);
  const idle = validationResults.filter(({ notRun }) => notRun).length;
  if (failures.length > 0)
    return continueWith(
      `${failures.length} of ${length} validation rules ` +
        `fail${idle > 0 ? ` (${idle} not run at this stop)` : ''}`,
      feedback(failures),
    );
  return idle > 0
    ? continueWith(`${idle} of ${length} validation rules not run at this stop`)
    : { action: 'complete', reason: 'All validation rules pass' };
}

function feedback(failures: readonly ValidationResult[]): string {
  const more = failures.length - MAX_FAILURES_LISTED;
  return [
    'These validation rules fail. Fix them:',
    ...failures
      .slice(0, MAX_FAILURES_LISTED)
      .map(({ ruleName, message }) => `- ${ruleName}: ${clipped(message)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function clipped(message: string): string {
  return message.length > MAX_MESSAGE_CHARS ? `${headOf(message, MAX_MESSAGE_CHARS - 1)}…` : message;
}

const MAX_RULES_LISTED = 6;

/** Complete when the tests pass. */
export function tdd(options: HookOptionsOf<'tdd'> = {}): DeclaredHook {
  const { rule = 'tests_pass' } = options;
  return declared({ type: 'tdd', ...options }, (context) => {
    if (hasRulePassed(context, rule)) return { action: 'complete', reason: 'All tests pass' };
    if (notRun(context, [rule]).length > 0) return continueWith('The tests were not run at this stop');
    return continueWith(
      `Tests still failing${sayUnknown(context, [rule])}`,
      'Fix failing tests and run again',
    );
  });
}

/** Complete when no vulnerability remains; asks a person if that takes too long. */
export function security(options: HookOptionsOf<'security'> = {}): DeclaredHook {
  const { rules = ['vulns_fixed', 'sast_clean'], maxIterations = 10 } = options;
  return declared({ type: 'security', ...options }, (context) => {
    if (rules.every((rule) => hasRulePassed(context, rule)))
      return { action: 'complete', reason: 'All vulnerabilities remediated' };
    const idle = notRun(context, rules);
    const open = rules.filter((rule) => !hasRulePassed(context, rule) && !idle.includes(rule));
    // Nobody is called for checks that did not run: whether vulnerabilities remain is unknown.
    if (context.iteration >= maxIterations && open.length > 0)
      return {
        action: 'escalate',
        reason: 'Max iterations reached - complex vulnerabilities may require manual review',
      };
    return open.length === 0
      ? continueWith(`${idle.join(' and ')} not run at this stop`)
      : continueWith(`Vulnerabilities remain${sayUnknown(context, rules)}`);
  });
}

/** A rule never passes if no check has its name, so the message names the checks that exist. */
function sayUnknown({ validationResults }: AgentContext, rules: readonly string[]): string {
  const known = validationResults.map(({ ruleName }) => ruleName);
  const unknown = rules.filter((rule) => !known.includes(rule));
  if (known.length === 0 || unknown.length === 0) return '';
  return (
    ` (no validation rule is called ${unknown.join(' or ')}; there is ` +
    `${known.slice(0, MAX_RULES_LISTED).join(', ')})`
  );
}

/** Gives a checkpoint at every nth iteration. */
export function checkpointEvery(
  iterations: number,
  options: Omit<HookOptionsOf<'checkpoint-every'>, 'iterations'> = {},
): DeclaredHook {
  const { phase = 'checkpoint' } = options;
  return declared({ type: 'checkpoint-every', ...options, iterations }, ({ iteration }) =>
    iteration % iterations === 0
      ? abstain(`Checkpoint at iteration ${iteration}`, { executionPhase: phase, executionStep: iteration })
      : abstain('Iteration in progress'),
  );
}

/** Gives one checkpoint, for example before something risky. */
export function checkpointAt(
  iteration: number,
  options: Omit<HookOptionsOf<'checkpoint-at'>, 'iteration'> = {},
): DeclaredHook {
  const { phase = 'midpoint', milestone = 'halfway' } = options;
  return declared({ type: 'checkpoint-at', ...options, iteration }, (context) =>
    context.iteration === iteration
      ? abstain(`${milestone.charAt(0).toUpperCase()}${milestone.slice(1)} checkpoint`, {
          executionPhase: phase,
          executionStep: iteration,
          agentContext: { milestone },
        })
      : abstain('Iteration in progress'),
  );
}

/** The loop's own lists and notes. */
const METADATA = ['feature_list.json', 'prd.json', 'progress.txt', 'TODO.md', `${STATE_FOLDER}/`];

/**
 * Against "done without work", where a whole list is marked complete and nothing else changed. Continues as
 * long as only the loop's own lists have changed since it began, and abstains from then on. It needs git to
 * see that.
 */
export function realWork(options: HookOptionsOf<'real-work'> = {}): DeclaredHook {
  const { except = METADATA } = options;
  return declared({ type: 'real-work', ...options }, (context) => {
    const { filesModified, filesModifiedSoFar = filesModified }: LoopContext = context;
    const work = filesModifiedSoFar.filter((file) => !except.some((one) => isWithin(file, one)));
    if (work.length > 0) return abstain(`${work.length} files of work modified`);
    const seen =
      filesModifiedSoFar.length === 0 ? 'no file' : `only ${filesModifiedSoFar.slice(0, 5).join(', ')}`;
    return continueWith(
      `no work is seen: ${seen} was modified`,
      'Marking something as done is not doing it. Do the work itself: change what the task is about.',
    );
  });
}

function isWithin(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place || file.endsWith(`/${place}`);
}

/** Asks a person if one iteration touches more files than this: an agent that edits everything is lost. */
export function maxFiles(files: number): DeclaredHook {
  return declared({ type: 'max-files', files }, ({ filesModified: { length } }) =>
    length > files
      ? { action: 'escalate', reason: `${length} files modified in one iteration, at most ${files} allowed` }
      : abstain(`${length} of at most ${files} files modified`),
  );
}

/** Asks a person if the task takes more iterations than this. */
export function maxIterations(iterations: number): DeclaredHook {
  return declared({ type: 'max-iterations', iterations }, ({ iteration }) =>
    iteration > iterations
      ? { action: 'escalate', reason: 'Too many iterations - may need different approach' }
      : abstain(`Iteration ${iteration} of at most ${iterations}`),
  );
}
