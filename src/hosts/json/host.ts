/**
 * A small protocol for hosts without hooks of their own: a plugin there calls `dacapo hook --protocol json` with one JSON
 * object and reads one. docs/hosts.md describes both.
 */
import {
  amount,
  isRecord,
  oneOf,
  record,
  recordAt,
  text as isText,
  textAt,
  textOrNull,
  whole,
} from '../../core/shape.ts';
import type { Answer, Arrival, Environment, Host, Output, StopArrival, TurnFault } from '../arrival.ts';
import { familyHost, written, type FamilyHook } from '../family.ts';
import { fatalStatus } from '../fate.ts';

type PluginHost = Pick<FamilyHook, 'name' | 'tools' | 'hostFiles'>;

/** A host whose plugin speaks this protocol, and names it in `host`. */
export function jsonHost(own: PluginHost): Host {
  const family = familyHost({
    ...own,
    limits: { stopMs: 600_000, text: 9_000, lagMs: 0, toolResetsCap: true },
    recognises: ({ host }) => host === own.name,
    events: {
      stop: 'stop',
      prompt: 'prompt',
      tool: 'tool',
      'session-start': 'session-start',
      'session-end': 'session-end',
    },
    chain: 'turn',
    stop: stopOf,
  });
  return { ...family, hear: (payload, env) => hear(family, payload, env), encode };
}

function hear(family: Host, payload: unknown, env: Environment): Arrival | null {
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
  const { host, process } = payload;
  const named = { ...(isText(host) && { host }), ...(whole(process) && { process }) };
  return arrival && { ...arrival, from: { ...arrival.from, ...named } };
}

const usedOf = record({ costUsd: amount, tokens: whole });

function stopOf(payload: Readonly<Record<string, unknown>>): Partial<StopArrival> {
  const { used, idle } = payload;
  const seen = { toolUsed: idle !== true, used: usedOf(used) ? used : null };
  return { ...restOf(payload), look: (queue) => ({ queue, taken: false, ...seen }) };
}

const fatalKind = oneOf('auth', 'billing', 'model', 'permission', 'config');

/** A turn that failed. Without it a loop would send the same request again and again. */
function restOf(payload: Readonly<Record<string, unknown>>): Pick<StopArrival, 'rest'> {
  const failed = recordAt(payload, 'failed');
  const [error, kind] = [textOrNull(failed['error']), failed['fatal']];
  if (error === null) return {};
  const fatal = fatalKind(kind) ? kind : (fatalStatus(Number(failed['status'])) ?? null);
  const fault: TurnFault = { error, detail: textAt(failed, 'detail'), fatal };
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
