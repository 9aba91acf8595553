/**
 * `--dry-run`: begins the loop over a store that forgets. The checks do run, because their result is part of
 * the answer.
 */
import { checksOf } from '#law/gates.ts';
import { planOf, type Loop } from '#law/loop.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { withScratch } from '#base/files/scratch.ts';
import { beginPass } from '#engine/driver/pass/begin-pass.ts';
import { beginRun, type RunHost, type RunRefused } from '#engine/begin/run.ts';
import { overlay } from '#store/rehearsal.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayPlan } from '#telling/story/say-plan.ts';
import { sayFailsNow, tellingLines } from '#telling/person/red-check.ts';
import type { GateStatus } from '#telling/gate-status.ts';
import { statusOf } from '#telling/loop-status.ts';
import { sayTerms, sayWarnings } from '#telling/person/to-person.ts';
import { gateLine } from '../look/status/status.ts';
import { here, actor, sayingChecks } from '../context.ts';
import { EXIT, failToBegin, paint, verbatim, type Line, reply } from '../terminal/terminal.ts';
import type { RunLine } from './run-line.ts';

export function forgetting(runtime: Runtime, act: (runtime: Runtime) => Promise<number>): Promise<number> {
  return withScratch('rehearsal', (scratch) => act({ ...runtime, store: overlay(runtime.store, scratch) }));
}

export function dryRun(
  { what, worktree, as }: RunLine & { readonly what: { readonly is: 'run' } },
  on: RunHost,
  runtime: Runtime,
): Promise<number> {
  return forgetting(sayingChecks(runtime), async (forgetful) => {
    const order = { ...what, project: here(), worktree, by: actor(), on, isRehearsal: true };
    const begun = await beginRun(order, forgetful);
    if (!begun.ok) return failToRun(begun);
    const { open, permissionMode, warnings, notes, proofs } = begun;
    const loop = open.loop();
    const taken = beginPass(open, { ...on, permissionMode }, null, forgetful);
    if (taken === null) throw new Error('nobody else can take a loop that is in memory');
    const { args, stdin } = on.host.command(taken.asked, { cwd: open.loop().project, env: runtime.env });
    const setup = worktree?.setup ?? null;
    const untried = setup === null ? [] : [`the work tree is prepared with: ${setup}`];
    const said = [...notes, ...untried, ...warnings];
    const dry = { notes: said, proofs, brief: stdin, command: [on.program, ...args] };
    return showDry(loop, dry, as === 'json', runtime);
  });
}

export function failToRun(refused: RunRefused): number {
  return refused.isHostUnfit ? failToBegin(refused, EXIT.fatal) : failToBegin(refused);
}

interface Dry {
  readonly notes: readonly string[];
  /** What the checks showed. */
  readonly proofs: readonly CheckProof[];
  readonly brief: string;
  readonly command: readonly string[];
}

export function showDry(loop: Loop, dry: Dry, json: boolean, { now }: Runtime): number {
  const { notes, proofs, brief, command } = dry;
  const { max_iterations, max_cost_usd, max_tokens, max_stalls, ...told } = statusOf(loop, now());
  const gates = withBaseline(loop, told.gates, proofs);
  const plan = loop.driver === 'fresh' ? planOf(loop) : null;
  const said = [...sayWarnings(loop), ...notes.map((text) => `Note: ${text}`)];
  const { project, driver } = loop;
  const { timeMs } = loop.limits;
  const max_seconds = timeMs === null ? null : timeMs / 1_000;
  const limits = { max_iterations, max_seconds, max_cost_usd, max_tokens, max_stalls };
  return reply(
    json,
    { dry_run: true, project, driver, gates, ...limits, plan, notes: said, brief, command },
    'Da Capo: a dry run. Nothing is started, and Da Capo writes nothing. The ids below are examples.',
    sayTerms(loop),
    ...said,
    ...section(
      'Gates, before the first iteration:',
      gates.flatMap((gate) => baselineLines(gate, proofs, project)),
    ),
    ...section(
      'Iterations:',
      (plan === null ? [] : sayPlan(plan)).map(([name, words]) => `${name}: ${words}`),
    ),
    ...section('The agent is told:', brief.split('\n'), (line) => line),
    ...section('It is started with:', [command.map(shellWord).join(' ')]),
  );
}

function section(title: string, lines: readonly string[], as: (line: string) => Line = verbatim): Line[] {
  if (lines.length === 0) return [];
  return ['', paint.bold(title), ...lines.map((line) => as(line === '' ? '' : `  ${line}`))];
}

/** Below a check that fails, the lines of its output that tell the most. */
function baselineLines(gate: GateStatus, proofs: readonly CheckProof[], folder: string): string[] {
  if (gate.gate !== 'check' || gate.seen === null) return [gateLine(gate)];
  const proof = proofs.find(({ command }) => command === gate.wanted);
  const telling = gate.holds === false && proof !== undefined ? tellingLines(proof, folder) : [];
  return [`${gateLine(gate)}: ${gate.seen}`, ...telling.map((line) => `    ${line}`)];
}

/** What the checks showed before the first pass. A report only knows what stops showed. */
function withBaseline(loop: Loop, gates: readonly GateStatus[], proofs: readonly CheckProof[]): GateStatus[] {
  const checks = new Map(checksOf(loop.frame).map(({ command, begun }) => [command, begun]));
  return gates.map((gate) => {
    const begun = gate.gate === 'check' ? checks.get(gate.wanted) : undefined;
    if (begun === undefined) return gate;
    const proof = proofs.find(({ command }) => command === gate.wanted);
    const fails = (proof && sayFailsNow(proof)) || 'fails now';
    return { ...gate, holds: begun === 'passed', seen: begun === 'passed' ? 'passes already' : fails };
  });
}
