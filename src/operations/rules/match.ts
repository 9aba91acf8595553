/**
 * Looks for a regular expression that somebody else wrote. A hostile one can take centuries, and nothing in the language can
 * end it, so it runs in a thread that we end.
 */
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../core/thrown.ts';

/** Any honest pattern takes milliseconds for the longest text that we read. */
const MOST_MS = 2_000;
const MOST_MB = 128;
const FLAGS = /^[imsu]*$/;

export type Match =
  | { readonly is: 'found'; readonly text: string }
  | { readonly is: 'absent' }
  /** The pattern is not a pattern, or took too long. */
  | { readonly is: 'failed'; readonly why: string };

/** In plain CommonJS, as text: a thread in a file of its own would have to be shipped beside every bundle. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const found = new RegExp(workerData.pattern, workerData.flags).exec(workerData.text);
  parentPort.postMessage(found === null ? null : found[0].slice(0, 200));
`;

export async function match(
  pattern: string,
  flags: string,
  text: string,
  signal: AbortSignal,
  mostMs = MOST_MS,
): Promise<Match> {
  if (!FLAGS.test(flags)) return { is: 'failed', why: `the flags ${JSON.stringify(flags)} are not allowed` };
  try {
    // Compiling takes no time, whatever the pattern is.
    RegExp(pattern, flags);
  } catch (error) {
    return { is: 'failed', why: errorMessage(error) };
  }
  return new Promise((resolve) => {
    const worker = new Worker(THREAD, {
      eval: true,
      execArgv: [],
      env: {},
      workerData: { pattern, flags, text },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    });
    const end = (result: Match) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(result);
      void worker.terminate();
    };
    const abort = () => end({ is: 'failed', why: 'broken off' });
    const timer = setTimeout(
      () => end({ is: 'failed', why: `the pattern took longer than ${mostMs / 1000} s` }),
      mostMs,
    );
    signal.addEventListener('abort', abort, { once: true });
    worker.once('message', (found: unknown) =>
      end(typeof found === 'string' ? { is: 'found', text: found } : { is: 'absent' }),
    );
    worker.once('error', (error) => end({ is: 'failed', why: error.message }));
  });
}
