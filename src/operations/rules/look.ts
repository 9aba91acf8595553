/**
 * Rules that only look: at a file of the project, or at the agent's output. "Not run" is a result of its own, so that
 * nobody takes silence for success.
 */
import { isAbsolute, resolve } from 'node:path';
import { oneLine } from '../../core/words/sanitize.ts';
import { isIn, leadsOut } from '../../files/paths.ts';
import { readRegular } from '../../files/read.ts';
import type { PatternRule } from '../../flags/validation-rules.ts';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../core/shape.ts';

export interface RuleResult {
  readonly ruleName: string;
  /** Null: the rule was not run, so nobody knows. */
  readonly passed: boolean | null;
  readonly state: 'passed' | 'failed' | 'not-run';
  readonly message: string;
}

export type Seen = Omit<RuleResult, 'ruleName'>;

export function seen(passed: boolean, message: string): Seen {
  return { passed, state: passed ? 'passed' : 'failed', message };
}

export function notRun(message: string): Seen {
  return { passed: null, state: 'not-run', message };
}

const SHOWN = 500;

export interface RuleGround {
  readonly project: string;
  readonly output: string | null;
}

export async function testPattern(rule: PatternRule, ground: RuleGround, signal: AbortSignal): Promise<Seen> {
  const { pattern, flags = '', file, expect = 'present' } = rule;
  const text = file === undefined ? ground.output : readIn(ground.project, file);
  const place = file === undefined ? 'the output' : oneLine(file, 120);
  if (text === null) return notRun('the output of the agent was not given');
  if (typeof text !== 'string') return text;
  const found = await match(pattern, flags, text, signal);
  switch (found.is) {
    case 'failed':
      return notRun(`the pattern can't be used: ${oneLine(found.why, SHOWN)}`);
    case 'absent':
      return seen(expect === 'absent', `the pattern does not occur in ${place}`);
    case 'found':
      return seen(expect === 'present', `the pattern occurs in ${place}: ${oneLine(found.text, 120)}`);
  }
}

export function testFile(file: string, project: string): Seen {
  const content = readIn(project, file);
  return typeof content === 'string' ? seen(true, `${oneLine(file, 120)} is there`) : content;
}

/** A regular file of the project. Nothing outside is read, not even through a link. */
function readIn(project: string, file: string): string | Seen {
  const name = oneLine(file, 120);
  const [path, folder] = [resolve(project, file), resolve(project)];
  const isNamed = !isAbsolute(file) && !file.includes('\0') && path !== folder && isIn(path, folder);
  if (!isNamed || leadsOut(path, folder)) return notRun(`${name} is not in the project`);
  const read = readRegular(path);
  if (read.is === 'content') return read.content;
  return read.is === 'gone'
    ? seen(false, `${name} is not there`)
    : notRun(`${name} can't be read (${read.why})`);
}

/** Any honest pattern takes milliseconds for the longest text that we read. */
const MOST_MS = 2_000;
const MOST_MB = 128;
const FLAGS = /^[imsu]*$/;

export type Match =
  | { readonly is: 'found'; readonly text: string }
  | { readonly is: 'absent' }
  | { readonly is: 'failed'; readonly why: string };

/** In plain CommonJS, as text: a thread in a file of its own would have to be shipped beside every bundle. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const found = new RegExp(workerData.pattern, workerData.flags).exec(workerData.text);
  parentPort.postMessage(found === null ? null : found[0].slice(0, 200));
`;

/** Somebody else wrote the pattern. A hostile one can take centuries, so it runs in a thread that we end. */
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
