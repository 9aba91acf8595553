/**
 * `dacapo completion SHELL`: prints a script that completes commands, flags and ids, made from the parser's own
 * tables.
 */
import type { Command } from 'commander';
import { shortUsage, type Completed } from './completion-words.ts';
import { bashScript, fishScript, zshScript } from './completion-scripts.ts';
import { cliRuntime } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, say, verbatim } from '../terminal/terminal.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function runCompletion(shell: string | undefined, program: Command): number {
  // Called by the scripts themselves, because the ids may change between two key presses.
  if (shell === 'ids') {
    const ids = cliRuntime()
      .store.loops()
      .map(({ id }) => id);
    if (ids.length > 0) say(...ids.toReversed().map(verbatim));
    return EXIT.ok;
  }
  const script = SCRIPTS[shell ?? ''];
  if (script === undefined)
    return fail(
      shell === undefined ? 'no shell is named.' : `there is no completion for ${JSON.stringify(shell)}.`,
      'name bash, zsh or fish, as in: eval "$(dacapo completion bash)"',
      EXIT.usage,
    );
  say(verbatim(script(program.commands.map(shortUsage))));
  return EXIT.ok;
}
