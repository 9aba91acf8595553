// A scripted stand-in for the Anthropic Messages API on loopback: the real Claude Code runs against it with no account.
// It never guesses: a script that throws is answered with HTTP 400, which the host shows at once instead of retrying.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Block = { text: string } | { tool: string; input: Record<string, unknown> };

export type ScriptedFailure = {
  status: number;
  body?: unknown;
  delay?: number;
  headers?: Record<string, string>;
};

/** The usage that a message reports; by default its input is estimated from the request. */
export type Usage = {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
};

/** What the model answers. A string is one text block. `delay` (ms) comes before the first byte. */
export type Reply = string | Block[] | { blocks: Block[]; delay?: number; usage?: Usage } | ScriptedFailure;

export type ModelMessage = { role: string; content: string | ContentBlock[] };
export type ContentBlock = { type: string; text?: string; [key: string]: unknown };
export type RequestBody = {
  model: string;
  messages: ModelMessage[];
  system?: string | ContentBlock[];
  tools?: { name: string }[];
  stream?: boolean;
  [key: string]: unknown;
};

export type Turn = {
  /** 0-based, counted separately for the main chain and for each subagent. */
  n: number;
  body: RequestBody;
  headers: IncomingHttpHeaders;
  /** Set for a request of a subagent. */
  agentId?: string;
  /** Every text of the last user message, tool results included. */
  text: string;
};

export type Script = (turn: Turn) => Reply | Promise<Reply>;

export type Model = {
  url: string;
  /** The turns of the main chain, in order. */
  requests: Turn[];
  /** The turns of subagents. */
  agentRequests: Turn[];
  close: () => Promise<void>;
};

/** Answers with one reply after the other; the last one repeats. Subagents get `agent`. */
export function replies(list: readonly [Reply, ...Reply[]]): Script {
  return ({ n, agentId }) =>
    agentId === undefined ? (list[n] ?? list.at(-1) ?? list[0]) : 'The subagent is done.';
}

export async function startModel(script: Script): Promise<Model> {
  const requests: Turn[] = [];
  const agentRequests: Turn[] = [];
  const closing = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    if (request.method !== 'POST' || !path.startsWith('/v1/messages'))
      return sendError(response, 404, `no route for ${path}`);
    const body: unknown = JSON.parse(await readBody(request));
    if (!isRequestBody(body)) return sendError(response, 400, 'not a Messages request');
    if (path === '/v1/messages/count_tokens')
      return sendJson(response, 200, { input_tokens: tokensOf(body) });
    if (path !== '/v1/messages') return sendError(response, 404, `no route for ${path}`);

    const canned = sideReply(body, request.headers);
    const reply = canned ?? (await script(record(body, request.headers)));
    const delay = typeof reply === 'object' && 'delay' in reply ? (reply.delay ?? 0) : 0;
    if (delay > 0) await sleep(delay, undefined, { signal: closing.signal });
    if (response.destroyed) return;
    if (typeof reply === 'object' && 'status' in reply)
      return sendJson(
        response,
        reply.status,
        reply.body ?? errorBody('api_error', `scripted ${reply.status}`),
        reply.headers,
      );
    const usage = typeof reply === 'object' && 'usage' in reply ? (reply.usage ?? {}) : {};
    sendMessage(response, body, blocksOf(reply), usage);
  };

  const record = (body: RequestBody, headers: IncomingHttpHeaders): Turn => {
    const agentId = agentIdOf(headers);
    const list = agentId === undefined ? requests : agentRequests;
    const n = list.filter((turn) => turn.agentId === agentId).length;
    const turn: Turn = {
      n,
      body,
      headers,
      text: lastUserText(body),
      ...(agentId === undefined ? {} : { agentId }),
    };
    list.push(turn);
    return turn;
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!closing.signal.aborted) sendError(response, 400, `the script failed: ${String(error)}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    agentRequests,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Claude Code gives its main chain 12 tools and a subagent 8; titles and the like have none or one.
const FEWEST_TOOLS_OF_A_CHAIN = 3;
const SUMMARY_REQUEST = /create a detailed summary of (?:the|this) conversation/i;

function sideReply(body: RequestBody, headers: IncomingHttpHeaders): Block[] | undefined {
  // The summary request of /compact carries the tools of its chain, so only its text identifies it.
  if (SUMMARY_REQUEST.test(lastUserText(body)))
    return [{ text: '<summary>The conversation so far, in short.</summary>' }];
  if (agentIdOf(headers) !== undefined || (body.tools?.length ?? 0) >= FEWEST_TOOLS_OF_A_CHAIN)
    return undefined;
  return [{ text: '{"title":"A scripted session"}' }];
}

function agentIdOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-claude-code-agent-id'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function lastUserText(body: RequestBody): string {
  return textOf(body.messages.findLast((message) => message.role === 'user')?.content);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => (isContentBlock(block) ? (block.text ?? textOf(block['content'])) : ''))
    .join('\n');
}

function blocksOf(reply: string | Block[] | { blocks: Block[] }): Block[] {
  if (typeof reply === 'string') return reply === '' ? [] : [{ text: reply }];
  return Array.isArray(reply) ? reply : reply.blocks;
}

let lastId = 0;
const nextId = (prefix: string): string => `${prefix}_scripted${String(++lastId).padStart(6, '0')}`;

function sendMessage(response: ServerResponse, body: RequestBody, blocks: Block[], used: Usage): void {
  const content = blocks.map((block) =>
    'text' in block
      ? { type: 'text', text: block.text }
      : { type: 'tool_use', id: nextId('toolu'), name: block.tool, input: block.input },
  );
  const stop_reason = blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn';
  const usage = {
    input_tokens: tokensOf(body),
    output_tokens: 8,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...used,
  };
  const message = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
  if (body.stream !== true) return sendJson(response, 200, message);

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): unknown =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const isText = 'text' in block;
    send('content_block_start', {
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  });
  send('message_stop', {});
  response.end();
}

// Four characters per token is close enough: the host only draws a gauge from it.
const tokensOf = (body: RequestBody): number => Math.ceil(JSON.stringify(body.messages).length / 4);

const errorBody = (type: string, message: string): object => ({ type: 'error', error: { type, message } });

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(
    response,
    status,
    errorBody(status === 404 ? 'not_found_error' : 'invalid_request_error', message),
  );
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function isRequestBody(value: unknown): value is RequestBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'messages' in value &&
    Array.isArray(value.messages) &&
    'model' in value
  );
}

function isContentBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && 'type' in value;
}
