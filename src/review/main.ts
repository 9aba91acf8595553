/**
 * The program of a review: `reviewer.cjs QUESTION`. It starts an agent that may change nothing, reads its answer by structure
 * and writes it to a file. What it prints is kept as evidence: both sides in full. Its supervisor ends what it leaves behind.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Used } from '../core/record/events.ts';
import { errorMessage } from '../core/shape.ts';
import { plural } from '../core/words/phrases.ts';
import { endsOf } from '../core/words/sanitize.ts';
import { sinceEarlier, usedIn } from '../fresh/pass/pass-record.ts';
import { runPass, type Passed } from '../fresh/pass/run-pass.ts';
import { diffSince } from '../git/marks/diff.ts';
import { ADAPTERS } from '../hosts/adapters.ts';
import type { Pass } from '../hosts/headless.ts';
import { agentSign } from '../hosts/names.ts';
import { findProgram } from '../hosts/program.ts';
import { refuseUntrusted } from '../operations/trust/host-trust.ts';
import { MARK_VARIABLE } from '../process/descendants.ts';
import type { ReviewAnswer, ReviewOrder } from '../proofs/review.ts';
import { findHome } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import { ASK_AGAIN, reviewBrief } from '../text/agent/review.ts';
import { readAnswer } from './answer.ts';

/** The agent can read the files, so it needs no more of a long diff. */
const DIFF = 60_000;
/** Left for our own end when the agent has used its time. */
const OWN_MS = 5_000;
const SILENCE_MS = 10 * 60_000;
const HANG_MS = 5_000;

/** Our supervisor does what a watchdog would do. */
const WATCHED = { ready: async () => null, tell: () => undefined, close: () => undefined };

async function main(question: string): Promise<void> {
  const order = JSON.parse(readFileSync(question, 'utf8')) as ReviewOrder;
  const { project, task, proofs, begun, store, ignored } = order;
  const known = begun === null ? null : await diffSince(project, begun, store, ignored);
  const diff = known === null ? null : endsOf(known, DIFF) || 'Nothing has changed.';
  const asked = [
    'the task',
    ...(known === null
      ? []
      : [`a diff of ${plural(known === '' ? 0 : known.split('\n').length - 1, 'line')}`]),
    plural(proofs.length, 'proof'),
  ].join(', ');
  const answer = await review(order, reviewBrief({ task, proofs, diff })).catch((error: unknown): Heard =>
    unreached(errorMessage(error), null),
  );
  writeFileSync(order.answer, JSON.stringify({ ...answer, asked } satisfies ReviewAnswer), { mode: 0o600 });
}

type Heard = Omit<ReviewAnswer, 'asked'>;

function unreached(why: string, used: Used | null): Heard {
  return { answer: 'unreached', words: [why], used };
}

/** An answer that can't be read is asked for once more. */
async function review({ host: name, model, project, timeoutMs }: ReviewOrder, brief: string): Promise<Heard> {
  const host = ADAPTERS.find((one) => one.name === name);
  if (host === undefined) return unreached(`there is no host ${name}`, null);
  const found = findProgram(host, process.env);
  if (!found.ok) return unreached(found.message, null);
  const place = { project, env: process.env, platform: process.platform };
  const own = host.headless.untrusted?.(place) ?? null;
  const untrusted =
    own && refuseUntrusted(project, own, { store: fileStore(findHome(process.env, process.platform)) });
  if (untrusted !== null) return unreached(`${untrusted.message} ${untrusted.next}`, null);
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  const ends = performance.now() + timeoutMs - OWN_MS;
  const run = (pass: Pass): Promise<Passed> => {
    process.stdout.write(`>>> to ${name}\n${pass.prompt}\n`);
    return runPass(pass, {
      host: host.headless,
      program: found.program,
      cwd: project,
      env: ownEnvironment(),
      watchdog: WATCHED,
      limits: { passMs: Math.max(1, ends - performance.now()), silenceMs: SILENCE_MS, hangMs: HANG_MS },
      evidence: null,
      signal: stop.signal,
      onEvent: () => null,
    });
  };
  const pass: Pass = {
    session: randomUUID(),
    resume: null,
    prompt: brief,
    compact: false,
    model,
    fallbackModel: null,
    permissionMode: null,
    allowedTools: [],
    budgetUsd: null,
    extra: [],
    ...host.headless.readOnly,
  };
  const first = await run(pass);
  const heard = answerIn(first, usedIn(first.record));
  if (heard !== null) return heard;
  const { session, result } = first.record;
  const resume = host.headless.can.resume ? (session ?? pass.session) : null;
  const prompt = resume === null ? `${brief}\n\n${ASK_AGAIN}` : ASK_AGAIN;
  const again = await run({ ...pass, session: randomUUID(), resume, prompt });
  const record = resume === null ? again.record : sinceEarlier(again.record, result?.total ?? null);
  const used = sum(usedIn(first.record), usedIn(record));
  return answerIn(again, used) ?? unreached('it gave no answer that can be read, twice', used);
}

function sum(a: Used | null, b: Used | null): Used | null {
  if (a === null || b === null) return a ?? b;
  return { costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens };
}

/**
 * No hook of ours may take the reviewer for the agent of a loop, and it gets nothing that Da Capo was given. The mark stays,
 * by which the supervisor finds what is left.
 */
function ownEnvironment(): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === MARK_VARIABLE || !name.startsWith('DACAPO_')),
  );
  for (let sign = agentSign(env); sign !== null; sign = agentSign(env)) delete env[sign];
  return { ...env, DACAPO_DISABLE: '1' };
}

/** Null: there is no answer in its message. */
function answerIn({ outcome }: Passed, used: Used | null): Heard | null {
  if (outcome.is !== 'stopped') return unreached(sayFate(outcome), used);
  process.stdout.write(`<<< answer\n${outcome.message}\n`);
  const said = readAnswer(outcome.message);
  return said && { ...said, used };
}

function sayFate(outcome: Exclude<Passed['outcome'], { is: 'stopped' }>): string {
  return 'why' in outcome ? `${outcome.is}: ${outcome.why}` : `${outcome.is}, so it gave no answer`;
}

void main(process.argv[2] ?? '');
