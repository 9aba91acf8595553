/** Runs a loop's checks once before its first pass: a check that passes already proves nothing by itself. */
import { begunOf, type Begun } from '../../core/gates.ts';
import { sayCheck, sayOutcome } from '../../core/words/phrases.ts';
import { filesIn, withScratch } from '../../files/scratch.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { hasItems } from '../../flags/options.ts';
import { proveChecks } from '../../proofs/checks.ts';
import { treeNow } from '../../proofs/tree-now.ts';
import type { Runtime } from '../../store/runtime.ts';
import { checkingOf } from './definition.ts';
import type { AskedGates, Baseline } from './prepare.ts';

/** In a session a person waits at the prompt, and the host ends a command's hook after 30 s. */
const SESSION_MS = 20_000;
const COMMAND_MS = 24_000;

/** `short`: a person waits at a prompt. `full`: as long as the checks of a stop may take. */
export type CheckTime = 'short' | 'full';

/** The mark is taken last, so that files which the checks write do not count as the agent's work. */
export async function takeBaseline(
  request: StartRequest,
  project: string,
  asked: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): Promise<Baseline> {
  const checks = await checksBefore(request, project, asked, time, runtime);
  return { checks, ...(await treeNow(project, asked.configured?.marks ?? null, runtime)) };
}

/** Each item of a list needs its own claim, so the checks of a list need no baseline. */
export async function checksBefore(
  request: StartRequest,
  project: string,
  { configured, checks }: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): Promise<ReadonlyMap<string, Begun>> {
  if (checks.length === 0 || hasItems(request)) return new Map();
  const { parallel, timeoutMs } = checkingOf(request, configured);
  const waitedMs = Date.parse(runtime.now()) - Date.parse(runtime.started);
  const proofs = await withScratch('baseline', (folder) =>
    proveChecks(checks, {
      cwd: project,
      runner: runtime.runner,
      parallel,
      budgetMs: time === 'short' ? Math.min(SESSION_MS, COMMAND_MS - waitedMs) : timeoutMs,
      signal: runtime.stopped ?? new AbortController().signal,
      evidence: filesIn(folder),
      begun: (check) => runtime.proving?.(sayCheck(check), null, ''),
      ended: (proof) => runtime.proving?.(sayCheck(proof), sayOutcome(proof.outcome), ''),
    }),
  );
  return new Map(
    proofs.flatMap((proof, at): [string, Begun][] => {
      const gate = checks[at];
      const begun = gate === undefined ? null : begunOf(proof, gate);
      return begun === null ? [] : [[proof.command, begun]];
    }),
  );
}
