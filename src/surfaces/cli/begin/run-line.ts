/**
 * The words after `dacapo run`: a prompt or a loop, flags of the loop and of its passes, `--`, flags of the
 * host.
 */
import { readAllFlags, splitAtDashes, type FlagValues } from '#input/words.ts';
import { mapReading, type Reading } from '#input/values.ts';
import { flagsIn, type FlagTable } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { PLAN_FLAGS, RUN_FLAGS } from '#input/run-flags.ts';
import { readPlan, readRunRequest, type RunRequest } from '#input/run-request.ts';
import { hasItems } from '#input/options.ts';
import type { Plan } from '#law/record/plan.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { readHost, RUN_LINE_FLAGS } from './flags.ts';
import { readPromptLine, readPromptSource, type PromptLine } from './prompt-line.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';

export interface RunLine {
  /** `run` makes a new loop. `go-on` continues an existing one; null means the only candidate. */
  readonly what:
    | (RunRequest & { readonly is: 'run' })
    | { readonly is: 'go-on'; readonly loop: string | null };
  readonly host: HostAdapter;
  /** Applies this command line's plan flags on top of the earlier plan. Null: there are none. */
  readonly planned: ((before: Plan) => Reading<Plan>) | null;
  readonly worktree: { readonly setup: string | null } | null;
  /** A loop for each item, this many at once. Null: one loop. */
  readonly loops: number | null;
  readonly fallbackHosts: readonly string[];
  readonly isDry: boolean;
  readonly as: 'view' | 'quiet' | 'json';
}

/** The host that was chosen, else that of the loop that is continued; `going` is null for a new one. */
export type HostFor = (chosen: string | null, going: { readonly loop: string | null } | null) => HostAdapter;

export function readRunLine(words: readonly string[], defaults: Plan, hostFor: HostFor): Reading<RunLine> {
  const { ours, hosts: extra } = splitAtDashes(words);
  const line = readPromptLine(RUN_LINE_FLAGS, ours);
  if (!line.ok) return inARun(line);
  const { given, dryRun, json } = line.value;
  const options = readAllFlags(RUN_FLAGS, given);
  if (!options.ok) return inARun(options);
  const { loop = null, worktree, worktreeSetup: setup = null, loops = null, quiet } = options.value;
  const { fallbackHosts } = options.value;
  const defined = definedBy(line.value);
  const host = hostFor(line.value.host, loop === null && defined !== undefined ? null : { loop });
  const unfitHost =
    refuseFallback(fallbackHosts ?? [], loop === null ? host.name : null) ??
    refuseOwnFlag(host, extra) ??
    refuseBareFlag(host, extra);
  if (unfitHost !== null) return unfitHost;
  const planned = (before: Plan): Reading<Plan> =>
    readPlan(
      line.value,
      { ...before, ...(extra.length > 0 && { extra }), ...(fallbackHosts && { fallbackHosts }) },
      host.headless.permissionModes,
    );
  const plan = planned(defaults);
  if (!plan.ok) return plan;
  if (setup !== null && !worktree && loops === null)
    return refuse(
      'setup-of-none',
      '--worktree-setup needs --worktree: it prepares a new work tree.',
      'Give --worktree as well.',
    );
  if (dryRun && (loop !== null || defined === undefined))
    return refuse(
      'dry-loop',
      '--dry-run only works for a new loop.',
      'Give a prompt with its flags; dacapo status shows an existing loop.',
    );
  const what =
    loop === null && defined !== undefined ? newLoop(line.value, plan.value) : loopToContinue(loop, defined);
  if (!what.ok) return inARun(what);
  const unfit = loops === null ? null : refuseLoops(what.value, dryRun);
  if (unfit !== null) return unfit;
  return {
    ok: true,
    value: {
      what: what.value,
      host,
      planned:
        extra.length > 0 || fallbackHosts !== undefined || givenOf(PLAN_FLAGS, given) !== undefined
          ? planned
          : null,
      worktree: worktree || loops !== null ? { setup } : null,
      loops,
      fallbackHosts: fallbackHosts ?? [],
      isDry: dryRun,
      as: json ? 'json' : quiet ? 'quiet' : 'view',
    },
  };
}

/** `own`: the host that works here; null: a loop is continued, and another one may be at work by now. */
function refuseFallback(hosts: readonly string[], own: string | null): Refusal | null {
  const unknown = hosts.map(readHost).find(({ ok }) => !ok);
  if (unknown?.ok === false) return { ...unknown, message: `--fallback-host ${unknown.message}` };
  if (own === null || !hosts.includes(own)) return null;
  return refuse(
    'own-fallback',
    `--fallback-host names ${own}, which works here anyway.`,
    'Name another host, or leave it out.',
  );
}

function definedBy({ words, file, given }: PromptLine): string | undefined {
  return words[0] ?? (file === null ? givenOf(LOOP_FLAGS, given) : '--prompt-file');
}

function givenOf(table: FlagTable, given: FlagValues): string | undefined {
  return flagsIn(table).find(({ flag }) => given.has(flag))?.flag;
}

/** An existing loop already has its definition, so the command line must not give one. */
function loopToContinue(loop: string | null, defined: string | undefined): Reading<RunLine['what']> {
  if (defined === undefined) return { ok: true, value: { is: 'go-on', loop } };
  return refuse(
    'loop-defined',
    `${JSON.stringify(defined)} can't be given with --loop: that loop already has its prompt, gates and ` +
      'limits.',
    'Leave it out. dacapo amend changes gates and limits; flags such as --model can be given with --loop.',
  );
}

function newLoop(line: PromptLine, plan: Plan): Reading<RunLine['what']> {
  const prompt = readPromptSource(line);
  if (!prompt.ok) return prompt;
  return mapReading(readRunRequest(line, plan, prompt.value), (asked) => ({ is: 'run', ...asked }));
}

/** Each item has its own loop, so what a list asks for at its end has no place. */
export function refuseLoops(what: RunLine['what'], dryRun: boolean): Refusal | null {
  if (what.is === 'go-on' || !hasItems(what.request))
    return refuse(
      'loops-of-none',
      '--loops needs a list: it starts one loop per item.',
      'Give the list: --items FILE.',
    );
  const { promise, features, watchFile } = what.request;
  if (promise !== null || features !== null || watchFile !== null)
    return refuse(
      'gate-of-a-list',
      "--completion-promise, --features and --watch-file can't be given with --loops: each loop has " +
        'one item only.',
      'Leave them out; each item is proven by --check.',
    );
  if (!dryRun) return null;
  return refuse(
    'dry-loops',
    '--dry-run shows one loop only.',
    'Leave out --loops to see the loop of one item.',
  );
}

/** In a run, the host's flags come after `--`, so the parser's own advice would mislead. */
function inARun(refusal: Refusal): Refusal {
  const next = NEXT[refusal.code];
  return next === undefined ? refusal : { ...refusal, next };
}

const NEXT: Readonly<Record<string, string>> = {
  'unknown-flag':
    'Flags of the agent go after --, and the prompt in quotes. dacapo run --help all lists the ' +
    'flags of dacapo run.',
  'no-prompt': 'Give a prompt: dacapo run "PROMPT". dacapo run --help all lists the flags.',
};

function refuseOwnFlag({ headless }: HostAdapter, words: readonly string[]): Refusal | null {
  const taken = words.find((word) => headless.ownFlags.includes(word.replace(/=[^]*$/, '')));
  return taken === undefined
    ? null
    : refuse('host-flag', `${taken} can't be passed on: dacapo run sets it itself.`, 'Leave it out.');
}

/** What is passed on ends with a flag that takes a value: the host would take our next word for it. */
export function refuseBareFlag(host: HostAdapter, words: readonly string[]): Refusal | null {
  const last = words.at(-1) ?? '';
  return host.program.valueFlags.includes(last)
    ? refuse('missing-value', `${last} of ${host.word} has no value.`, `Give it: -- ${last} VALUE.`)
    : null;
}
