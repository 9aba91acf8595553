// A scripted model on loopback for every host: one script, spoken in the protocol in which it is asked.
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '#base/shape.ts';
import { listen, sendJson, type Model as ServedModel } from '#surfaces/demo/model.ts';
import { chatCompletions } from './protocols/chat-completions.ts';
import { generateContent } from './protocols/generate-content.ts';
import { messages } from './protocols/messages.ts';
import { responses } from './protocols/responses.ts';
import { answerOf, type Asked, type Protocol, type Read, type Script, type Turn } from './script.ts';

const PROTOCOLS: readonly Protocol[] = [responses, chatCompletions, generateContent, messages];

export interface Model extends ServedModel {
  /** The turns of the agents, in order. */
  readonly requests: readonly Asked[];
  /** Titles, summaries and the like: a host asks for them with one tool or none, and gets a short text. */
  readonly side: readonly Asked[];
}

/** Each host is told a folder of its own at this server (`${url}/codex/v1`): so its turns are told apart. */
export async function startModel(script: Script): Promise<Model> {
  const requests: Asked[] = [];
  const side: Asked[] = [];
  const model = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    const protocol = PROTOCOLS.find(({ path }) => request.method === 'POST' && path.test(pathname));
    if (protocol === undefined) return sendJson(response, 404, { error: { message: `no ${pathname}` } });
    const body = await json(request);
    if (!isRecord(body)) throw new Error('the request is no object');
    const read = protocol.read(body, pathname);
    const host = pathname.split('/')[1] ?? '';
    const kept = isSideRequest(read) ? side : requests;
    const n = kept.filter((one) => one.host === host).length;
    const asked: Asked = { ...read, n, host, headers: request.headers, body, text: news(read) };
    kept.push(asked);
    const turn = kept === side ? 'A scripted session' : await turnOf(script, asked);
    await send(response, protocol, asked, turn);
  });
  return { ...model, requests, side };
}

/** The hosts give an agent four tools and more, even one that may only read. */
const isSideRequest = ({ tools }: Read): boolean => tools.length < 2;

/** What the host has told since the last answer. */
function news({ messages }: Read): string {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(answered + 1)
    .filter(({ role }) => role === 'user' || role === 'tool')
    .map(({ text }) => text)
    .join('\n');
}

/** The last turn of a list repeats. */
function turnOf(script: Script, asked: Asked): Turn | Promise<Turn> {
  if (typeof script === 'function') return script(asked);
  return script[asked.n] ?? script.at(-1) ?? script[0];
}

async function send(response: ServerResponse, protocol: Protocol, asked: Asked, turn: Turn): Promise<void> {
  const said = typeof turn === 'string' ? { text: turn } : turn;
  if ('status' in said) {
    const after = said.retryAfter;
    const headers = { ...said.headers, ...(after !== undefined && { 'retry-after': String(after) }) };
    response.setHeaders(new Map(Object.entries(headers)));
    return sendJson(response, said.status, protocol.fault(said.status, `scripted ${said.status}`));
  }
  if (said.delay !== undefined) await sleep(said.delay, undefined, { ref: false });
  if (response.destroyed) return;
  response.setHeaders(new Map(Object.entries(said.headers ?? {})));
  protocol.send(response, asked, answerOf(said, asked.tools));
}
