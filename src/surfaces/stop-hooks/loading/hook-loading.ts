/**
 * Puts the watch between Node and the modules that it loads. From Node 22.15 on, one synchronous hook covers
 * both kinds of modules. Before that, Node resolves ES modules in a separate thread and CommonJS here.
 * Neither would see `require` of an ES module, so the parent process switches that off.
 */
import Module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { realPath } from '#base/files/paths.ts';
import type { Pins } from '#store/store.ts';
import { watchLoading, type LoadedFiles, type Resolution, type Watch } from './watch-loading.ts';

export interface ThreadOrder {
  readonly project: string;
  readonly pins: Pins | null;
  readonly port: MessagePort;
}

type Resolve = (specifier: string, context: { parentURL?: string }) => { url: string };
type RegisterHooks = (hooks: {
  resolve: (specifier: string, context: { parentURL?: string }, next: Resolve) => { url: string };
}) => void;

export function hookLoading(project: string, pins: Pins | null): () => LoadedFiles {
  const root = realPath(project);
  const watch = watchLoading(root, pins);
  const registerHooks = functionOfNode<RegisterHooks>('registerHooks');
  if (registerHooks !== null) {
    registerHooks({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        watch.see({ specifier, parent: context.parentURL ?? null, found: resolved.url });
        return resolved;
      },
    });
    return watch.loaded;
  }
  hookRequire(watch);
  const seen = hookImports({ project: root, pins });
  return () => {
    for (const resolution of seen()) watch.see(resolution);
    return watch.loaded();
  };
}

/** Newer or older than the types that we compile with. */
function functionOfNode<F>(name: string): F | null {
  const value: unknown = Reflect.get(Module, name);
  return typeof value === 'function' ? (value as F) : null;
}

type ResolveFilename = (request: string, parent?: { filename?: string | null }, ...more: unknown[]) => string;

function hookRequire(watch: Watch): void {
  const resolveFilename = functionOfNode<ResolveFilename>('_resolveFilename');
  if (resolveFilename === null) throw new Error(`Node ${process.versions.node} can't be watched`);
  const watched: ResolveFilename = function (this: unknown, specifier, parent, ...more) {
    const found = resolveFilename.call(this, specifier, parent, ...more);
    watch.see({ specifier, parent: parent?.filename ?? null, found });
    return found;
  };
  Reflect.set(Module, '_resolveFilename', watched);
}

/**
 * The thread itself refuses modules. It reports those that it lets through before their import is complete.
 */
function hookImports(order: Omit<ThreadOrder, 'port'>): () => Resolution[] {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  const program = pathToFileURL(join(import.meta.dirname, 'load-thread.cjs')).href;
  // If the thread imported CommonJS directly, it would have to guess the names of the exports.
  const code = `import hooks from ${JSON.stringify(program)}; export const { initialize, resolve } = hooks;`;
  Module.register(`data:text/javascript,${encodeURIComponent(code)}`, {
    data: { ...order, port: port2 } satisfies ThreadOrder,
    transferList: [port2],
  });
  return () => {
    const seen: Resolution[] = [];
    for (let next = receiveMessageOnPort(port1); next !== undefined; next = receiveMessageOnPort(port1))
      seen.push(next.message as Resolution);
    return seen;
  };
}
