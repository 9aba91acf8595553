/** What a rule showed. "Not run" is a result of its own, so that nobody takes silence for success. */

export interface RuleResult {
  readonly ruleName: string;
  /** Null: the rule was not run, so nobody knows. */
  readonly passed: boolean | null;
  readonly state: 'passed' | 'failed' | 'not-run';
  /** For people and agents: what was seen. */
  readonly message: string;
}

export type Seen = Omit<RuleResult, 'ruleName'>;

export function seen(passed: boolean, message: string): Seen {
  return { passed, state: passed ? 'passed' : 'failed', message };
}

export function notRun(message: string): Seen {
  return { passed: null, state: 'not-run', message };
}
