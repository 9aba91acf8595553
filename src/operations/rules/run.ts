/** Runs validation rules: commands that the user allows, patterns, files. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import { testFile, testPattern, type RuleGround, notRun, type RuleResult, type Seen, seen } from './look.ts';
import { readRules, type ValidationRule, type CommandRule } from '../../flags/validation-rules.ts';
import { checksOf } from '../../core/gates.ts';
import { topFrame, type Loop } from '../../core/loop.ts';
import { sayOutcome } from '../../core/words/seldom.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { CHECK_MS } from '../begin/check-program.ts';
import { runChecks } from '../begin/prepare.ts';
import { type OwnRules, readUserConfig, sayMisfit } from '../../flags/user-config.ts';
import type { Store } from '../../store/store.ts';

export interface RuleOrder extends CommandBench, RuleGround {
  /** As the caller gives them: they are read strictly. */
  readonly rules: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Called when a rule begins (`how` is null) and when it ends. */
  readonly progress?: ((rule: string, how: RuleResult['state'] | null) => void) | undefined;
}

export interface RulesRun {
  readonly ok: true;
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
      return testCommand(rule, order, signal, runtime);
    case 'pattern':
      return testPattern(rule, order, signal);
    case 'file-exists':
      return testFile(rule.file, order.project);
  }
}

export interface CommandBench {
  readonly project: string;
  readonly loop: Loop | null;
  readonly own: OwnRules;
}

function sayRefused(command: string, loop: Loop | null): string {
  const checks =
    loop === null ? [] : checksOf(topFrame(loop)).map((gate) => `\`${oneLine(gate.command, 80)}\``);
  const known = checks.length === 0 ? '' : `; the checks of the loop are ${checks.join(', ')}`;
  return `\`${oneLine(command, 80)}\` is not in rules.commands of the user's config${known}`;
}

/** An agent chooses among the commands that a person wrote down. It never writes one. */
async function testCommand(
  { command }: CommandRule,
  { project, loop, own }: CommandBench,
  signal: AbortSignal,
  { proving: _, ...runtime }: Runtime,
): Promise<Seen> {
  const known = loop?.frames.flatMap(checksOf).find((gate) => gate.command === command);
  if (known === undefined && !own.commands.includes(command)) return notRun(sayRefused(command, loop));
  const gate = known ?? { kind: 'check', name: null, command, timeoutMs: CHECK_MS };
  const bench = { cwd: project, parallel: 1, budgetMs: gate.timeoutMs };
  const [proof] = await runChecks([gate], bench, { ...runtime, stopped: signal });
  if (proof === undefined || signal.aborted) return notRun('broken off');
  const { outcome } = proof;
  const tail = 'tail' in outcome ? outcome.tail : '';
  const says = [sayOutcome(outcome), tail].filter(Boolean).join('\n');
  // A command that is not there was not run.
  return outcome.is === 'unstartable' ? notRun(says) : seen(outcome.is === 'passed', says);
}

/** A config that can't be used allows nothing, and says so. */
export function readOwnRules(store: Pick<Store, 'config'>): ({ readonly ok: true } & OwnRules) | Refusal {
  const read = readUserConfig(store.config);
  if (read.ok) return { ok: true, ...read.value.rules };
  return { ...read, message: sayMisfit(read) };
}
