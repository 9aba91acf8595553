/** Runs validation rules: commands that the user allows, patterns, files. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import { isAllowed, sayRefused, testCommand, type CommandBench } from './command.ts';
import { testFile, testPattern, type RuleGround } from './look.ts';
import { notRun, type RuleResult, type Seen } from './result.ts';
import { readRules, type ValidationRule } from '../../flags/validation-rules.ts';

export interface RuleOrder extends CommandBench, RuleGround {
  /** As the caller gives them: they are read strictly. */
  readonly rules: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Called when a rule begins (`how` is null) and when it ends. */
  readonly progress?: ((rule: string, how: RuleResult['state'] | null) => void) | undefined;
}

export interface RulesRun {
  readonly ok: true;
  /** In the order of the rules. */
  readonly results: readonly RuleResult[];
  /** All of them passed. False if there are none. */
  readonly passed: boolean;
}

const LONGEST_OUTPUT = 200_000;

/** One after another: rules may share a build folder. */
export async function runRules(order: RuleOrder, runtime: Runtime): Promise<RulesRun | Refusal> {
  const read = readRules(order.rules);
  if (!read.ok) return read;
  if (order.output !== null && order.output.length > LONGEST_OUTPUT)
    return refuse(
      'too-long',
      `The output has ${order.output.length} characters, and at most ${LONGEST_OUTPUT} are read.`,
      'Send the end of it.',
    );
  const signal = order.signal ?? new AbortController().signal;
  const results: RuleResult[] = [];
  for (const rule of read.rules) {
    order.progress?.(rule.name, null);
    const seen = signal.aborted ? notRun('broken off') : await test(rule, order, signal, runtime);
    order.progress?.(rule.name, seen.state);
    results.push({ ruleName: rule.name, ...seen });
  }
  return { ok: true, results, passed: results.length > 0 && results.every(({ passed }) => passed === true) };
}

async function test(
  rule: ValidationRule,
  order: RuleOrder,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<Seen> {
  switch (rule.type) {
    case 'command':
      return isAllowed(rule, order)
        ? testCommand(rule, order, signal, runtime)
        : notRun(sayRefused(rule, order));
    case 'pattern':
      return testPattern(rule, order, signal);
    case 'file-exists':
      return testFile(rule.file, order.project);
  }
}
