/**
 * A scripted stand-in for the Anthropic Messages API on loopback: the real host runs against it with no
 * account. Any fault is answered with HTTP 400, which the host shows at once instead of retrying.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '#base/shape.ts';

export type Block = { text: string } | { tool: string; input: Record<string, unknown> };

export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
}

export interface Model {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Gives one answer after the other; the last one repeats. `paceMs`: how long the model seems to think. */
export function startModel(answers: readonly Block[][], paceMs = 0): Promise<Model> {
  let n = 0;
  return serveModel(async (asked, response) => {
    if (isSideRequest(asked)) return sendMessage(response, asked, TITLE);
    const blocks = answers[n++] ?? answers.at(-1) ?? [];
    await sleep(paceMs, undefined, { ref: false });
    sendMessage(response, asked, blocks);
  });
}

export const TITLE: readonly Block[] = [{ text: '{"title":"A scripted session"}' }];

/**
 * The host gives its main chain 12 tools and a subagent 8; requests for titles and the like have none or one.
 */
export const isSideRequest = ({ tools = [] }: MessagesRequest): boolean => tools.length < 3;

type AnswerRequest = (
  asked: MessagesRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<void>;

export const serveModel = (answer: AnswerRequest): Promise<Model> =>
  listen((request, response) => route(request, response, answer));

export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Model> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      const fault = { type: 'invalid_request_error', message: `the script failed: ${String(error)}` };
      sendJson(response, 400, { type: 'error', error: fault });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  answer: AnswerRequest,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://model').pathname;
  const isMessage = path === '/v1/messages';
  if (request.method !== 'POST' || !(isMessage || path === '/v1/messages/count_tokens'))
    return sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: path } });
  const body = await json(request);
  if (!isMessagesRequest(body)) throw new Error('not a Messages request');
  return isMessage
    ? answer(body, response, request)
    : sendJson(response, 200, { input_tokens: tokensOf(body) });
}

function isMessagesRequest(body: unknown): body is MessagesRequest {
  return isRecord(body) && Array.isArray(body['messages']) && 'model' in body;
}

// Four characters per token is close enough: the host only draws a gauge from it.
const tokensOf = ({ messages }: MessagesRequest): number => Math.ceil(JSON.stringify(messages).length / 4);

let lastId = 0;
const nextId = (prefix: string): string => `${prefix}_scripted${String(++lastId).padStart(6, '0')}`;

export function answerContent(blocks: readonly Block[]) {
  return blocks.map((block) =>
    'text' in block
      ? { type: 'text', text: block.text }
      : { type: 'tool_use', id: nextId('toolu'), name: block.tool, input: block.input },
  );
}

export function sendMessage(
  response: ServerResponse,
  asked: MessagesRequest,
  blocks: readonly Block[],
  used: object = {},
): void {
  if (response.destroyed) return;
  const content = answerContent(blocks);
  const stop_reason = blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn';
  const usage = {
    input_tokens: tokensOf(asked),
    output_tokens: 8,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...used,
  };
  const message = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
  if (asked.stream !== true) return sendJson(response, 200, message);

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): unknown =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const [empty, delta] =
      'text' in block
        ? [{ text: '' }, { type: 'text_delta', text: block.text }]
        : [{ input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
    send('content_block_start', { index, content_block: { ...block, ...empty } });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const { output_tokens } = usage;
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } });
  send('message_stop', {});
  response.end();
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
