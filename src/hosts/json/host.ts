/**
 * A small protocol for hosts without hooks of their own: a plugin there calls `dacapo hook --protocol json`
 * with one JSON object and reads one. docs/hosts.md describes both.
 */
import { amount, isRecord, oneOf, record, recordAt, text, textAt, textOrNull, whole } from '#base/shape.ts';
import type {
  Answer,
  Arrival,
  Environment,
  Host,
  StopArrival,
  TurnFault,
  HookPayload,
} from '../port/arrival.ts';
import { EVENTS, familyHost, type FamilyNames } from '../kit/claude-like-hooks.ts';
import { fatalStatus } from '../kit/pass-outcome.ts';
import { JSON_NAMES, OPENCODE, PI } from '../tables/names.ts';
import { sayFree } from '../prices/prices.ts';

/** Hosts with a plugin of ours. It names its host, and tools as its host does. */
const PLUGINS = [OPENCODE, PI];

export const json: Host = { ...jsonHost(JSON_NAMES), readArrival: readJsonArrival };

export function jsonHost(names: FamilyNames): Host {
  return familyHost(names, {
    events: Object.fromEntries(Object.values(EVENTS).map((is) => [is, is])),
    chain: 'turn',
    plain,
    sender: ({ host, process }) => ({ ...(text(host) && { host }), ...(whole(process) && { process }) }),
    stop: stopOf,
    say: sayFor,
  });
}

function readJsonArrival(payload: unknown, env: Environment): Arrival | null {
  const host = isRecord(payload) ? payload['host'] : null;
  return jsonHost(PLUGINS.find(({ name }) => name === host) ?? JSON_NAMES).readArrival(payload, env);
}

function plain(payload: HookPayload): HookPayload {
  const { event, session, project, message, text: prompt, tool, input, id, ...rest } = payload;
  return {
    cwd: project,
    ...rest,
    hook_event_name: event,
    session_id: session,
    last_assistant_message: message,
    prompt,
    tool_name: tool,
    tool_input: input,
    tool_use_id: id,
  };
}

const usedShape = record({ costUsd: amount, tokens: whole });

/** A plugin may tell what the turn has used, and whether the agent did nothing but talk. */
function stopOf(payload: HookPayload): Partial<StopArrival> {
  const { used, idle } = payload;
  const seen = { toolUsed: idle !== true, used: usedShape(used) ? used : null };
  return {
    ...restOf(payload),
    look: (queue) => ({ queue, taken: false, ...seen }),
    count: async ({ limits }) => {
      const isFree = limits.costUsd !== null && seen.used?.costUsd === 0 && seen.used.tokens > 0;
      return { used: seen.used, note: isFree ? `Da Capo: ${sayFree()}.` : null };
    },
  };
}

const fatalKind = oneOf('auth', 'billing', 'model', 'permission', 'config');

/** A turn that failed. Without it a loop would send the same request again and again. */
function restOf(payload: HookPayload): Pick<StopArrival, 'rest'> {
  const failed = recordAt(payload, 'failed');
  const [error, kind] = [textOrNull(failed['error']), failed['fatal']];
  if (error === null) return {};
  const fatal = fatalKind(kind) ? kind : (fatalStatus(Number(failed['status'])) ?? null);
  const fault: TurnFault = { error, detail: textAt(failed, 'detail'), fatal };
  return { rest: async () => ({ message: textAt(payload, 'last_assistant_message'), failed: fault }) };
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
