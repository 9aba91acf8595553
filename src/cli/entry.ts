/** The first file of the command line. It runs on any Node, so that one that is too old gets a sentence and no stack trace. */
import { sayTooOld } from '../process/node-version.ts';

const old = sayTooOld(process.versions.node);
const next = 'Update Node: https://nodejs.org';

if (old === null) await import('./main.ts');
else {
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: old, next, exit: 1 }));
  console.error(`error: ${old}\nnext: ${next}`);
  // A hook fails open.
  process.exitCode = process.argv[2] === 'hook' ? 0 : 1;
}
