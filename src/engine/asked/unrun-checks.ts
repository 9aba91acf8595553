/**
 * Checks that can't be run at all: most often a typo. A red check is what a loop is for, but one that no pass
 * can turn green would cost a pass first. So a start refuses it, unless the person says that the agent has to
 * make it (`--check-later`).
 */
import { spawnSync } from 'node:child_process';
import type { CheckGate } from '#law/gates.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { duration } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';

/**
 * How runners say that they have no such script, target or recipe. Whatever else a runner says is a red
 * check, and shown as such; a target of make that only another one needs may be a file for the agent to
 * write.
 */
const NO_SUCH_SCRIPT = [
  /^npm (?:error|ERR!) (?:Missing script:|enoent Could not read package\.json)/,
  /^\s*ERR_PNPM_NO_(?:SCRIPT|IMPORTER_MANIFEST_FOUND)\b/,
  /^error (?:Command "[^"]*" not found|Couldn't find a package\.json)/,
  /^error: (?:Script not found|Justfile does not contain recipe|No justfile found)/,
  /^g?make: \*\*\* No (?:rule to make target [^,]*\.\s+Stop|targets\b)/,
];
const MAX_COMMAND_CHARS = 200;
const MAX_REASON_CHARS = 300;

/** `proofs`: in the order of the checks, from before the first pass. */
export function refuseUnrun(proofs: readonly CheckProof[], checks: readonly CheckGate[]): Refusal | null {
  for (const [at, proof] of proofs.entries()) {
    const why = whyUnrun(proof, checks[at]?.timeoutMs ?? Infinity);
    if (why === null) continue;
    return refuse(
      'unrun-check',
      `The check ${JSON.stringify(oneLine(proof.command, MAX_COMMAND_CHARS))} can't be run: ` +
        `${why.says.replace(/\.$/, '')}.`,
      `${why.next} If the agent has to make it run first, start with --check-later. No loop was made.`,
    );
  }
  return null;
}

function whyUnrun({ outcome }: CheckProof, timeoutMs: number) {
  const correct = 'Correct the check.';
  if (outcome.is === 'unstartable') return { says: oneLine(outcome.error, MAX_REASON_CHARS), next: correct };
  if (outcome.is === 'timed-out' && outcome.afterMs >= timeoutMs)
    return {
      says: `it did not finish within ${duration(timeoutMs)}`,
      next: 'Give it more: --check-timeout 10m.',
    };
  const lines = outcome.is === 'failed' ? outcome.tail.split('\n') : [];
  const line = lines.find((one) => NO_SUCH_SCRIPT.some((says) => says.test(one)));
  return line === undefined ? null : { says: oneLine(line, MAX_REASON_CHARS), next: correct };
}

/** A line that the shell itself can't read, for example because of a quote that is not closed. */
export function refuseSyntax(commands: readonly string[]): Refusal | null {
  for (const command of commands) {
    const { status, stderr, error } = spawnSync('sh', ['-n', '-c', command], { encoding: 'utf8' });
    if (error !== undefined || status === 0) continue;
    const why =
      oneLine(stderr.replace(/^sh: (?:-c: )?(?:line )?\d+: /, ''), MAX_REASON_CHARS) || 'a syntax error';
    return refuse(
      'bad-check',
      `The shell can't read the check ${JSON.stringify(oneLine(command, MAX_COMMAND_CHARS))}: ` +
        `${why.replace(/\.$/, '')}.`,
      'Correct its quotes and brackets. Nothing was changed.',
    );
  }
  return null;
}
