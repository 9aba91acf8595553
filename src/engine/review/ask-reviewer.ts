/**
 * One review: starts an agent that may change nothing, and asks once more where its answer does not count.
 */
import { randomUUID } from 'node:crypto';
import type { ReviewGate } from '#law/gates.ts';
import type { Loop } from '#law/loop.ts';
import type { EventOf, Used } from '#law/record/events.ts';
import { withoutDatabase } from '#base/process/database-variables.ts';
import { accountFor, usedIn } from '../driver/pass/pass-record.ts';
import { runPass, type Passed } from '../driver/pass/run-pass.ts';
import { adapterNamed } from '#hosts/tables/adapters.ts';
import type { Pass } from '#hosts/port/headless.ts';
import { agentSign } from '#hosts/tables/names.ts';
import { findProgram } from '#hosts/port/program.ts';
import type { Spent } from '#hosts/port/stream.ts';
import { MARK_VARIABLE } from '#base/process/descendants.ts';
import type { Store } from '#store/store.ts';
import { ASK_AGAIN, ASK_FOR_CITATIONS } from '#telling/agent/review.ts';
import { readAnswer } from './read-answer.ts';
import { citesAnything } from './cited.ts';

const LIMITS = { silenceMs: 10 * 60_000, hangMs: 5_000 };
/** Our supervisor does what a watchdog would do. */
const WATCHED = { ready: async () => null, tell: () => undefined, close: () => undefined };

export type ReviewerAnswer = Pick<EventOf<'reviewed'>, 'answer' | 'words' | 'used'>;

export interface ReviewPlace {
  /** Where it looks at the work. */
  readonly folder: string;
  readonly loop: Loop;
  readonly store: Store;
  /** When it has to be over, by the clock of this process. */
  readonly endMs: number;
  readonly signal: AbortSignal;
  /** Is told both sides in full. */
  readonly onWords: (words: string) => void;
}

export async function askReviewer(
  gate: ReviewGate,
  prompt: string,
  place: ReviewPlace,
): Promise<ReviewerAnswer> {
  const adapter = adapterNamed(gate.host);
  if (adapter === null) return unreached('this Da Capo knows no such host');
  const { headless: host } = adapter;
  const found = findProgram(adapter, process.env);
  if (!found.ok) return unreached(found.message);
  if (host.readOnly === undefined) return unreached(`${host.name} can't be kept from changing files`);
  const { env, ...asked } = host.readOnly;
  const at = { ...AT, host, program: found.program, cwd: place.folder, env: { ...ownEnvironment(), ...env } };
  const run = async (pass: Pass, earlier: Spent | null): Promise<Passed> => {
    place.onWords(`>>> to ${gate.host}\n${pass.prompt}\n`);
    const limits = { ...LIMITS, passMs: Math.max(1, place.endMs - performance.now()) };
    const since = new Date().toISOString();
    const { outcome, record } = await runPass(pass, { ...at, limits, signal: place.signal });
    const session = host.can.chooseSession ? (pass.resume ?? pass.session) : (record.session ?? '');
    const account = { session, since, earlier, model: gate.model };
    if (outcome.is === 'stopped') place.onWords(`<<< answer\n${outcome.message}\n`);
    return {
      outcome,
      record: accountFor(record, at, account, { limits: place.loop.limits, config: place.store.config }),
    };
  };
  const pass: Pass = { ...NEW_PASS, session: randomUUID(), prompt, model: gate.model, ...asked };
  const first = await run(pass, null);
  const heard = judge(first, usedIn(first.record), place.folder);
  const resume = first.record.session ?? pass.session;
  // Both sides are in the evidence, and its folder is about to go.
  const forget = () => adapter.transcripts.forget?.(resume, at.env);
  if (heard.is === 'heard') {
    forget();
    return heard;
  }
  const again = { ...pass, session: randomUUID(), resume, prompt: AGAIN[heard.is] };
  const second = await run(again, first.record.result?.total ?? null);
  forget();
  const used = sum(usedIn(first.record), usedIn(second.record));
  const last = judge(second, used, place.folder);
  return last.is === 'heard' ? last : unreached(TWICE[last.is], used);
}

const AT = { watchdog: WATCHED, evidence: null, onEvent: () => null };

const NEW_PASS = {
  resume: null,
  compact: false,
  fallbackModel: null,
  permissionMode: null,
  allowedTools: [],
  budgetUsd: null,
  extra: [],
};

type JudgedReview = ({ readonly is: 'heard' } & ReviewerAnswer) | { readonly is: 'unread' | 'uncited' };

const AGAIN = { unread: ASK_AGAIN, uncited: ASK_FOR_CITATIONS };

const TWICE = {
  unread: 'it gave no answer that can be read, twice',
  uncited: 'it approved twice without naming a line or a command that it looked at',
};

function judge({ outcome }: Passed, used: Used | null, folder: string): JudgedReview {
  if (outcome.is !== 'stopped')
    return { is: 'heard', ...unreached('why' in outcome ? outcome.why : outcome.is, used) };
  const said = readAnswer(outcome.message);
  if (said === null) return { is: 'unread' };
  const { answer, words, seen } = said;
  if (answer === 'approved' && !citesAnything(seen, folder, outcome.toolUsed)) return { is: 'uncited' };
  return { is: 'heard', answer, words, used };
}

export function unreached(why: string, used: Used | null = null): ReviewerAnswer {
  return { answer: 'unreached', words: [why], used };
}

function sum(a: Used | null, b: Used | null): Used | null {
  return a && b ? { ...a, ...b, costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens } : (a ?? b);
}

/**
 * No hook of ours may take the reviewer for the agent of a loop, and it gets nothing that Da Capo was given.
 * The mark stays, by which the supervisor finds what is left.
 */
function ownEnvironment(): Record<string, string | undefined> {
  const given = Object.entries(withoutDatabase(process.env));
  const env: Record<string, string | undefined> = Object.fromEntries(
    given.filter(([name]) => name === MARK_VARIABLE || !name.startsWith('DACAPO_')),
  );
  for (let sign = agentSign(env); sign !== null; sign = agentSign(env)) delete env[sign];
  return { ...env, DACAPO_DISABLE: '1' };
}
