/**
 * Asks the program that loads a config and its stop hooks: user code, in a process of its own, under the supervisor that
 * ends it with all that it started. Question and answer are files, so nothing that user code prints can spoil them; what
 * it prints is kept as evidence.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { evaluation, type HookEvaluation } from '../../core/stop-hooks/account.ts';
import type { HookContext } from '../../core/stop-hooks/context.ts';
import { list, oneOf, orNull, positive, record, text, type Infer } from '../../core/shape.ts';
import { supervise } from '../../process/supervise.ts';
import type { Pins } from '../../store/store.ts';
import { isField } from './package-fields.ts';

/** What the program is told. */
export interface HooksOrder {
  readonly project: string;
  /** The config, as seen from the project. */
  readonly config: string | null;
  /** Hooks of the user's own, as data. */
  readonly stored: readonly object[];
  /** What may be loaded. Null: anything, since it is looked at in order to be pinned. */
  readonly pins: Pins | null;
  /** Null: it is only asked what the config holds. */
  readonly context: HookContext | null;
  readonly timeoutMs: number;
  /** One JSON document a line: which hook is asked now, and at last what came of it. */
  readonly answer: string;
}

const description = record({
  is: oneOf('described'),
  checks: list(record({ name: text, command: text, timeoutMs: orNull(positive) })),
  parallel: orNull(positive),
  checkTimeoutMs: orNull(positive),
  checksTimeoutMs: orNull(positive),
  hookTimeoutMs: orNull(positive),
  hooksTimeoutMs: orNull(positive),
  hooks: list(record({ name: text, of: text })),
  /** Modules of hooks that it lists, as seen from the project. */
  modules: list(text),
  /** All that was loaded on the way, and what of package.json files decided that. */
  loaded: record({
    files: list(text),
    fields: list(record({ file: text, field: isField })),
  }),
});
export type ConfigDescription = Infer<typeof description>;

const failure = record({ is: oneOf('failed'), error: text, hook: orNull(text) });
const evaluated = record({ is: oneOf('evaluated'), evaluation });
const asking = record({ is: oneOf('asking'), hook: text });

/** Before Node 22.15 nothing sees what an ES module imports that was loaded by `require`, so that is switched off there. */
const NODE_FLAGS = 'registerHooks' in Module ? [] : ['--no-experimental-require-module'];

export interface HooksBench {
  readonly runner: string;
  readonly signal: AbortSignal;
  /** A folder of our own, made and taken away here. */
  readonly scratch: string;
  /** Where what user code prints is kept. */
  readonly output: string;
  /** The whole of it may take this long. */
  readonly allMs: number;
}

interface Failed {
  readonly is: 'failed';
  readonly error: string;
  /** The hook that did not answer, where it was one. */
  readonly hook: string | null;
  readonly ms: number;
}

export type Described = ConfigDescription | Failed;
export type Evaluated = { readonly is: 'evaluated'; readonly evaluation: HookEvaluation } | Failed;

export async function describeConfig(
  order: Omit<HooksOrder, 'answer' | 'context'>,
  bench: HooksBench,
): Promise<Described> {
  const { last, failed } = await run({ ...order, context: null }, bench);
  return description(last) ? last : failed;
}

export async function askHooks(order: Omit<HooksOrder, 'answer'>, bench: HooksBench): Promise<Evaluated> {
  const { last, failed } = await run(order, bench);
  return evaluated(last) ? last : failed;
}

interface Ran {
  /** The last line of the answer, whatever it is. */
  readonly last: unknown;
  /** What is said where that line is not the one that was hoped for. */
  readonly failed: Failed;
}

async function run(order: Omit<HooksOrder, 'answer'>, bench: HooksBench): Promise<Ran> {
  mkdirSync(bench.scratch, { recursive: true, mode: 0o700 });
  const question = join(bench.scratch, 'question.json');
  const answer = join(bench.scratch, 'answer.jsonl');
  const overdue = new AbortController();
  const watch = watchHook(answer, order.timeoutMs, () => overdue.abort());
  try {
    writeFileSync(question, JSON.stringify({ ...order, answer } satisfies HooksOrder), { mode: 0o600 });
    const account = await supervise(
      {
        command: process.execPath,
        args: [...NODE_FLAGS, join(dirname(bench.runner), 'hooks-runner.cjs'), question],
        cwd: order.project,
        timeoutMs: Math.max(1, Math.floor(bench.allMs)),
        output: bench.output,
      },
      bench.runner,
      AbortSignal.any([bench.signal, overdue.signal]),
    );
    const last = linesOf(answer).at(-1);
    const error = failure(last)
      ? last.error
      : overdue.signal.aborted || account.is === 'timed-out'
        ? `${whoIsAsked(last)} gave no answer within ${(overdue.signal.aborted ? order.timeoutMs : bench.allMs) / 1000} s, and was ended`
        : `${whoIsAsked(last)} ended its process${account.is === 'unstartable' ? `: ${account.error}` : ''}`;
    return {
      last,
      failed: { is: 'failed', error, hook: asking(last) || failure(last) ? last.hook : null, ms: account.ms },
    };
  } finally {
    watch.end();
    rmSync(bench.scratch, { recursive: true, force: true });
  }
}

function whoIsAsked(last: unknown): string {
  return asking(last) ? `stop hook ${last.hook}` : 'the config';
}

const LOOK_MS = 200;
/** A hook that yields is timed out by its own process, a little before. */
const GRACE_MS = 1_000;

/** A hook that never yields can't be ended from inside its process: this sees that nothing has moved for too long. */
function watchHook(answer: string, timeoutMs: number, late: () => void): { readonly end: () => void } {
  let seen = 0;
  let since = performance.now();
  const timer = setInterval(() => {
    const lines = linesOf(answer).length;
    if (lines !== seen) {
      seen = lines;
      since = performance.now();
    } else if (seen > 0 && performance.now() - since > timeoutMs + GRACE_MS) late();
  }, LOOK_MS);
  return { end: () => clearInterval(timer) };
}

function linesOf(path: string): unknown[] {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return content.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
