/**
 * Hosts whose hooks speak like those of Claude Code: a payload with `session_id`, `cwd` and
 * `hook_event_name`, and answers in JSON with exit code 0. A host of this family is a table of names, and
 * functions for what it does differently.
 */
import { join } from 'node:path';
import { isRecord, textAt } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { TERMINAL } from '#telling/audience.ts';
import type {
  Answer,
  Arrival,
  Environment,
  HookPayload,
  Host,
  HostLimits,
  Output,
  Sender,
  StopArrival,
} from '../port/arrival.ts';
import { hostGround } from '../project/host-ground.ts';
import type { HostNames, OtherNames } from '../tables/names.ts';
import { pricesWith } from '../prices/prices.ts';
import { findHostProcess } from './host-process.ts';
import { lookAtRows, type CountRecord } from './session-log.ts';
import type { FatalKind } from '../port/stream.ts';
import { actsOfCall, callOf, speechOf } from '../tools/tools.ts';

export type HookKind = 'stop' | 'fault' | 'prompt' | 'tool' | 'session-start' | 'session-end';

/** Enough for what a service says about an error. */
const MAX_DETAIL_CHARS = 400;

export const EVENTS: Readonly<Record<string, HookKind>> = {
  Stop: 'stop',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'tool',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
};

const LIMITS: HostLimits = { stopMs: 600_000, text: 9_000, lagMs: 0, toolResetsCap: true };

/** Without folders we do not know where its files are. */
export type FamilyNames = Pick<HostNames, 'name'> | OtherNames;

interface FamilyHook {
  /** Where they differ from those of most. */
  readonly limits?: Partial<HostLimits>;
  readonly events: Readonly<Record<string, HookKind>>;
  /** The field that stays the same from a prompt to the last stop that it leads to; absent: it has none. */
  readonly chain?: string;
  /** The variable that names the project, where the agent's folder may be another. */
  readonly project?: string;
  /** Its words for errors that no retry can fix. */
  readonly fatal?: Readonly<Record<string, FatalKind>>;
  readonly record?: {
    /** Its own name for the file, which shows who is calling. */
    readonly file: RegExp;
    /** What only the row of a tool call holds. */
    readonly call: RegExp;
    readonly count: CountRecord;
  };
  /** It tells us of our own words at a stop as of a prompt. */
  readonly echoes?: boolean;
  /** A sign of its own beside its record and its variable. */
  sign?(payload: HookPayload): boolean;
  /** A payload in the form of the others. */
  plain?(payload: HookPayload): HookPayload;
  sender?(payload: HookPayload, env: Environment): Partial<Sender>;
  stop?(payload: HookPayload, env: Environment): Partial<StopArrival>;
  /** Its own form of an answer; null: that of most. */
  readonly say?: (answer: Answer) => object | null;
}

export function familyHost(names: FamilyNames, hook: FamilyHook): Host {
  const { name } = names;
  const { record, project = '' } = hook;
  const limits = { ...LIMITS, ...hook.limits };
  return {
    name,
    limits,
    recognises: (payload, env) =>
      record !== undefined &&
      (record.file.test(recordOf(payload)) || Boolean(env[project]) || hook.sign?.(payload) === true),
    readArrival: (payload, env) => readHookArrival({ ...hook, names, limits }, payload, env),
    encode: (answer, arrival) => encode(hook, answer, arrival),
    wake: null,
  };
}

function recordOf(payload: HookPayload): string {
  return textAt(payload, 'transcript_path');
}

type Hook = FamilyHook & Pick<Host, 'limits'> & { readonly names: FamilyNames };

function readHookArrival(hook: Hook, told: unknown, env: Environment): Arrival | null {
  if (!isRecord(told)) return null;
  const payload = hook.plain?.(told) ?? told;
  const name = textAt(payload, 'hook_event_name');
  // Not `toString` and the like.
  const is = Object.hasOwn(hook.events, name) ? hook.events[name] : undefined;
  const from = senderOf(hook, payload, env);
  // A subagent's stop or message never counts; what it writes does.
  if (is === undefined || from === null || (payload['agent_id'] !== undefined && is !== 'tool')) return null;
  switch (is) {
    case 'stop':
      return { ...readStop(hook, payload, from), ...hook.stop?.(payload, env) };
    case 'fault': {
      const error = textAt(payload, 'error') || 'unknown';
      const detail = oneLine(textAt(payload, 'error_details'), MAX_DETAIL_CHARS);
      return { is, from, error, detail, fatal: hook.fatal?.[error] ?? null };
    }
    case 'prompt': {
      const text = textAt(payload, 'prompt');
      return hook.echoes === true && text.includes(OURS) ? null : { is, from, text, person: true };
    }
    case 'tool':
      return {
        is,
        from,
        acts: () => actsOfCall(payload, hook.names.name, {}),
        call: () => callOf(payload, hook.names.name),
        hostFiles: () => hostFiles(hook.names, from.project, env),
        speech: () => speechOf(payload),
      };
    case 'session-start': {
      const { source } = payload;
      return source === 'resume' || source === 'clear' || source === 'compact' ? { is, from, source } : null;
    }
    case 'session-end':
      return { is, from, reason: textAt(payload, 'reason') };
  }
}

function senderOf(hook: Hook, payload: HookPayload, env: Environment): Sender | null {
  const session = textAt(payload, 'session_id');
  const project = env[hook.project ?? ''] || textAt(payload, 'cwd');
  if (session === '' || project === '') return null;
  const { limits, chain } = hook;
  const prompt = chain === undefined ? null : textAt(payload, chain) || null;
  // Whoever speaks a protocol of ours may be any program.
  const find = hook.record === undefined ? () => null : findHostProcess;
  let found: number | null | undefined;
  return {
    host: hook.names.name,
    limits,
    session,
    project,
    prompt,
    commands: TERMINAL,
    // Looked for on demand: most sessions have no loop.
    get process() {
      if (found === undefined) found = find();
      return found;
    },
    ...hook.sender?.(payload, env),
  };
}

function readStop({ record }: Hook, payload: HookPayload, from: Sender): StopArrival {
  const path = recordOf(payload);
  return {
    is: 'stop',
    from,
    message: textAt(payload, 'last_assistant_message'),
    background: [],
    cap: null,
    attended: true,
    continuedByHook: payload['stop_hook_active'] === true,
    // We do not accuse an agent of idleness that we can't see.
    look: (queue, notBefore) =>
      record === undefined
        ? { queue, taken: false, toolUsed: true }
        : lookAtRows(path, record.call, queue, notBefore),
    ...(record !== undefined && {
      count: async (loop, ledger, config) =>
        record.count({ path, payload, loop, ledger, prices: pricesWith(config) }),
    }),
  };
}

function hostFiles(names: FamilyNames, project: string, env: Environment): string[] {
  if (!('home' in names)) return [];
  const home = names.home(env);
  const { name, ground, sessions } = names;
  return [
    ...ground.map((file) => join(home, file)),
    ...hostGround(name).map((path) => join(project, path)),
    join(home, sessions),
  ];
}

/** Around what we say at a stop to a host that echoes: only its words show that it is ours. */
const OURS = '<hook_prompt>';

/** `echoes`: our words come back to us as a prompt, so they are marked. */
function encode({ events, echoes, say }: FamilyHook, answer: Answer, { is }: Arrival): Output {
  const isMarked = echoes === true && answer.is === 'continue';
  const said = isMarked ? { ...answer, toAgent: `${OURS}\n${answer.toAgent}\n</hook_prompt>` } : answer;
  const document = say?.(said) ?? documentFor(said, eventFor(events, is));
  return { stdout: document === null ? '' : JSON.stringify(document), stderr: '', exit: 0 };
}

export function eventFor(events: FamilyHook['events'], is: Arrival['is']): string {
  return Object.keys(events).find((name) => events[name] === is) ?? '';
}

/** Not a key more than needed: Codex takes an answer with a key that it does not know for a failed hook. */
function documentFor(answer: Answer, hookEventName: string): object | null {
  const systemMessage = 'toPerson' in answer ? (answer.toPerson ?? undefined) : undefined;
  const decided = (permissionDecision: string, permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason },
  });
  switch (answer.is) {
    case 'silence':
      return null;
    case 'tell':
      return { systemMessage };
    case 'close':
      return { decision: 'block', reason: answer.toPerson };
    // The host shows the reason to the person, too.
    case 'continue':
      return { decision: 'block', reason: answer.toAgent };
    case 'brief':
      return { systemMessage, hookSpecificOutput: { hookEventName, additionalContext: answer.toAgent } };
    case 'permit':
      return decided('allow', answer.why);
    // `continue: false` would end the turn in some hosts. In Codex it fails, and the tool is used.
    case 'deny':
      return decided('deny', answer.toAgent);
  }
}
