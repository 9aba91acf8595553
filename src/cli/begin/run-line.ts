/**
 * Parses the words after `dacapo run`: a prompt or a loop, the flags of `start`, the flags of the plan, then `--` and
 * the host's own flags.
 */
import { parseWords, readFlags, splitAtDashes, type FlagLine } from '../../flags/words.ts';
import { mapReading, type Reading } from '../../flags/values.ts';
import { FLAGS, flagsOf, type Flag } from '../../flags/table.ts';
import { PLAN_FLAGS } from '../../flags/plan-table.ts';
import { readPlan, runRequest, type RunRequest } from '../../flags/run-request.ts';
import type { Plan } from '../../core/record/plan.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { PROMPT_FLAGS, readPromptSource } from './prompt-source.ts';
import type { HostAdapter } from '../../hosts/command-line.ts';
import { chosenNames } from '../../hosts/names.ts';

export interface RunLine {
  /** `run` makes a new loop. `go-on` continues an existing one; null means the only candidate. */
  readonly what:
    | (RunRequest & { readonly is: 'run' })
    | { readonly is: 'go-on'; readonly loop: string | null };
  /** Of the loop. */
  readonly host: HostAdapter;
  /** Applies this command line's plan flags on top of the earlier plan. Null: there are none. */
  readonly planned: ((before: Plan) => Reading<Plan>) | null;
  /** A separate work tree, and the command that prepares it. */
  readonly worktree: { readonly setup: string | null } | null;
  readonly isDry: boolean;
  readonly as: 'view' | 'quiet' | 'json';
}

interface RunOptions {
  readonly loop: string | null;
  readonly worktree: boolean;
  readonly worktreeSetup: string | null;
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

export const DRY_RUN_HELP = 'show what would happen, and start nothing; the checks run once';

const { one, alone } = flagsOf<RunOptions>();

export const RUN_FLAGS: readonly Flag<RunOptions>[] = [
  alone('--worktree', () => ({ worktree: true }), 'in a separate work tree; yours stays as it is'),
  one(
    '--worktree-setup CMD',
    'worktreeSetup',
    readSetup,
    'prepare that work tree with this command before the first iteration, such as "npm ci"',
  ),
  alone('--dry-run', () => ({ dryRun: true }), DRY_RUN_HELP),
  alone('--quiet', () => ({ quiet: true }), 'only iterations, warnings, faults, long waits and the ending'),
  alone('--json', () => ({ json: true }), 'one JSON event per line'),
];

const WRITE_LOOP = 'Write --loop ID; dacapo list shows the ids.';
export const LOOP_FLAG = {
  ...one('--loop ID', 'loop', readLoop, 'continue this loop instead of starting one'),
  ifMissing: WRITE_LOOP,
};

/** The host of the loop that is continued, or, for a new one (null), the chosen host. */
export type HostFor = (going: { readonly loop: string | null } | null) => HostAdapter;

export function readRunLine(words: readonly string[], defaults: Plan, hostFor: HostFor): Reading<RunLine> {
  const { ours, hosts: extra } = splitAtDashes(words);
  const line = parseWords([FLAGS, PLAN_FLAGS, RUN_FLAGS, PROMPT_FLAGS, [LOOP_FLAG]], ours);
  if (!line.ok) return inARun(line);
  const { given } = line.value;
  const options = readFlags([...RUN_FLAGS, LOOP_FLAG], given, {
    loop: null,
    worktree: false,
    worktreeSetup: null,
    dryRun: false,
    quiet: false,
    json: false,
  });
  if (!options.ok) return inARun(options);
  const { loop, worktree, worktreeSetup, dryRun, quiet, json } = options.value;
  const defined = definedBy(line.value);
  const host = hostFor(loop === null && defined !== undefined ? null : { loop });
  const { ownFlags, permissionModes } = host.headless;
  const taken = extra.find((word) => ownFlags.includes(word.replace(/=[^]*$/, '')));
  if (taken !== undefined)
    return refuse('host-flag', `${taken} can't be passed on: dacapo run sets it itself.`, 'Leave it out.');
  const planned = (before: Plan): Reading<Plan> =>
    readPlan(line.value, extra.length === 0 ? before : { ...before, extra }, permissionModes);
  const plan = planned(defaults);
  if (!plan.ok) return plan;
  if (worktreeSetup !== null && !worktree)
    return refuse(
      'setup-of-none',
      '--worktree-setup prepares a new work tree, and there is none.',
      'Give --worktree as well.',
    );
  if (dryRun && (loop !== null || defined === undefined))
    return refuse(
      'dry-loop',
      '--dry-run shows a loop that would be new.',
      'Give the prompt and flags of one; dacapo status shows a loop that is there.',
    );
  const what = loop === null && defined !== undefined ? newLoop(line.value, plan.value) : goOn(loop, defined);
  if (!what.ok) return inARun(what);
  return {
    ok: true,
    value: {
      what: what.value,
      host,
      planned: extra.length > 0 || PLAN_FLAGS.some(({ flag }) => given.has(flag)) ? planned : null,
      worktree: worktree ? { setup: worktreeSetup } : null,
      isDry: dryRun,
      as: json ? 'json' : quiet ? 'quiet' : 'view',
    },
  };
}

/** The first word or flag that only a new loop accepts. */
function definedBy({ words, given }: FlagLine): string | undefined {
  return words[0] ?? [...PROMPT_FLAGS, ...FLAGS].find(({ flag }) => given.has(flag))?.flag;
}

/** An existing loop already has its definition, so the command line must not give one. */
function goOn(loop: string | null, defined: string | undefined): Reading<RunLine['what']> {
  if (defined === undefined) return { ok: true, value: { is: 'go-on', loop } };
  return refuse(
    'loop-defined',
    `${JSON.stringify(defined)} can't be given with --loop: that loop has its prompt, gates and limits already.`,
    'With --loop only the flags of the passes can be given; dacapo run --help all lists them.',
  );
}

function newLoop(line: FlagLine, plan: Plan): Reading<RunLine['what']> {
  const source = readPromptSource(line);
  if (!source.ok) return source;
  return mapReading(runRequest(line, plan, source.value.prompt ?? undefined), (asked) => ({
    is: 'run',
    ...asked,
  }));
}

/** In a run, the host's flags come after `--`, so the parser's own advice would mislead. */
function inARun(refusal: Refusal): Refusal {
  switch (refusal.code) {
    case 'unknown-flag':
      return {
        ...refusal,
        next: `Flags of ${chosenNames().word} go behind --; words of the prompt go in quotes; dacapo run --help all lists our flags.`,
      };
    case 'no-prompt':
      return {
        ...refusal,
        next: 'Say what to do: dacapo run "PROMPT". dacapo run --help all lists the flags.',
      };
    default:
      return refusal;
  }
}

function readSetup(text: string): Reading<string> {
  const command = text.trim();
  return command === ''
    ? refuse(
        'bad-setup',
        'is empty.',
        'Give the command that prepares the work tree: --worktree-setup "npm ci".',
      )
    : { ok: true, value: command };
}

function readLoop(text: string): Reading<string> {
  return text === '' ? refuse('missing-value', 'has no value.', WRITE_LOOP) : { ok: true, value: text };
}
