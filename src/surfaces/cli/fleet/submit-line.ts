/** The words after `dacapo fleet submit`: a prompt, the flags of `dacapo run`, and where the work lies. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { LOOPS_FLAG, PLAN_FLAGS } from '#input/run-flags.ts';
import { readPlan, readRunRequest, type RunRequest } from '#input/run-request.ts';
import { under } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { readLabels, readAnyText, type Reading } from '#input/values.ts';
import { readAllFlags, splitAtDashes } from '#input/words.ts';
import { address as isAddress, ref as isRef } from '#fleet/codec/rows.ts';
import type { Submission } from '#fleet/submit.ts';
import { chosenHost, hostOf } from '#hosts/tables/adapters.ts';
import { refuseLoops } from '../begin/run-line.ts';
import { JSON_FLAG, PROMPT_FLAGS, readHost } from '../begin/flags.ts';
import { readPromptLine, readPromptSource } from '../begin/prompt-line.ts';
import { DATABASE_FLAG } from './flags.ts';

const PLACE_FLAGS = {
  ...LOOPS_FLAG,
  ...under('In a fleet:', {
    '--repo URL': { read: readAnyText, help: 'the git repository, by a URL that every worker can reach' },
    '--ref REF': { read: readAnyText, help: 'the branch, tag or commit to begin with' },
    '--needs LABELS': {
      read: readLabels,
      otherwise: '',
      help: 'only a worker with all these labels takes it: linux,gpu',
    },
    '--account NAME': { read: readAnyText, otherwise: 'default', help: 'the account whose limits count' },
    '--points URL': {
      read: readAnyText,
      help: "another repository for the loop's saved states, if --repo does not accept refs of Da Capo",
    },
    '--priority N': {
      read: readPriority,
      otherwise: '0',
      help: 'loops with a higher number are taken first',
    },
    '--key KEY': { read: readAnyText, help: 'submitting again with the same key starts no second loop' },
    ...DATABASE_FLAG,
  }),
} as const;

const KEY_OF_SET = '--key is for one loop. The loops of a set are identified by its list and its branch.';

export const SUBMIT_FLAGS = { ...PROMPT_FLAGS, ...LOOP_FLAGS, ...PLAN_FLAGS, ...PLACE_FLAGS, ...JSON_FLAG };

export interface SubmitLine {
  readonly submission: Submission;
  readonly asked: RunRequest;
  readonly loops: number | null;
  /** The same key is the same loop; null: each call is a new one. */
  readonly key: string | null;
  readonly database: string | undefined;
  readonly json: boolean;
}

export function readSubmitLine(words: readonly string[]): Reading<SubmitLine> {
  const { ours, hosts: extra } = splitAtDashes(words);
  const line = readPromptLine(SUBMIT_FLAGS, ours);
  if (!line.ok) return line;
  const options = readAllFlags(PLACE_FLAGS, line.value.given);
  if (!options.ok) return options;
  const { repo: given = null, ref: from = null, loops = null, points = null, database } = options.value;
  const { needs, account, priority, key = null } = options.value;
  if (key !== null && loops !== null) return refuse('key-of-set', KEY_OF_SET, 'Leave --key out.');
  // A set begins with what the branch of this repository has that takes its work.
  const ref = loops === null ? from : (from ?? 'HEAD');
  // A path is as seen from here, and a worker may be started anywhere.
  const repo = given !== null && existsSync(given) ? resolve(given) : given;
  if (repo === null || ref === null) {
    const flag = repo === null ? '--repo' : '--ref';
    const missing = `${flag} is missing: the worker has to know what to check out.`;
    const url = '--repo https://example.org/project.git';
    return refuse('no-repo', missing, loops === null ? `Give both: ${url} --ref main.` : `Give it: ${url}.`);
  }
  const refusal =
    refuseUnfit(repo, ref, points) ?? refusePassword('--repo', repo) ?? refusePassword('--points', points);
  if (refusal !== null) return refusal;
  const source = readPromptSource(line.value);
  if (!source.ok) return source;
  const host = line.value.host === null ? chosenHost() : hostOf({ host: line.value.host });
  const plan = readPlan(line.value, { ...DEFAULT_PLAN, extra }, host.headless.permissionModes);
  if (!plan.ok) return plan;
  const asked = readRunRequest(line.value, plan.value, source.value);
  if (!asked.ok) return asked;
  const { reviewers, heldOut, setup } = asked.value.request;
  if (heldOut.length > 0)
    return refuse(
      'held-out-here',
      '--held-out does not work in a fleet: its database would show the command to every worker.',
      'Leave it out, or use dacapo run --held-out CMD on your own machine.',
    );
  for (const { host: name } of reviewers) {
    const reviewer = readHost(name);
    if (!reviewer.ok) return { ...reviewer, message: `--review ${reviewer.message}` };
  }
  const unfit = loops === null ? null : refuseLoops({ is: 'run', ...asked.value }, line.value.dryRun);
  if (unfit !== null) return unfit;
  const { commit, branch } = plan.value;
  const request = { ...asked.value, host: host.name };
  const place = { repo, ref, needs, account, setup, points, priority };
  const submission = { ...place, request, branch, commits: commit !== 'none' };
  return { ok: true, value: { submission, asked: asked.value, loops, key, database, json: line.value.json } };
}

function readPriority(text: string): Reading<number> {
  if (/^-?\d{1,6}$/.test(text)) return { ok: true, value: Number(text) };
  return refuse('bad-priority', `takes a whole number, not ${JSON.stringify(text)}.`, 'Write --priority 5.');
}

/** No worker would take it. */
function refuseUnfit(repo: string, ref: string, points: string | null): Refusal | null {
  if (!isRef(ref))
    return refuse(
      'bad-ref',
      `--ref ${JSON.stringify(ref)} is not the name of a branch or tag, and not a commit.`,
      'Write --ref main.',
    );
  const [flag, url] = isAddress(repo) ? ['--points', points] : ['--repo', repo];
  if (url === null || isAddress(url)) return null;
  const next = 'Give a URL that every worker can reach.';
  return refuse('bad-url', `${flag} ${JSON.stringify(url)} is not the URL of a repository.`, next);
}

/** A password in a row is one for everybody who may read it. */
function refusePassword(flag: string, url: string | null): Refusal | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, username, password } = new URL(url);
  if (password === '' && (username === '' || !protocol.startsWith('http'))) return null;
  const leak = `${flag} contains a password, and everybody in the fleet could read it.`;
  return refuse('password', leak, 'Leave it out: each worker uses its own git credentials.');
}
