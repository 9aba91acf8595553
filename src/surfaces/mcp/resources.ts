/**
 * Resources of a loop: its state, its journal and a report, each bounded. Clients are told when one changes.
 */
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool-context.ts';
import { readableLoops, readLoop } from './read-loop.ts';

const SCHEME = 'dacapo://loops/';

const KINDS = [
  {
    name: 'state',
    description: 'The loop now: status, iteration, gates, limits.',
    mimeType: 'application/json',
  },
  {
    name: 'journal',
    description: 'The last events of the loop, one JSON document per line.',
    mimeType: 'application/x-ndjson',
  },
  { name: 'report', description: 'What happened so far, for people.', mimeType: 'text/markdown' },
] as const;

export function addResources(server: McpServer, context: ToolContext, era: 'legacy' | 'modern'): void {
  addKinds(server, context);
  const subscribed = new Set<string>();
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      subscribed.add(uri);
      const [, loop] = /^dacapo:\/\/loops\/([\w-]+)\//.exec(uri) ?? [];
      if (loop !== undefined) context.changes.watch(loop);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    });
  }
  const unlisten = context.changes.listen({
    changed: (loop) => {
      // In the newer era the library tells only those who listen for it.
      const told = urisOf(loop).filter((uri) => era === 'modern' || subscribed.has(uri));
      for (const uri of told) server.server.sendResourceUpdated({ uri }).catch(() => undefined);
    },
    listed: () => void server.server.sendResourceListChanged().catch(() => undefined),
  });
  server.server.onclose = unlisten;
}

function addKinds(server: McpServer, context: ToolContext): void {
  for (const { name, description, mimeType } of KINDS) {
    const template = new ResourceTemplate(`${SCHEME}{loopId}/${name}`, {
      list: () => ({
        resources: readableLoops(context).map(({ id, about }) => ({
          uri: uriOf(id, name),
          name: `${name} of ${id}`,
          title: about,
          mimeType,
        })),
      }),
    });
    const about = { title: `Loop ${name}`, description, mimeType };
    server.registerResource(`loop-${name}`, template, about, (uri, { loopId }) => {
      const read = readLoop(String(loopId), name, context);
      if (!read.ok) throw new ResourceNotFoundError(uri.href, `${read.message} ${read.next}`);
      return { contents: [{ uri: uri.href, mimeType, text: read.text }] };
    });
  }
}

export function urisOf(loop: string): string[] {
  return KINDS.map(({ name }) => uriOf(loop, name));
}

function uriOf(loop: string, kind: string): string {
  return `${SCHEME}${loop}/${kind}`;
}
