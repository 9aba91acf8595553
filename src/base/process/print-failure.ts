/**
 * An error and the next step, printed by a program that starts without the terminal's own means. A program
 * that asked for JSON reads it on stdout.
 */
export function printFailure(what: string, next: string, words: readonly string[]): number {
  if (words.includes('--json')) process.stdout.write(`${JSON.stringify({ error: what, next, exit: 1 })}\n`);
  process.stderr.write(`error: ${what}\nnext: ${next}\n`);
  return 1;
}
