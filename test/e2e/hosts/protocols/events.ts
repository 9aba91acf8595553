// Server-sent events, which three of the four protocols write alike.
import type { ServerResponse } from 'node:http';

export interface Events {
  readonly send: (data: object | string, event?: string) => void;
  readonly end: () => void;
}

/** Undefined if the host did not ask for a stream: then the answer is one JSON document. */
export function startEvents(response: ServerResponse, stream: boolean): Events | undefined {
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  if (!stream) return undefined;
  return {
    send: (data, event) => {
      const name = event === undefined ? '' : `event: ${event}\n`;
      response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    },
    end: () => response.end(),
  };
}
