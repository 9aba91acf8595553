/**
 * A small protocol for hosts without hooks of their own: a plugin there calls `dacapo hook --protocol json` with one JSON
 * object and reads one. docs/hosts.md describes both.
 */
import { isRecord, oneOf, recordAt, textAt, textOrNull } from '../../core/shape.ts';
import type { Answer, Arrival, Environment, Host, Output, StopArrival, TurnFault } from '../arrival.ts';
import { familyHost, written } from '../family.ts';
import { JSON_NAMES } from '../names.ts';

const family = familyHost({
  ...JSON_NAMES,
  events: {
    stop: 'stop',
    prompt: 'prompt',
    tool: 'tool',
    'session-start': 'session-start',
    'session-end': 'session-end',
  },
  chain: 'turn',
  stop: restOf,
});

export const json: Host = { ...family, hear, encode };

function hear(payload: unknown, env: Environment): Arrival | null {
  if (!isRecord(payload)) return null;
  const { event, session, project, message, text, tool, input, id, ...rest } = payload;
  const arrival = family.hear(
    {
      cwd: project,
      ...rest,
      hook_event_name: event,
      session_id: session,
      last_assistant_message: message,
      prompt: text,
      tool_name: tool,
      tool_input: input,
      tool_use_id: id,
    },
    env,
  );
  const host = textOrNull(payload['host']);
  return arrival === null || host === null ? arrival : { ...arrival, from: { ...arrival.from, host } };
}

const fatalKind = oneOf('auth', 'billing', 'model', 'permission', 'config');

/** A turn that failed. Without it a loop would send the same request again and again. */
function restOf(payload: Readonly<Record<string, unknown>>): Pick<StopArrival, 'rest'> {
  const failed = recordAt(payload, 'failed');
  const [error, kind] = [textOrNull(failed['error']), failed['fatal']];
  if (error === null) return {};
  const fault: TurnFault = { error, detail: textAt(failed, 'detail'), fatal: fatalKind(kind) ? kind : null };
  return { rest: async () => ({ message: textAt(payload, 'last_assistant_message'), failed: fault }) };
}

function encode(answer: Answer): Output {
  return written(sayFor(answer));
}

/** `prompt` and `context` are for the agent, `message` is for the person. */
function sayFor(answer: Answer): object | null {
  const message = 'toPerson' in answer ? (answer.toPerson ?? undefined) : undefined;
  switch (answer.is) {
    case 'silence':
      return null;
    case 'continue':
      return { continue: true, prompt: answer.toAgent, message };
    case 'brief':
      return { context: answer.toAgent, message };
    case 'deny':
      return { allow: false, reason: answer.toAgent, message };
    case 'permit':
      return { allow: true, reason: answer.why };
    case 'tell':
    case 'close':
      return { message };
  }
}
