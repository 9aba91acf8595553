/**
 * Hooks for situations that come up again and again. Those that only watch (checkpoints, bounds) abstain as long
 * as they have nothing to say, so that they can stand in a chain beside one that completes.
 */
import { abstain } from './abstain.ts';
import { hasPassed } from './context.ts';
import { declared, type DeclaredHook } from './declared.ts';
import type { AgentContext, LoopContext } from './types.ts';
import type { CheckpointAtSpec, CheckpointEverySpec, RealWorkSpec, SecuritySpec, TddSpec } from './spec.ts';

/** Of those that there are. */
const RULES_NAMED = 6;

/** Complete when the tests pass. */
export function tdd(options: Omit<TddSpec, 'type'> = {}): DeclaredHook {
  const { rule = 'tests_pass' } = options;
  return declared({ type: 'tdd', ...options }, (context) =>
    hasPassed(context, rule)
      ? { action: 'complete', reason: 'All tests pass' }
      : {
          action: 'continue',
          reason: `Tests still failing${sayUnknown(context, [rule])}`,
          nextPrompt: 'Fix failing tests and run again',
        },
  );
}

/** Complete when nothing vulnerable remains; a person is asked when that takes too long. */
export function security(options: Omit<SecuritySpec, 'type'> = {}): DeclaredHook {
  const { rules = ['vulns_fixed', 'sast_clean'], maxIterations = 10 } = options;
  return declared({ type: 'security', ...options }, (context) => {
    if (rules.every((rule) => hasPassed(context, rule))) {
      return { action: 'complete', reason: 'All vulnerabilities remediated' };
    }
    if (context.iteration >= maxIterations) {
      return {
        action: 'escalate',
        reason: 'Max iterations reached - complex vulnerabilities may require manual review',
      };
    }
    return { action: 'continue', reason: `Vulnerabilities remain${sayUnknown(context, rules)}` };
  });
}

/** A rule that nothing bears the name of never passes: a check that is called otherwise is not it. */
function sayUnknown({ validationResults }: AgentContext, rules: readonly string[]): string {
  const known = validationResults.map(({ ruleName }) => ruleName);
  const unknown = rules.filter((rule) => !known.includes(rule));
  if (known.length === 0 || unknown.length === 0) return '';
  return ` (no validation rule is called ${unknown.join(' or ')}; there is ${known.slice(0, RULES_NAMED).join(', ')})`;
}

/** A checkpoint at every nth iteration. */
export function checkpointEvery(
  iterations: number,
  options: Omit<CheckpointEverySpec, 'type' | 'iterations'> = {},
): DeclaredHook {
  const { phase = 'checkpoint' } = options;
  return declared({ type: 'checkpoint-every', iterations, ...options }, ({ iteration }) =>
    iteration % iterations === 0
      ? abstain(`Checkpoint at iteration ${iteration}`, { executionPhase: phase, executionStep: iteration })
      : abstain('Iteration in progress'),
  );
}

/** One checkpoint, for example before something risky. */
export function checkpointAt(
  iteration: number,
  options: Omit<CheckpointAtSpec, 'type' | 'iteration'> = {},
): DeclaredHook {
  const { phase = 'midpoint', milestone = 'halfway' } = options;
  return declared({ type: 'checkpoint-at', iteration, ...options }, (context) =>
    context.iteration === iteration
      ? abstain(`${milestone.charAt(0).toUpperCase()}${milestone.slice(1)} checkpoint`, {
          executionPhase: phase,
          executionStep: iteration,
          agentContext: { milestone },
        })
      : abstain('Iteration in progress'),
  );
}

/** The lists and notes of a loop itself. */
const METADATA = ['feature_list.json', 'prd.json', 'progress.txt', 'TODO.md', '.claude/'];

/**
 * Against "done without work", a whole list marked complete with nothing else changed: continues as long as nothing
 * but the loop's own lists has changed since it began, and abstains from then on. It needs git to see that.
 */
export function realWork(options: Omit<RealWorkSpec, 'type'> = {}): DeclaredHook {
  const { except = METADATA } = options;
  return declared({ type: 'real-work', ...options }, (context) => {
    const { filesModified, filesModifiedSoFar = filesModified }: LoopContext = context;
    const work = filesModifiedSoFar.filter((file) => !except.some((one) => isWithin(file, one)));
    if (work.length > 0) return abstain(`${work.length} files of work modified`);
    const seen =
      filesModifiedSoFar.length === 0 ? 'no file' : `only ${filesModifiedSoFar.slice(0, 5).join(', ')}`;
    return {
      action: 'continue',
      reason: `no work is seen: ${seen} was modified`,
      nextPrompt:
        'Marking something as done is not doing it. Do the work itself: change what the task is about.',
    };
  });
}

function isWithin(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place || file.endsWith(`/${place}`);
}

/** A person is asked when one iteration touches more files than this: an agent that edits everything is lost. */
export function maxFiles(files: number): DeclaredHook {
  return declared({ type: 'max-files', files }, ({ filesModified: { length } }) =>
    length > files
      ? { action: 'escalate', reason: `${length} files modified in one iteration, at most ${files} allowed` }
      : abstain(`${length} of at most ${files} files modified`),
  );
}

/** A person is asked when it takes more iterations than this. */
export function maxIterations(iterations: number): DeclaredHook {
  return declared({ type: 'max-iterations', iterations }, ({ iteration }) =>
    iteration > iterations
      ? { action: 'escalate', reason: 'Too many iterations - may need different approach' }
      : abstain(`Iteration ${iteration} of at most ${iterations}`),
  );
}
