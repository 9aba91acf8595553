/** The gates that a start asks for by commands, and what can refuse them before anything is created. */
import type { CheckGate } from '#law/gates.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { StartRequest } from '#input/arguments.ts';
import type { Definition } from '#law/record/definition.ts';
import { ALL_CHECKS_MS } from '#input/options.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import { plainCommandsIn, withoutPrefixes } from '#evidence/guard/shell-acts.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { heldOutBefore, NONE_HELD_OUT, type HeldOutBefore } from '#evidence/proofs/held-out.ts';
import type { Configured } from '#evidence/proofs/stop-hooks/configure.ts';
import { programOnPath } from '#base/files/paths.ts';
import { measuresOf } from './measures.ts';
import { reviewGates } from './reviews.ts';
import { refuseSyntax } from './unrun-checks.ts';

/** The default time limit of a check. All checks of one stop together stay under the hook's own time-out. */
export const CHECK_MS = 300_000;
/** The shell has these built in, or they begin something other than a plain command. */
const BUILTIN = new Set(
  `. : [ [[ ( { alias bg break case continue declare echo eval exit export false fc fg for function getopts
  hash if jobs kill let local printf pwd read readonly return select set shift shopt source test times trap
  true type typeset ulimit umask unset until wait while`.split(/\s+/),
);
const USUAL =
  `npm npx pnpm yarn bun node deno make cargo go pytest python python3 tox uv poetry mvn gradle dotnet
  bundle rake rspec composer phpunit cmake ctest just task bash sh`.split(/\s+/);

export type AskedGates = Readonly<ReturnType<typeof askedBy>>;

export function askedBy(request: StartRequest, configured: Configured | null) {
  const rules = [...new Set([...request.approve, ...(configured?.found.approve ?? [])])];
  const found = configured?.found;
  const asksMeasures = request.measures.length + (found?.measures.length ?? 0) > 0;
  const measures = asksMeasures ? measuresOf(request, configured, commandTime(request, configured)) : [];
  const asksReviews = request.reviewers.length + (found?.reviewers?.length ?? 0) > 0;
  const reviews = asksReviews ? reviewGates(request, configured) : [];
  const heldOut = request.heldOut.length === 0 ? NONE_HELD_OUT : heldOutBefore([...new Set(request.heldOut)]);
  const unseen = request.heldOut.length === 0 ? [] : heldOutGates(heldOut, request, configured);
  const checks = [...checkGates(request, configured), ...unseen];
  return { configured, checks, heldOut, measures, rules, reviews };
}

/** Typed checks come first. The same command twice is one check, under its name in the config. */
function checkGates(request: StartRequest, configured: Configured | null): CheckGate[] {
  const found = configured?.found;
  const each = commandTime(request, configured);
  const named = (found?.checks ?? []).map(({ name, command, timeoutMs }): CheckGate => {
    return { kind: 'check', name, command, timeoutMs: timeoutMs ?? each };
  });
  const typed = [...new Set(request.checks)]
    .filter((command) => found?.checks.every((check) => check.command !== command) ?? true)
    .map((command): CheckGate => ({ kind: 'check', name: null, command, timeoutMs: each }));
  return [...typed, ...named];
}

/**
 * From here on their labels stand for the commands: whatever is recorded or rendered holds no word of them.
 */
function heldOutGates(
  heldOut: HeldOutBefore,
  request: StartRequest,
  configured: Configured | null,
): CheckGate[] {
  const timeoutMs = commandTime(request, configured);
  return heldOut.all().map(({ label }) => {
    return { kind: 'check', name: null, command: label, timeoutMs, heldOut: true };
  });
}

/** How long a command may take that does not name its own time. */
function commandTime({ checkTimeoutMs }: StartRequest, configured: Configured | null): number {
  return checkTimeoutMs ?? configured?.found.checkTimeoutMs ?? CHECK_MS;
}

export function checkingOf(request: StartRequest, configured: Configured | null): Definition['checking'] {
  const all = request.checksTimeoutMs ?? configured?.found.checksTimeoutMs ?? ALL_CHECKS_MS;
  const recheckMs = request.recheckMs ?? configured?.found.recheckMs ?? null;
  return {
    parallel: request.parallel ?? configured?.found.parallel ?? 1,
    // A config serves both drivers: a time-out that only the other driver can grant is cut here.
    timeoutMs: request.driver === 'hook' ? Math.min(all, ALL_CHECKS_MS) : all,
    ...(recheckMs !== null && { recheckMs }),
  };
}

export const NO_PROGRAM = 'no-program';

/** What can be told without running them: a program that is not there, a line that no shell can read. */
export function refuseMissing(commands: readonly string[], env: Environment): Refusal | null {
  if (env['PATH'] === undefined || process.platform === 'win32') return null;
  const isThere = (name: string) => programOnPath(name, env) !== null;
  for (const command of commands) {
    const name = firstProgram(command);
    if (name === null || isThere(name)) continue;
    const meant = nearest(name, USUAL);
    const hint = meant !== null && isThere(meant) ? `Did you mean ${meant}? ` : '';
    return refuse(
      NO_PROGRAM,
      `The check ${JSON.stringify(command)} can't run: there is no program ${name} in PATH.`,
      `${hint}Correct the check, or install ${name}. Nothing was changed.`,
    );
  }
  return commands.length === 0 ? null : refuseSyntax(commands);
}

function firstProgram(command: string): string | null {
  if (/\bPATH=|\(\)/.test(command)) return null;
  const first = plainCommandsIn(command, '~')?.find(({ words }) => words[0]?.text !== 'cd');
  const name = withoutPrefixes(first?.words ?? [])[0]?.text ?? '';
  return /^[A-Za-z0-9][\w.+-]*$/.test(name) && !BUILTIN.has(name) ? name : null;
}
