// A model server that misbehaves: each request to it is answered as the test says, with headers, or broken in
// the middle.
import { createServer, type ServerResponse } from 'node:http';

export type Answer =
  | { readonly status: number; readonly type?: string; readonly headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

export interface BadServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startBadServer(answer: Answer): Promise<BadServer> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (typeof answer === 'function') return answer(response);
      const error = { type: answer.type ?? 'api_error', message: 'as scripted' };
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify({ type: 'error', error }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** The beginning of an answer, and then nothing but the end of the connection. */
export function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const start = JSON.stringify({ type: 'message_start', message: MESSAGE });
  response.write(`event: message_start\ndata: ${start}\n\n`, () => response.destroy());
}

export function garbled(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('event: message_start\ndata: {"type":"mess\n\n');
}
