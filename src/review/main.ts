/**
 * The program of a review: `reviewer.cjs HOME LOOP`. It starts an agent that may change nothing, reads its answer by structure
 * and records it. It prints both sides in full, as evidence. Its supervisor ends what it leaves behind.
 */
import { randomUUID } from 'node:crypto';
import { reviewOf, type ReviewGate } from '../core/gates.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import type { EventOf, Used } from '../core/record/events.ts';
import { contentOf } from '../core/record/mark.ts';
import { plural, sayNames } from '../core/words/phrases.ts';
import { endsOf } from '../core/words/sanitize.ts';
import { accountFor, usedIn } from '../fresh/pass/pass-record.ts';
import { runPass, type Passed } from '../fresh/pass/run-pass.ts';
import { diffSince } from '../git/marks/diff.ts';
import { filesBetween, treeMark } from '../git/marks/mark.ts';
import { hostOf } from '../hosts/adapters.ts';
import type { Pass } from '../hosts/headless.ts';
import { agentSign } from '../hosts/names.ts';
import { findProgram } from '../hosts/program.ts';
import type { Spent } from '../hosts/stream.ts';
import { refuseUntrusted } from '../operations/trust/trust.ts';
import { MARK_VARIABLE } from '../process/descendants.ts';
import { QUESTION, type ReviewQuestion } from '../proofs/review.ts';
import { treeStore } from '../store/evidence.ts';
import { homeAt } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { readPromptText } from '../store/prompts.ts';
import { ASK_AGAIN, reviewBrief } from '../text/agent/review.ts';
import { ownFiles } from '../views/names.ts';
import { readAnswer } from './answer.ts';

/** The agent can read the files, so it needs no more of a long diff. */
const DIFF = 60_000;
/** Left for our own end when the agent has used its time. */
const OWN_MS = 5_000;
const LIMITS = { silenceMs: 10 * 60_000, hangMs: 5_000 };
/** Our supervisor does what a watchdog would do. */
const WATCHED = { ready: async () => null, tell: () => undefined, close: () => undefined };

const [, , home = '', id = ''] = process.argv;
const store = fileStore(homeAt(home));
const stop = new AbortController();

async function main(open: OpenLoop, gate: ReviewGate): Promise<void> {
  const { n, proofs, timeoutMs, evidence } = JSON.parse(open.blobs.read(QUESTION) ?? '') as ReviewQuestion;
  const loop = open.loop();
  const { begunTree, project } = loop;
  const { prompt } = topFrame(loop);
  const { reviewed: last } = loop.noted;
  const before = last?.task === prompt ? last : undefined;
  const tree = await treeOf(open);
  // An approval counts for the task and the work tree that it saw.
  if (before?.answer === 'approved' && tree !== null && before.tree === tree) return;
  const { ignored } = ownFiles(loop);
  const place = { project, store: treeStore(open), ignored };
  const known = begunTree === null ? null : await diffSince(place, begunTree);
  const diff = known === null ? null : endsOf(known, DIFF) || 'Nothing has changed.';
  const task = readPromptText(open.blobs, prompt);
  const lines = known === null ? [] : [`a diff of ${plural(known.split('\n').length - 1, 'line')}`];
  const asked = ['the task', ...lines, plural(proofs.length, 'proof')].join(', ');
  const heard = await review(gate, loop, reviewBrief({ task, proofs, diff }), timeoutMs - OWN_MS);
  if (stop.signal.aborted) process.exit(1);
  const after = tree === null ? null : await treeOf(open);
  // A tree that can't be compared any more counts as changed.
  const changed = tree !== null && after !== tree;
  const files = changed && after !== null ? await filesBetween(project, tree, after, treeStore(open)) : null;
  const why = `its answer does not count, because meanwhile these files changed: ${sayNames(files ?? ['unknown'])}`;
  open.write({
    type: 'reviewed',
    at: new Date().toISOString(),
    n,
    host: gate.host,
    model: gate.model,
    // After the last objection that it may make, a person had to resume the loop.
    review: before?.answer === 'objected' && before.review < gate.most ? before.review + 1 : 1,
    task: prompt,
    tree,
    asked,
    ...heard,
    ...(changed && { answer: 'unreached', words: [why] }),
    ms: Math.round(performance.now()),
    evidence,
  });
}

async function treeOf(open: OpenLoop): Promise<string | null> {
  const loop = open.loop();
  const mark = await treeMark(loop.project, treeStore(open), ownFiles(loop));
  return mark && contentOf(mark);
}

type Heard = Pick<EventOf<'reviewed'>, 'answer' | 'words' | 'used'>;

function unreached(why: string, used: Used | null = null): Heard {
  return { answer: 'unreached', words: [why], used };
}

/** An answer that can't be read is asked for once more. */
async function review(gate: ReviewGate, loop: Loop, prompt: string, ms: number): Promise<Heard> {
  const { project } = loop;
  const adapter = hostOf(gate);
  const { headless: host } = adapter;
  const found = findProgram(adapter, process.env);
  if (!found.ok) return unreached(found.message);
  const own = host.untrusted?.({ project, env: process.env, platform: process.platform }) ?? null;
  const untrusted = own && refuseUntrusted(project, own, { store });
  if (untrusted !== null) return unreached(`${untrusted.message} ${untrusted.next}`);
  const place = { host, program: found.program, cwd: project, env: ownEnvironment(), watchdog: WATCHED };
  const run = async (pass: Pass, earlier: Spent | null): Promise<Passed> => {
    process.stdout.write(`>>> to ${gate.host}\n${pass.prompt}\n`);
    const limits = { ...LIMITS, passMs: Math.max(1, ms - performance.now()) };
    const since = new Date().toISOString();
    const asked = { ...place, limits, evidence: null, signal: stop.signal, onEvent: () => null };
    const { outcome, record } = await runPass(pass, asked);
    const session = host.can.chooseSession ? (pass.resume ?? pass.session) : (record.session ?? '');
    const account = { session, since, earlier, model: gate.model };
    return { outcome, record: accountFor(record, place, account, loop, store) };
  };
  const pass: Pass = {
    session: randomUUID(),
    resume: null,
    prompt,
    compact: false,
    model: gate.model,
    fallbackModel: null,
    permissionMode: null,
    allowedTools: [],
    budgetUsd: null,
    extra: [],
    ...host.readOnly,
  };
  const first = await run(pass, null);
  const heard = answerIn(first, usedIn(first.record));
  if (heard !== null) return heard;
  const resume = first.record.session ?? pass.session;
  const again = { ...pass, session: randomUUID(), resume, prompt: ASK_AGAIN };
  const second = await run(again, first.record.result?.total ?? null);
  const used = sum(usedIn(first.record), usedIn(second.record));
  return answerIn(second, used) ?? unreached('it gave no answer that can be read, twice', used);
}

function sum(a: Used | null, b: Used | null): Used | null {
  return a && b ? { ...a, ...b, costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens } : (a ?? b);
}

/**
 * No hook of ours may take the reviewer for the agent of a loop, and it gets nothing that Da Capo was given. The mark stays,
 * by which the supervisor finds what is left.
 */
function ownEnvironment(): Record<string, string | undefined> {
  const given = Object.entries(process.env);
  const env: Record<string, string | undefined> = Object.fromEntries(
    given.filter(([name]) => name === MARK_VARIABLE || !name.startsWith('DACAPO_')),
  );
  for (let sign = agentSign(env); sign !== null; sign = agentSign(env)) delete env[sign];
  return { ...env, DACAPO_DISABLE: '1' };
}

/** Null: there is no answer in its message. */
function answerIn({ outcome }: Passed, used: Used | null): Heard | null {
  if (outcome.is !== 'stopped') return unreached('why' in outcome ? outcome.why : outcome.is, used);
  process.stdout.write(`<<< answer\n${outcome.message}\n`);
  const said = readAnswer(outcome.message);
  return said && { ...said, used };
}

process.on('SIGTERM', () => stop.abort());
const opened = store.open(id);
const asked = opened && reviewOf(topFrame(opened.loop()));
if (opened === null || asked === null) throw new Error(`loop ${id} has no review`);
void main(opened, asked).finally(() => opened.close());
