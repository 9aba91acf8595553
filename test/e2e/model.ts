// The demo's scripted model, for tests: it also keeps its requests, tells subagents apart, fails and is late
// as told.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isSideRequest,
  sendJson,
  sendMessage,
  serveModel,
  TITLE,
  type Block,
  type MessagesRequest,
  type Model as ServedModel,
} from '#surfaces/demo/model.ts';
import { isRecord } from '#base/shape.ts';

export type ScriptedFailure = {
  status: number;
  body?: unknown;
  delay?: number;
  headers?: Record<string, string>;
};

/** The usage that a message reports; by default its input is estimated from the request. */
type Usage = {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
};

type Message = { blocks: Block[]; delay?: number; usage?: Usage; headers?: Record<string, string> };

/** What the model answers. A string is one text block. `delay` (ms) comes before the first byte. */
export type Reply = string | Block[] | Message | ScriptedFailure;

export type Turn = {
  /** 0-based, counted separately for the main chain and for each subagent. */
  n: number;
  body: MessagesRequest;
  headers: IncomingHttpHeaders;
  /** Set for a request of a subagent. */
  agentId?: string;
  /**
   * Set for the question of the host's own judge whether its `/goal` is met: it wants `{"ok":…,"reason":…}`.
   */
  judgesGoal?: true;
  /** Every text of the last user message, tool results included. */
  text: string;
};

export type Script = (turn: Turn) => Reply | Promise<Reply>;

export type Model = ServedModel & {
  /** The turns of the main chain, in order. */
  requests: Turn[];
  /** The turns of subagents. */
  agentRequests: Turn[];
  /** The questions of the host's own judge. */
  goalRequests: Turn[];
};

/** Answers with one reply after the other; the last one repeats. Each subagent says that it is done. */
export function replies(list: readonly [Reply, ...Reply[]]): Script {
  return ({ n, agentId }) =>
    agentId === undefined ? (list[n] ?? list.at(-1) ?? list[0]) : 'The subagent is done.';
}

const SUMMARY_REQUEST = /create a detailed summary of (?:the|this) conversation/i;
const GOAL_QUESTION = /has the following stopping condition been satisfied/i;
const SUMMARY: Block[] = [{ text: '<summary>The conversation so far, in short.</summary>' }];

export async function startModel(script: Script): Promise<Model> {
  const requests: Turn[] = [];
  const agentRequests: Turn[] = [];
  const goalRequests: Turn[] = [];

  const model = await serveModel(async (body, response, request) => {
    const text = textOf(body.messages.findLast(({ role }) => role === 'user')?.content);
    // The summary request of /compact carries the tools of its chain, so only its text identifies it.
    if (SUMMARY_REQUEST.test(text)) return sendMessage(response, body, SUMMARY);
    const agentId = agentIdOf(request);
    const judgesGoal = GOAL_QUESTION.test(text);
    if (agentId === undefined && !judgesGoal && isSideRequest(body))
      return sendMessage(response, body, TITLE);

    const list = judgesGoal ? goalRequests : agentId === undefined ? requests : agentRequests;
    const n = list.filter((turn) => turn.agentId === agentId).length;
    const whose = { ...(agentId === undefined ? {} : { agentId }), ...(judgesGoal ? { judgesGoal } : {}) };
    const turn = { n, body, headers: request.headers, text, ...whose };
    list.push(turn);
    const reply = answerOf(await script(turn));
    if (reply.delay !== undefined) await sleep(reply.delay, undefined, { ref: false });
    if (response.destroyed) return;
    response.setHeaders(new Map(Object.entries(reply.headers ?? {})));
    if ('blocks' in reply) return sendMessage(response, body, reply.blocks, reply.usage);
    const error = { type: 'api_error', message: `scripted ${reply.status}` };
    sendJson(response, reply.status, reply.body ?? { type: 'error', error });
  });
  return { ...model, requests, agentRequests, goalRequests };
}

function answerOf(reply: Reply): Message | ScriptedFailure {
  if (typeof reply === 'string') return { blocks: reply === '' ? [] : [{ text: reply }] };
  return Array.isArray(reply) ? { blocks: reply } : reply;
}

function agentIdOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['x-claude-code-agent-id'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => {
      if (!isRecord(block)) return '';
      return typeof block['text'] === 'string' ? block['text'] : textOf(block['content']);
    })
    .join('\n');
}
