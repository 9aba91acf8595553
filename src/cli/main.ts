/** The entry of the command line. The hook goes first and alone: a session waits for it. */
import { EXIT } from './exit-codes.ts';
import { fail } from './terminal.ts';

const [, , command, ...words] = process.argv;

// A reader that has seen enough (`dacapo list | head -1`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

if (command === 'hook') {
  const { runHook } = await import('./hook.ts');
  runHook();
} else {
  try {
    const { runProgram } = await import('./program.ts');
    process.exitCode = await runProgram(command, words);
  } catch (error) {
    process.exitCode = fail(
      error instanceof Error ? error.message : String(error),
      'that was not foreseen: dacapo doctor looks for the cause.',
    );
  }
}
