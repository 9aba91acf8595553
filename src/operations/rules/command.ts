/** Runs a command that a person has written down: in the user's config, or as a check of the loop. */
import { checksOf, type CheckGate } from '../../core/gates.ts';
import { topFrame, type Loop } from '../../core/loop.ts';
import { sayOutcome } from '../../core/words/phrases.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { filesIn, withScratch } from '../../files/scratch.ts';
import { proveChecks } from '../../proofs/checks.ts';
import type { Runtime } from '../../store/runtime.ts';
import { CHECK_MS } from '../begin/check-program.ts';
import type { OwnRules } from '../../flags/user-config.ts';
import { notRun, seen, type Seen } from './result.ts';
import type { CommandRule } from '../../flags/validation-rules.ts';

export interface CommandBench {
  readonly project: string;
  /** Its checks may be run, too. */
  readonly loop: Loop | null;
  readonly own: OwnRules;
}

/** An agent chooses among the commands that a person wrote down. It never writes one. */
export function isAllowed(rule: CommandRule, { own, loop }: CommandBench): boolean {
  return own.commands.includes(rule.command) || gateOf(rule, loop) !== undefined;
}

function gateOf({ command }: CommandRule, loop: Loop | null): CheckGate | undefined {
  return loop?.frames.flatMap((frame) => checksOf(frame)).find((gate) => gate.command === command);
}

export function sayRefused({ command }: CommandRule, { loop }: CommandBench): string {
  const checks =
    loop === null ? [] : checksOf(topFrame(loop)).map((gate) => `\`${oneLine(gate.command, 80)}\``);
  const known = checks.length === 0 ? '' : `; the checks of the loop are ${checks.join(', ')}`;
  return `\`${oneLine(command, 80)}\` is not in rules.commands of the user's config${known}`;
}

export async function testCommand(
  rule: CommandRule,
  { project, loop }: CommandBench,
  signal: AbortSignal,
  { runner }: Runtime,
): Promise<Seen> {
  const { command } = rule;
  const gate = gateOf(rule, loop) ?? { kind: 'check', name: null, command, timeoutMs: CHECK_MS };
  const [proof] = await withScratch('rule', (folder) =>
    proveChecks([gate], {
      cwd: project,
      runner,
      parallel: 1,
      budgetMs: gate.timeoutMs,
      signal,
      evidence: filesIn(folder),
      begun: () => undefined,
      ended: () => undefined,
    }),
  );
  if (proof === undefined || signal.aborted) return notRun('broken off');
  const { outcome } = proof;
  const tail = 'tail' in outcome ? outcome.tail : '';
  const says = [sayOutcome(outcome), tail].filter(Boolean).join('\n');
  // A command that is not there was not run.
  return outcome.is === 'unstartable' ? notRun(says) : seen(outcome.is === 'passed', says);
}
