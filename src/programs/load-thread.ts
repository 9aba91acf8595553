/**
 * The thread in which Node before 22.15 resolves ES modules. It refuses what is not pinned, and reports the
 * rest.
 */
import type { MessagePort } from 'node:worker_threads';
import type { ThreadOrder } from '#surfaces/stop-hooks/loading/hook-loading.ts';
import { watchLoading, type Watch } from '#surfaces/stop-hooks/loading/watch-loading.ts';

interface LoadContext {
  readonly parentURL?: string;
}
type Next = (specifier: string, context: LoadContext) => Promise<{ readonly url: string }>;

let watch: Watch | null = null;
let tell: MessagePort | null = null;

export function initialize({ project, pins, port }: ThreadOrder): void {
  watch = watchLoading(project, pins);
  tell = port;
}

export async function resolve(specifier: string, context: LoadContext, next: Next) {
  const resolved = await next(specifier, context);
  const resolution = { specifier, parent: context.parentURL ?? null, found: resolved.url };
  watch?.see(resolution);
  tell?.postMessage(resolution);
  return resolved;
}
