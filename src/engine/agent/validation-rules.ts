/**
 * Tests validation rules: commands that the user allows, patterns, files. "Not run" is a result of its own,
 * so that nobody takes silence for success.
 */
import { isAbsolute, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { checksOf } from '#law/gates.ts';
import { framesOf, type Loop } from '#law/loop.ts';
import { refuseTooLong, type Refusal } from '#base/refusal.ts';
import { errorMessage } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { isIn, leadsOut } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import { type OwnRules, readUserConfig, sayMisfit } from '#input/config/user-config.ts';
import { readRules, type RuleOf, type ValidationRule } from '#input/config/validation-rules.ts';
import type { RuleSeen } from '#evidence/proofs/stop-hooks/ask.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Store } from '#store/store.ts';
import { CHECK_MS } from '../asked/gates.ts';
import { runChecksOutsideStop } from '../begin/prepare.ts';

export interface RuleOrder {
  readonly project: string;
  readonly loop: Loop | null;
  readonly own: OwnRules;
  /** What the agent said; null: nobody knows. */
  readonly output: string | null;
  /** As the caller gives them: they are read strictly. */
  readonly rules: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Called when a rule begins (`how` is null) and when it ends. */
  readonly progress?: ((rule: string, how: RuleResult['state'] | null) => void) | undefined;
}

export interface RuleResult extends RuleSeen {
  readonly state: 'passed' | 'failed' | 'not-run';
}

export interface RulesRun {
  readonly ok: true;
  readonly results: readonly RuleResult[];
  /** All of them passed. False if there are none. */
  readonly passed: boolean;
}

type RuleOutcome = Omit<RuleResult, 'ruleName'>;

const MAX_OUTPUT_CHARS = 200_000;
const MAX_REASON_CHARS = 500;

/** One after another: rules may share a build folder. */
export async function runRules(order: RuleOrder, runtime: Runtime): Promise<RulesRun | Refusal> {
  const read = readRules(order.rules);
  if (!read.ok) return read;
  if (order.output !== null && order.output.length > MAX_OUTPUT_CHARS)
    return refuseTooLong(order.output, MAX_OUTPUT_CHARS);
  const signal = order.signal ?? new AbortController().signal;
  const results: RuleResult[] = [];
  for (const rule of read.rules) {
    order.progress?.(rule.name, null);
    const result = signal.aborted ? notRun('broken off') : await test(rule, order, signal, runtime);
    order.progress?.(rule.name, result.state);
    results.push({ ruleName: rule.name, ...result });
  }
  return { ok: true, results, passed: results.length > 0 && results.every(({ passed }) => passed === true) };
}

async function test(rule: ValidationRule, order: RuleOrder, signal: AbortSignal, runtime: Runtime) {
  switch (rule.type) {
    case 'command':
      return testCommand(rule.command, order, signal, runtime);
    case 'pattern':
      return testPattern(rule, order, signal);
    case 'file-exists': {
      const content = readIn(order.project, rule.file);
      return typeof content === 'string' ? seen(true, `${oneLine(rule.file, 120)} is there`) : content;
    }
  }
}

function seen(passed: boolean, message: string): RuleOutcome {
  return { passed, state: passed ? 'passed' : 'failed', message };
}

function notRun(message: string): RuleOutcome {
  return { passed: null, state: 'not-run', message };
}

/** An agent chooses among the commands that a person wrote down. It never writes one. */
async function testCommand(
  command: string,
  { project, loop, own }: RuleOrder,
  signal: AbortSignal,
  { proving: _, ...runtime }: Runtime,
): Promise<RuleOutcome> {
  const frames = loop === null ? [] : framesOf(loop);
  const known = frames.flatMap(checksOf).find((gate) => gate.command === command && !gate.heldOut);
  if (known === undefined && !own.commands.includes(command)) return notRun(sayRefused(command, loop));
  const gate = known ?? { kind: 'check', name: null, command, timeoutMs: CHECK_MS };
  const terms = { cwd: project, parallel: 1, budgetMs: gate.timeoutMs };
  const [proof] = await runChecksOutsideStop([gate], terms, { ...runtime, stopped: signal });
  if (proof === undefined || signal.aborted) return notRun('broken off');
  const { outcome } = proof;
  const tail = 'tail' in outcome ? outcome.tail : '';
  const says = [sayOutcome(outcome), tail].filter(Boolean).join('\n');
  // A command that is not there was not run.
  return outcome.is === 'unstartable' ? notRun(says) : seen(outcome.is === 'passed', says);
}

function sayRefused(command: string, loop: Loop | null): string {
  const checks = loop === null ? [] : checksOf(loop.frame).map((gate) => `\`${oneLine(gate.command, 80)}\``);
  const known = checks.length === 0 ? '' : `; the checks of the loop are ${checks.join(', ')}`;
  return `\`${oneLine(command, 80)}\` is not in rules.commands of the user's config${known}`;
}

async function testPattern(
  { pattern, flags = '', file, expect = 'present' }: RuleOf<'pattern'>,
  { project, output }: RuleOrder,
  signal: AbortSignal,
): Promise<RuleOutcome> {
  const text = file === undefined ? output : readIn(project, file);
  const place = file === undefined ? 'the output' : oneLine(file, 120);
  if (text === null) return notRun('the output of the agent was not given');
  if (typeof text !== 'string') return text;
  const found = await match({ pattern, flags }, text, signal);
  switch (found.is) {
    case 'failed':
      return notRun(`the pattern can't be used: ${oneLine(found.why, MAX_REASON_CHARS)}`);
    case 'absent':
      return seen(expect === 'absent', `the pattern does not occur in ${place}`);
    case 'found':
      return seen(expect === 'present', `the pattern occurs in ${place}: ${oneLine(found.text, 120)}`);
  }
}

/** A regular file of the project. Nothing outside is read, not even through a link. */
function readIn(project: string, file: string): string | RuleOutcome {
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
const MAX_THREAD_MS = 2_000;
const MAX_THREAD_MB = 128;
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
  { pattern, flags }: { readonly pattern: string; readonly flags: string },
  text: string,
  signal: AbortSignal,
  mostMs = MAX_THREAD_MS,
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
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB },
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

/** A config that can't be used allows nothing, and says so. */
export function readOwnRules(store: Pick<Store, 'config'>): ({ readonly ok: true } & OwnRules) | Refusal {
  const read = readUserConfig(store.config);
  if (read.ok) return { ok: true, ...read.value.rules };
  return { ...read, message: sayMisfit(read) };
}
