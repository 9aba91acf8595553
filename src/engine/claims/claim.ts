/**
 * What an agent says about its loop by a tool: that it is done or blocked, or its last message as a host
 * would report it. It is judged by the same code as a stop. A loop that no host drives is judged for good,
 * through the one sequence. In a loop that a host drives the stop comes later, so what was said is kept and
 * counts then.
 */
import { hash } from '#base/hash.ts';
import { isLive, type Declared, type Loop } from '#law/loop.ts';
import { refuse, refuseTooLong, type Refusal } from '#base/refusal.ts';
import { harmless, oneLine } from '#base/words/sanitize.ts';
import { prove } from '../hearing/prove.ts';
import { hearStop, judgeStop, verdictEvent } from '../hearing/stop.ts';
import { markTree } from '../hearing/proofs/mark-tree.ts';
import type { StopArrival } from '#hosts/port/arrival.ts';
import { openOwn, type AgentOrder, isToolDriven, senderFor } from '../look/tool-session.ts';
import { bind } from '../begin/bind.ts';
import { claimLives, ownerLives, type ProofListener, type Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { rehearse } from '#store/rehearsal.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { judgement, loopAtStop, stopOf, type Judgement } from './judgement.ts';

/** As much as a stop hook is given of a message. No real message is this long. */
const MAX_MESSAGE_CHARS = 200_000;
/** As much as the journal keeps of a summary or a reason: a person reads it once. */
const MAX_SUMMARY_CHARS = 1_000;

export interface AgentStatement extends AgentOrder {
  /** `rehearse`: nothing is written; the answer says how the stop would be judged. */
  readonly mode: 'rehearse' | 'record';
  /**
   * It is judged for good also in a loop that a host drives: the agent drives its passes by tools, and the
   * host holds it.
   */
  readonly byTool?: boolean | undefined;
  /** Aborted: checks end at once, and the stop is not judged. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ProofListener | undefined;
}

const EMPTY = {
  done: refuse('empty', 'The summary is empty.', 'Say what was done.'),
  blocked: refuse('empty', 'The reason is empty.', 'Say what you need.'),
  unverifiable: refuse('empty', 'The reason is empty.', 'Say what no gate can show.'),
};

/**
 * The agent says that the task is done, that it can't continue without a person, or that no gate can show
 * that it is done.
 */
export async function declare(
  { what, words, ...speech }: AgentStatement & Declared,
  runtime: Runtime,
): Promise<Judgement | Refusal> {
  if (words.trim() === '') return EMPTY[what];
  // Its own tags must not count beside the claim.
  return hearStatement(speech, harmless(words), { what, words: oneLine(words, MAX_SUMMARY_CHARS) }, runtime);
}

/**
 * The agent's last message of a pass, as written: its tags count. Only a loop that no host drives can record
 * it.
 */
export async function endPass(
  { message, ...speech }: AgentStatement & { readonly message: string },
  runtime: Runtime,
): Promise<Judgement | Refusal> {
  return hearStatement(speech, message, null, runtime);
}

async function hearStatement(
  speech: AgentStatement,
  message: string,
  declared: Declared | null,
  runtime: Runtime,
): Promise<Judgement | Refusal> {
  const { mode, signal, progress } = speech;
  if (message.length > MAX_MESSAGE_CHARS) return refuseTooLong(message, MAX_MESSAGE_CHARS);
  if (signal?.aborted) return brokenOff();
  const opened = openOwn(speech, runtime);
  if (!opened.ok) return opened;
  const { open } = opened;
  const inner: Runtime = {
    ...runtime,
    // One process hears many stops. The moment of the call distinguishes them.
    started: runtime.now(),
    // A copy: this process lives on, so the hearing must not change its environment.
    env: { ...runtime.env },
    stopped: signal ?? new AbortController().signal,
    ...(progress !== undefined && { proving: progress }),
  };
  try {
    if (mode === 'rehearse') return (await rehearseStop(open, message, declared, inner)) ?? brokenOff();
    if (speech.byTool || isToolDriven(open.loop()))
      return await judgeForGood(open, { loop: speech.loop, message, declared }, inner);
    if (declared === null)
      return refuse(
        'host-driven',
        `The passes of loop ${title(open.loop())} end when its agent stops in its session.`,
        'End your turn: the stop is judged then.',
      );
    return await keepForStop(open, message, declared, inner);
  } finally {
    open.close();
  }
}

interface ClaimStatement extends Pick<AgentStatement, 'loop'> {
  readonly message: string;
  readonly declared: Declared | null;
}

async function judgeForGood(
  open: OpenLoop,
  { loop: id, message, declared }: ClaimStatement,
  runtime: Runtime,
): Promise<Judgement | Refusal> {
  const { stops, open: other } = open.loop();
  // A stop with the same words that is being judged right now is this one.
  const heard = other?.words === hash(message) ? stops - 1 : stops;
  return inTurn(id, async () => {
    const before = open.look();
    // While we waited, the same words may have been judged, and then they are heard as the same stop.
    if (declared !== null && before.stops === heard && isLive(before))
      open.write({ type: 'said', at: runtime.now(), ...declared });
    const arrival = spokenStop(before, message, await showsWork(open, runtime));
    ensureSession(open, runtime);
    await hearStop(arrival, runtime);
    await sameStop(open, message, runtime);
    const n = stopOf(open.look(), message, heard, runtime);
    const after = n === null ? null : loopAtStop(open, n);
    const judged = after && judgement(before, after, 'stop', runtime.now());
    return judged ?? unjudged(open.loop(), runtime);
  });
}

const PAUSE_MS = 50;

/** Another server may be judging the same words: that is the same stop, and its verdict is the answer. */
async function sameStop(open: OpenLoop, message: string, runtime: Runtime): Promise<void> {
  const isJudged = ({ open: claim }: Loop) => claim?.words === hash(message) && claimLives(claim, runtime);
  while (isJudged(open.look()) && !runtime.stopped?.aborted)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * The hearing finds the loop by the entry of its session, which is derived data and may be lost. The server
 * that drove the loop may be gone as well: then it belongs to this process.
 */
function ensureSession(open: OpenLoop, runtime: Runtime): void {
  const loop = open.loop();
  const { project } = loop;
  const { owner, chain } = loop.session;
  if (owner === null) return;
  const { session, process } = owner;
  if (isToolDriven(loop) && process !== null && !ownerLives(loop, runtime))
    bind(open, senderFor(session, loop, chain, runtime.process), { how: 'takeover', prompt: chain }, runtime);
  else if (runtime.store.sessions.find(session) === null)
    runtime.store.sessions.keep(session, { loop: loop.id, process, project });
}

/**
 * If the gates hold, the claim is kept. Otherwise the agent goes on in the same pass, and claims again later.
 */
async function keepForStop(
  open: OpenLoop,
  message: string,
  declared: Declared,
  runtime: Runtime,
): Promise<Judgement | Refusal> {
  const judged = await rehearseStop(open, message, declared, runtime);
  if (judged === null) return brokenOff();
  // The gates hold, and only the confirmations are missing: the claim counts towards them.
  const isToConfirm = judged.gates.some((one) => one.gate === 'confirmed' && one.holds === false);
  const isAsked = judged.asks === 'completion' || judged.nextLook !== null || isToConfirm;
  const holds = judged.decision === 'complete' || isAsked;
  if (declared.what === 'done' && !holds) return judged;
  if (!isLive(open.look())) return unjudged(open.loop(), runtime);
  open.write({ type: 'said', at: runtime.now(), ...declared });
  open.keep();
  return { ...judged, recorded: 'said' };
}

function unjudged(loop: Loop, { stopped }: Runtime): Refusal {
  if (stopped?.aborted) return brokenOff();
  const name = `Loop ${title(loop)}`;
  return isLive(loop)
    ? refuse('busy', `${name} is being judged right now.`, 'Ask for its status in a moment.')
    : refuse('not-running', `${name} ${sayStatus(loop)}.`, 'You have nothing more to do here.');
}

function brokenOff(): Refusal {
  return refuse('broken-off', 'The judgement was broken off. Nothing was decided.', 'Ask again.');
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Between processes the journal decides who hears a stop. It can't tell two hearings of one process apart.
 */
async function inTurn<T>(loop: string, act: () => Promise<T>): Promise<T> {
  const turn = (turns.get(loop) ?? Promise.resolve()).then(act, act);
  turns.set(loop, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(loop) === turn) turns.delete(loop);
  }
}

/** It belongs to the chain that is under way, in the session that owns the loop, so it is never stale. */
export function spokenStop(loop: Loop, message: string, toolUsed: boolean): StopArrival {
  const { project, host } = loop;
  const { owner, chain } = loop.session;
  return {
    is: 'stop',
    from: senderFor(owner?.session ?? '', { project, host }, chain),
    message,
    background: [],
    cap: null,
    attended: false,
    continuedByHook: true,
    look: ({ offset }) => ({ queue: { offset, waiting: 0 }, taken: false, toolUsed }),
  };
}

/**
 * A host shows the tool calls of its agent at the stop. In a loop that a program drives we see none, and the
 * call that brought us here is not work, so the work tree has to show it. A mark takes time: we take it only
 * if the stop could open the circuit. If the gates hold, the hearing takes one itself.
 */
async function showsWork(open: OpenLoop, runtime: Runtime): Promise<boolean> {
  const loop = open.loop();
  const { begunTree, worked } = loop;
  if (begunTree === null || worked || !isToolDriven(loop)) return true;
  const { limits, circuit } = loop;
  const mayOpen = limits.stalls !== null && circuit.times + 1 >= (circuit.half ? 2 : limits.stalls);
  return mayOpen && (await markTree(open, runtime)).tree !== begunTree;
}

/** The one sequence on a loop that forgets what is written. Null: it was broken off. */
async function rehearseStop(
  open: OpenLoop,
  message: string,
  declared: Declared | null,
  runtime: Runtime,
): Promise<Judgement | null> {
  const { open: trial, end } = rehearse(open);
  try {
    const before = trial.loop();
    // A stop that is being heard right now would keep ours from being folded.
    if (before.open !== null) trial.write({ type: 'lost', at: runtime.now(), n: before.open.n, why: 'died' });
    if (declared !== null) trial.write({ type: 'said', at: runtime.now(), ...declared });
    const arrival = spokenStop(before, message, await showsWork(trial, runtime));
    const n = before.stops + 1;
    const { session, prompt } = arrival.from;
    const claim = { session, prompt, words: '', process: runtime.process, started: runtime.started };
    trial.write({ type: 'stop', at: runtime.now(), n, ...claim, continuedByHook: false });
    const hearing = { open: trial, n, arrival, runtime, isRehearsal: true };
    const proven = await prove(hearing);
    const ruling = proven && (await judgeStop(hearing, proven.facts));
    if (proven === null || ruling === null) return null;
    // A rehearsal sends no request to a person.
    trial.write(verdictEvent(n, proven.facts, ruling.verdict, runtime.now()));
    return judgement(before, trial.loop(), 'no', runtime.now());
  } finally {
    end();
  }
}
