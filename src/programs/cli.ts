/**
 * The first file of the command line. It runs on any Node, so that one that is too old gets a sentence and no
 * stack trace. The hook and the status line load little: a session waits for them.
 */
import { sayTooOld } from '#base/process/node-version.ts';
import { version, VERSION_WORDS } from '#base/process/package.ts';
import { printFailure } from '#base/process/print-failure.ts';

/** For every command, wherever it stands; behind `--` it is the agent's. `terminal.ts` looks for it. */
const dashes = process.argv.indexOf('--');
const [, , command, ...words] = process.argv.filter(
  (word, at) => word !== '--no-color' || (dashes >= 0 && at > dashes),
);
void runCommandLine();

async function runCommandLine(): Promise<void> {
  const old = sayTooOld(process.versions.node);
  const isForHost = command === 'hook' || command === 'statusline';
  if (old !== null) {
    const failed = printFailure(old, 'Update Node: https://nodejs.org', words);
    // A hook fails open.
    process.exitCode = command === 'hook' ? 0 : failed;
  } else if (isForHost && !words.some((word) => word === '--help' || word === '-h'))
    await (await import('#surfaces/cli/hook.ts')).runHook(command === 'hook' ? words : []);
  else if (command !== undefined && VERSION_WORDS.includes(command)) sayVersion();
  else process.exitCode = await (await import('#surfaces/cli/program.ts')).runProgram(command, words);
}

/** Without the program, which takes as long to load as Node itself. */
function sayVersion(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const next = 'check where the output goes, and try again.';
    // A reader may close the pipe early.
    const isClosed = error.code === 'EPIPE';
    process.exit(
      isClosed ? 0 : printFailure(`the output could not be written: ${error.message}`, next, words),
    );
  });
  process.stdout.write(`${version()}\n`);
}
