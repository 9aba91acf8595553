/**
 * Runs the program that loads a config and its stop hooks. That is user code, so it runs in its own process,
 * under the supervisor, which ends it with everything that it started. Question and answer are files, so
 * nothing that user code prints can spoil them; its output is kept as evidence.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { goal } from '#law/record/definition.ts';
import { evaluation, type LoopContext } from '#law/proof/stop-hooks.ts';
import * as s from '#base/shape.ts';
import { supervise } from '#base/process/supervise.ts';
import type { Pins } from '#store/store.ts';
import { isField } from './package-fields.ts';

export interface HooksOrder {
  readonly project: string;
  readonly config: string | null;
  readonly stored: readonly object[];
  /** What may be loaded. Null: anything, because we load it in order to pin it. */
  readonly pins: Pins | null;
  /** Null: we only ask what the config holds. */
  readonly context: LoopContext | null;
  readonly timeoutMs: number;
  /** One JSON document per line: first which hook is being asked, at the end the result. */
  readonly answer: string;
}

const command = { name: s.text, command: s.text, timeoutMs: s.orNull(s.positive) };
const description = s.record({
  is: s.oneOf('described'),
  checks: s.list(s.record(command)),
  measures: s.list(s.record({ ...command, keep: s.flag, target: s.orNull(goal) })),
  parallel: s.orNull(s.positive),
  checkTimeoutMs: s.orNull(s.positive),
  checksTimeoutMs: s.orNull(s.positive),
  recheckMs: s.orNull(s.positive),
  hookTimeoutMs: s.orNull(s.positive),
  hooksTimeoutMs: s.orNull(s.positive),
  approve: s.list(s.text),
  approveDone: s.flag,
  approvalTimeoutMs: s.orNull(s.positive),
  approvalPolicy: s.oneOf('file', 'person'),
  reviewers: s.list(s.record({ host: s.text, model: s.orNull(s.text) })),
  maxReviews: s.orNull(s.positive),
  hooks: s.list(s.record({ name: s.text, of: s.text })),
  modules: s.list(s.text),
  /** All files that were loaded, and the fields of package.json files that decided this. */
  loaded: s.record({
    files: s.list(s.text),
    fields: s.list(s.record({ file: s.text, field: isField })),
  }),
});
export type ConfigDescription = s.Infer<typeof description>;

const failure = s.record({ is: s.oneOf('failed'), error: s.text, hook: s.orNull(s.text) });
const evaluated = s.record({ is: s.oneOf('evaluated'), evaluation });
const asking = s.record({ is: s.oneOf('asking'), hook: s.text });

/** Before Node 22.15, what an ES module imports can't be seen if `require` loaded it. */
const NODE_FLAGS = 'registerHooks' in Module ? [] : ['--no-experimental-require-module'];

export interface HooksRun {
  readonly runner: string;
  readonly signal: AbortSignal;
  /** A folder for this run alone, made and removed here. */
  readonly scratch: string;
  readonly output: string;
  readonly allMs: number;
}

/** `hook`: the one that did not answer; null if it was not a hook. */
type Failed = s.Infer<typeof failure> & { readonly ms: number };
export type Described = ConfigDescription | Failed;
export type Evaluated = s.Infer<typeof evaluated> | Failed;

export function describeConfig(order: Omit<HooksOrder, 'answer' | 'context'>, hooksRun: HooksRun) {
  return run({ ...order, context: null }, hooksRun, description);
}

export function askHooksRunner(order: Omit<HooksOrder, 'answer'>, hooksRun: HooksRun): Promise<Evaluated> {
  return run(order, hooksRun, evaluated);
}

/** `wanted`: what the last line of the answer has to be. */
async function run<T>(
  order: Omit<HooksOrder, 'answer'>,
  hooksRun: HooksRun,
  wanted: s.Shape<T>,
): Promise<T | Failed> {
  mkdirSync(hooksRun.scratch, { recursive: true, mode: 0o700 });
  const question = join(hooksRun.scratch, 'question.json');
  const answer = join(hooksRun.scratch, 'answer.jsonl');
  const overdue = new AbortController();
  const endWatch = watchHook(answer, order.timeoutMs, () => overdue.abort());
  try {
    writeFileSync(question, JSON.stringify({ ...order, answer } satisfies HooksOrder), { mode: 0o600 });
    const account = await supervise(
      {
        command: process.execPath,
        args: [...NODE_FLAGS, join(dirname(hooksRun.runner), 'hooks-runner.cjs'), question],
        cwd: order.project,
        timeoutMs: Math.max(1, Math.floor(hooksRun.allMs)),
        output: hooksRun.output,
      },
      hooksRun.runner,
      AbortSignal.any([hooksRun.signal, overdue.signal]),
    );
    const last = messagesIn(answer).at(-1);
    if (wanted(last)) return last;
    const error = failure(last)
      ? last.error
      : overdue.signal.aborted || account.is === 'timed-out'
        ? `${whoIsAsked(last)} gave no answer within ` +
          `${(overdue.signal.aborted ? order.timeoutMs : hooksRun.allMs) / 1000} s, and was ended`
        : `${whoIsAsked(last)} ended its process${account.is === 'unstartable' ? `: ${account.error}` : ''}`;
    const hook = asking(last) || failure(last) ? last.hook : null;
    return { is: 'failed', error, hook, ms: account.ms };
  } finally {
    endWatch();
    rmSync(hooksRun.scratch, { recursive: true, force: true });
  }
}

function whoIsAsked(last: unknown): string {
  return asking(last) ? `stop hook ${last.hook}` : 'the config';
}

const HOOK_POLL_MS = 200;
/** Its own process times out a hook that yields; we wait this much longer. */
const GRACE_MS = 1_000;

/** A hook that never yields can be ended from outside alone: we watch whether the answer still grows. */
function watchHook(answer: string, timeoutMs: number, late: () => void): () => void {
  let seen = 0;
  let since = performance.now();
  const timer = setInterval(() => {
    const lines = messagesIn(answer).length;
    if (lines !== seen) {
      seen = lines;
      since = performance.now();
    } else if (seen > 0 && performance.now() - since > timeoutMs + GRACE_MS) late();
  }, HOOK_POLL_MS);
  return () => clearInterval(timer);
}

function messagesIn(path: string): unknown[] {
  return s.attempt(() => s.jsonLines(readFileSync(path, 'utf8')), []);
}
