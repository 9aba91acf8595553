/**
 * Hosts whose hooks speak like those of Claude Code: a payload with `session_id`, `cwd` and `hook_event_name`, and answers
 * in JSON with exit code 0. A host of this family is a table of names, and functions for what it does differently.
 */
import { isRecord, textAt } from '../core/shape.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { TERMINAL } from '../text/commands.ts';
import type { Answer, Arrival, Environment, Host, Output, Sender, StopArrival } from './arrival.ts';
import type { FatalKind } from './stream.ts';
import { actsOf, callOf, type ToolNames } from './tools.ts';

type Payload = Readonly<Record<string, unknown>>;
type Heard = 'stop' | 'fault' | 'prompt' | 'tool' | 'session-start' | 'session-end';

/** Enough for what a service says about an error. */
const DETAIL = 400;

/** The events of most of them. */
export const EVENTS: Readonly<Record<string, Heard>> = {
  Stop: 'stop',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'tool',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
};

export interface FamilyHook extends Pick<Host, 'name' | 'limits' | 'recognises'> {
  /** What its events are to us. */
  readonly events: Readonly<Record<string, Heard>>;
  /** The field that stays the same from a prompt to the last stop that it leads to; absent: it has none. */
  readonly chain?: string;
  /** The field of the agent's last message. */
  readonly message?: string;
  /** The variable that names the project, where the agent's folder may be another. */
  readonly project?: string;
  readonly tools: ToolNames;
  /** Its words for errors that no retry can fix. */
  readonly fatal?: Readonly<Record<string, FatalKind>>;
  /** What decides how it runs our hooks, and what it records of a session. */
  hostFiles(project: string, env: Environment): readonly string[];
  /** How its transcript, or whatever else it has, shows a stop. Absent: nothing shows it. */
  stop?(payload: Payload, env: Environment): Partial<StopArrival>;
}

export function familyHost(hook: FamilyHook): Host {
  const { name, limits, recognises } = hook;
  return { name, limits, recognises, hear: (payload, env) => hear(hook, payload, env), encode, wake: null };
}

function hear(hook: FamilyHook, payload: unknown, env: Environment): Arrival | null {
  if (!isRecord(payload)) return null;
  const is = hook.events[textAt(payload, 'hook_event_name')];
  const from = senderOf(hook, payload, env);
  // A subagent's stop or message never counts; what it writes does.
  if (is === undefined || from === null || (payload['agent_id'] !== undefined && is !== 'tool')) return null;
  switch (is) {
    case 'stop':
      return {
        ...plainStop(from, textAt(payload, hook.message ?? 'last_assistant_message')),
        ...hook.stop?.(payload, env),
      };
    case 'fault': {
      const error = textAt(payload, 'error') || 'unknown';
      const detail = oneLine(textAt(payload, 'error_details'), DETAIL);
      return { is, from, error, detail, fatal: hook.fatal?.[error] ?? null };
    }
    case 'prompt':
      return { is, from, text: textAt(payload, 'prompt'), person: true };
    case 'tool':
      return {
        is,
        from,
        acts: () => actsOf(payload, hook.tools, {}),
        call: () => callOf(payload, hook.tools, from.project),
        hostFiles: () => hook.hostFiles(from.project, env),
      };
    case 'session-start': {
      const { source } = payload;
      return source === 'resume' || source === 'clear' || source === 'compact' ? { is, from, source } : null;
    }
    case 'session-end':
      return { is, from, reason: textAt(payload, 'reason') };
  }
}

/** We do not know the process of the host: between it and us there may be a shell. */
function senderOf(hook: FamilyHook, payload: Payload, env: Environment): Sender | null {
  const session = textAt(payload, 'session_id');
  const project = env[hook.project ?? ''] || textAt(payload, 'cwd');
  if (session === '' || project === '') return null;
  const { name: host, limits, chain } = hook;
  const prompt = chain === undefined ? null : textAt(payload, chain) || null;
  return { host, limits, session, project, process: null, prompt, commands: TERMINAL };
}

/** A stop of which we know the words only. */
function plainStop(from: Sender, message: string): StopArrival {
  return {
    is: 'stop',
    from,
    message,
    background: [],
    cap: null,
    attended: true,
    continuedByHook: false,
    // We do not accuse an agent of idleness that we can't see.
    look: (queue) => ({ queue, taken: false, toolUsed: true }),
  };
}

/** The names of the events that take more than a message to the person. They are the same in every host of the family. */
const EVENT_NAMES: Readonly<Partial<Record<Arrival['is'], string>>> = {
  'session-start': 'SessionStart',
  prompt: 'UserPromptSubmit',
  tool: 'PreToolUse',
};

/** Not a key more than needed: Codex takes an answer with a key that it does not know for a failed hook. */
function encode(answer: Answer, { is }: Arrival): Output {
  const document = documentFor(answer, EVENT_NAMES[is]);
  return { stdout: document === null ? '' : JSON.stringify(document), stderr: '', exit: 0 };
}

function documentFor(answer: Answer, hookEventName: string | undefined): object | null {
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
