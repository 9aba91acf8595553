/** Requests to the server that sent this page. */
import { PASS_HEADER, type Failure } from '#surfaces/page/wire.ts';

/**
 * Where the page keeps its right to act. Other ports of this address are other origins, and can't read it.
 */
const PASS = 'dacapo-pass';

export function keepPass(pass: string): void {
  localStorage.setItem(PASS, pass);
}

export class RefusedCall extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly next: string;
  constructor(status: number, { message, next }: Failure) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>(path, signal === undefined ? {} : { signal });
}

export function postToServer<T>(path: string, body: object): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [PASS_HEADER]: localStorage.getItem(PASS) ?? '' },
    body: JSON.stringify(body),
  });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, credentials: 'same-origin' }).catch(refuseOffline);
  const value: { readonly error?: Failure } & T = await response.json();
  if (response.ok) return value;
  throw new RefusedCall(
    response.status,
    value.error ?? { message: `The server answered ${response.status}.`, next: '' },
  );
}

function refuseOffline(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new RefusedCall(0, {
    message: 'The server does not answer.',
    next: 'Start it again with dacapo ui.',
  });
}

export function loopPath(id: string, rest = ''): string {
  return `/api/loops/${encodeURIComponent(id)}${rest}`;
}
