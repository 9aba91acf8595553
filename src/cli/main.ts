/** The entry of the command line. The hook and the status line come first and load little: a session waits for them. */
import { EXIT } from './terminal/exit-codes.ts';
import { failUnforeseen } from './terminal/errors.ts';
import { fail } from './terminal/terminal.ts';

const [, , command, ...words] = process.argv;

// A reader may close the pipe early (`dacapo list | head -1`). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Another listener has work under way and ends it first.
  if (process.stdout.listenerCount('error') > 1) return;
  process.exit(
    error.code === 'EPIPE'
      ? (process.exitCode ?? EXIT.ok)
      : fail(`the output could not be written: ${error.message}`, 'look at where it goes, and try again.'),
  );
});

const wantsHelp = words.some((word) => word === '--help' || word === '-h');

if (command === 'statusline' && !wantsHelp) {
  const [{ createRequire }, { HOOK }] = await Promise.all([
    import('node:module'),
    import('../process/package.ts'),
  ]);
  createRequire(import.meta.url)(HOOK);
} else if (command === 'hook' && !wantsHelp) {
  const { runHook } = await import('./hook.ts');
  await runHook(words);
} else {
  try {
    const why = await refusedHome();
    process.exitCode =
      why === null
        ? await (await import('./program.ts')).runProgram(command, words)
        : fail(
            `DACAPO_HOME ${why}: ${JSON.stringify(process.env['DACAPO_HOME'])}.`,
            'give the whole path of a folder of your own: the state of your loops lies outside of projects.',
            EXIT.usage,
          );
  } catch (error) {
    process.exitCode = failUnforeseen(error);
  }
}

async function refusedHome(): Promise<string | null> {
  if (!process.env['DACAPO_HOME']) return null;
  const [{ whyNotHome }, { enclosingProject }] = await Promise.all([
    import('../store/file/home.ts'),
    import('./project.ts'),
  ]);
  return whyNotHome(process.env, enclosingProject());
}
