/** What a program says for an agent: that it is done or blocked, that a pass is over, a note. */
import { declare, endPass, type AgentStatement } from '#engine/claims/claim.ts';
import type { Judgement } from '#engine/claims/judgement.ts';
import type { Refusal } from '#base/refusal.ts';
import { flag, optional, type ObjectOf } from '#input/schema/schema.ts';
import { outputTailOf } from '#law/proof/outcome.ts';
import { sayProof } from '#law/words/check-outcomes.ts';
import type { ProofListener } from '#store/runtime.ts';
import { noteLesson, type Noted } from '#engine/agent/say.ts';
import { callback, env, signal, text, withRuntime, optionalText, type InEnvironment } from './runtime.ts';

const FIELDS = {
  loop: text,
  /** The session of the host that owns the loop. Leave it out for a loop that your program drives. */
  session: optionalText,
  /** True: nothing is written, and the answer says how the stop would be judged. Default: false. */
  rehearse: optional(flag),
  /** Aborted: checks end at once, and nothing is judged. */
  signal,
  /** Called when a proof begins (`how` is null) and when it ends. `tail`: the end of its output. */
  progress: callback<(what: string, how: string | null, tail: string) => void>(),
  env,
};

export interface SpeechRequest extends ObjectOf<typeof FIELDS> {}

export interface ClaimRequest extends SpeechRequest {
  /** What was done, in a few sentences. */
  readonly summary: string;
}

export interface BlockRequest extends SpeechRequest {
  /** What a person has to do or to decide. */
  readonly reason: string;
  /** True: no gate can show that the task is done, so a person is asked to accept it. Default: false. */
  readonly unverifiable?: boolean;
}

export interface EndPassRequest extends SpeechRequest {
  /** The last message of the agent. Its tags count. */
  readonly message: string;
}

export type Judged = Judgement | Refusal;

function speechOf({ loop, session = '', rehearse, signal, progress }: SpeechRequest): AgentStatement {
  const mode = rehearse === true ? 'rehearse' : 'record';
  const tell: ProofListener = (what, outcome) =>
    progress?.(what, outcome && sayProof(outcome), outcome === null ? '' : outputTailOf(outcome));
  return { loop, session: session || null, mode, signal, progress: progress && tell };
}

export async function claimDone(request: ClaimRequest): Promise<Judged> {
  return withRuntime(request, { ...FIELDS, summary: text }, (runtime) =>
    declare({ ...speechOf(request), what: 'done', words: request.summary }, runtime),
  );
}

export async function sayBlocked(request: BlockRequest): Promise<Judged> {
  return withRuntime(request, { ...FIELDS, reason: text, unverifiable: optional(flag) }, (runtime) => {
    const what = request.unverifiable === true ? 'unverifiable' : 'blocked';
    return declare({ ...speechOf(request), what, words: request.reason }, runtime);
  });
}

export async function passEnded(request: EndPassRequest): Promise<Judged> {
  return withRuntime(request, { ...FIELDS, message: text }, (runtime) =>
    endPass({ ...speechOf(request), message: request.message }, runtime),
  );
}

export interface NoteRequest extends InEnvironment {
  readonly loop: string;
  readonly session?: string;
  /** At most 500 characters. */
  readonly text: string;
}

export async function takeNote(request: NoteRequest): Promise<Noted> {
  return withRuntime(request, { loop: text, session: optionalText, text, env }, (runtime) =>
    noteLesson({ loop: request.loop, session: request.session ?? null, text: request.text }, runtime),
  );
}
