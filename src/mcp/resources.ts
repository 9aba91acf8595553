/** Resources of a loop: its state, its journal and a report, each bounded. Clients are told when one changes. */
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import type { Loop } from '../core/loop.ts';
import type { Event } from '../core/record/events.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isToolDriven } from '../operations/agent/tool-session.ts';
import { loopsUnder, subject, withLoop } from '../operations/look/find.ts';
import { sayEvent } from '../text/event.ts';
import type { Report } from '../text/report.ts';
import { realPath } from '../store/real-path.ts';
import type { Desk } from './desk.ts';
import { lookAtLoop } from './meant-loop.ts';

const SCHEME = 'dacapo://loops/';
/** The newest loops; older ones are read by their ids. */
const LISTED = 20;
const EVENTS = 200;
const LONGEST_EVENT = 2_000;
const SHOWN = 200;

interface Kind {
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (loop: Loop, report: Report, desk: Desk) => string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'state',
    description: 'How the loop stands now: status, iteration, gates, limits.',
    mimeType: 'application/json',
    read: (_loop, report) => `${JSON.stringify(report, null, 2)}\n`,
  },
  {
    name: 'journal',
    description: `The last ${EVENTS} events of the loop, one JSON document per line.`,
    mimeType: 'application/x-ndjson',
    read: ({ id }, _report, desk) => journalOf(id, desk).map(asLine).join(''),
  },
  {
    name: 'report',
    description: 'What happened so far, for people.',
    mimeType: 'text/markdown',
    read: (loop, report, desk) =>
      sayReport(loop, report, subject(loop, desk.world), journalOf(loop.id, desk)),
  },
];

export function addResources(server: McpServer, desk: Desk, era: 'legacy' | 'modern'): void {
  for (const kind of KINDS) addKind(server, kind, desk);
  const subscribed = new Set<string>();
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      subscribed.add(uri);
      const loop = loopIn(uri);
      if (loop !== null) desk.changes.watch(loop);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    });
  }
  const unlisten = desk.changes.listen({
    changed: (loop) => {
      // In the newer era the library tells only those who listen for it.
      const told = KINDS.map(({ name }) => uriOf(loop, name)).filter(
        (uri) => era === 'modern' || subscribed.has(uri),
      );
      for (const uri of told) server.server.sendResourceUpdated({ uri }).catch(() => undefined);
    },
    listed: () => void server.server.sendResourceListChanged().catch(() => undefined),
  });
  server.server.onclose = unlisten;
}

function addKind(server: McpServer, { name, description, mimeType, read }: Kind, desk: Desk): void {
  const template = new ResourceTemplate(`${SCHEME}{loopId}/${name}`, {
    list: () => ({
      resources: listed(desk).map((loop) => ({
        uri: uriOf(loop.id, name),
        name: `${name} of ${loop.id}`,
        title: oneLine(subject(loop, desk.world), SHOWN),
        mimeType,
      })),
    }),
  });
  server.registerResource(
    `loop-${name}`,
    template,
    { title: `Loop ${name}`, description, mimeType },
    (uri, { loopId }) => {
      const found = lookAtLoop(String(loopId), desk);
      if (!found.ok) throw new ResourceNotFoundError(uri.href, `${found.message} ${found.next}`);
      desk.changes.watch(found.loop.id);
      return { contents: [{ uri: uri.href, mimeType, text: read(found.loop, found.report, desk) }] };
    },
  );
}

/** Those that this server may read: of its session, or driven by tools; without a session, all of the project. */
function listed({ world, project, session, changes }: Desk): Loop[] {
  const loops = loopsUnder(realPath(project), world)
    .filter((loop) => session === null || isToolDriven(loop) || loop.owner?.session === session.session)
    .slice(0, LISTED);
  for (const { id } of loops) changes.watch(id);
  return loops;
}

function uriOf(loop: string, kind: string): string {
  return `${SCHEME}${loop}/${kind}`;
}

function loopIn(uri: string): string | null {
  const [, loop] = /^dacapo:\/\/loops\/([\w-]+)\//.exec(uri) ?? [];
  return loop ?? null;
}

/** The newest events. */
function journalOf(id: string, { world }: Desk): readonly Event[] {
  return withLoop(id, world, (open) => open.journal.read(0).events.slice(-EVENTS)) ?? [];
}

/** An event may hold the output of checks. One that is too long is given without its details. */
function asLine(event: Event): string {
  const line = JSON.stringify(event);
  const { type, at } = event;
  return `${line.length <= LONGEST_EVENT ? line : JSON.stringify({ type, at, says: oneLine(sayEvent(event), SHOWN), cut: true })}\n`;
}

function sayReport({ id }: Loop, { reason, gates }: Report, about: string, events: readonly Event[]): string {
  const holds = (gate: boolean | null) => (gate === null ? 'not tested yet' : gate ? 'holds' : 'open');
  return [
    `# ${about}`,
    '',
    `Loop ${id} ${reason}.`,
    '',
    '## Gates',
    '',
    ...gates.map(
      ({ gate, name, wanted, holds: held, seen }) =>
        `- ${gate} \`${oneLine(name ?? wanted, SHOWN)}\`: ${holds(held)}${seen === null ? '' : ` (${oneLine(seen, SHOWN)})`}`,
    ),
    '',
    '## What happened',
    '',
    ...events.map((event) => `- ${event.at} ${oneLine(sayEvent(event), SHOWN)}`),
    '',
  ].join('\n');
}
