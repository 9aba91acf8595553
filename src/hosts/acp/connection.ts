/**
 * JSON-RPC 2.0 with an agent, one message per line. Whatever the other side sends, this never throws: an
 * answer that fails is a value, and what is no message is handed on as noise.
 */
import type { Readable, Writable } from 'node:stream';
import { cutLines } from '#base/process/output.ts';
import { isRecord, parseAs, recordAt, textOrNull } from '#base/shape.ts';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

export interface Listener {
  /** A request of the agent. Null: there is no such method here. */
  readonly asked: (method: string, params: Record<string, unknown>) => Promise<unknown> | null;
  readonly told: (method: string, params: Record<string, unknown>) => void;
  /** A line that is no message. */
  readonly noise: (line: string) => void;
}

const NO_SUCH_METHOD = -32601;
const INTERNAL = -32603;
/** Codes of our own, in the range that JSON-RPC leaves to programs: the agent is gone, or does not answer. */
export const AGENT_GONE = -32050;
export const TOO_LATE = -32051;

/** On a busy machine an agent takes half a minute to load itself, and `npx` may have to fetch it first. */
export const GREETING_MS = 60_000;

export type AcpConnection = ReturnType<typeof openConnection>;

export function openConnection(input: Writable, output: Readable, listener: Listener) {
  const waiting = new Map<number, (reply: Reply) => void>();
  let [last, isClosed] = [0, false];
  const send = (message: object) => {
    if (!isClosed && input.writable) input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const settle = (id: unknown, reply: Reply) => {
    const resolve = typeof id === 'number' ? waiting.get(id) : undefined;
    if (typeof id === 'number') waiting.delete(id);
    resolve?.(reply);
  };
  const lines = cutLines((line) => {
    const message = /^\s*\{/.test(line) ? parseAs(isRecord, line) : null;
    if (message !== null) readMessage(message, { listener, send, settle });
    else if (line.trim() !== '') listener.noise(line);
  });
  const close = () => {
    isClosed = true;
    for (const id of waiting.keys()) settle(id, failed(AGENT_GONE, 'the agent has ended'));
  };
  // Nobody reads any more: its end says the rest.
  input.on('error', () => undefined);
  output.on('data', lines.push);
  output.on('end', () => {
    lines.end();
    close();
  });
  return {
    /** `mostMs`: null: it may take as long as it likes. */
    request: (method: string, params: object, mostMs: number | null): Promise<Reply> =>
      new Promise((resolve) => {
        if (isClosed) return resolve(failed(AGENT_GONE, 'the agent has ended'));
        const id = ++last;
        const late = () =>
          settle(id, failed(TOO_LATE, `no answer to ${method} within ${(mostMs ?? 0) / 1000} s`));
        const timer = mostMs === null ? undefined : setTimeout(late, mostMs);
        waiting.set(id, (reply) => {
          clearTimeout(timer);
          resolve(reply);
        });
        send({ id, method, params });
      }),
    notify: (method: string, params: object) => send({ method, params }),
    close,
  };
}

interface Sides {
  readonly listener: Listener;
  readonly send: (message: object) => void;
  readonly settle: (id: unknown, reply: Reply) => void;
}

function readMessage(message: Record<string, unknown>, { listener, send, settle }: Sides): void {
  const { id } = message;
  const method = textOrNull(message['method']);
  const params = recordAt(message, 'params');
  if (method === null) return settle(id, replyIn(message));
  if (id === undefined) return listener.told(method, params);
  const answer = listener.asked(method, params);
  if (answer === null)
    return send({ id, error: { code: NO_SUCH_METHOD, message: `${method} is not offered` } });
  answer.then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, error: { code: INTERNAL, message: String(error) } }),
  );
}

function replyIn(message: Record<string, unknown>): Reply {
  if (!isRecord(message['error'])) return { ok: true, result: message['result'] };
  const { code, message: words, data } = message['error'];
  const isCode = typeof code === 'number' && Number.isFinite(code);
  return { ok: false, error: { code: isCode ? code : INTERNAL, message: textOrNull(words) ?? '', data } };
}

function failed(code: number, message: string): Reply {
  return { ok: false, error: { code, message } };
}
