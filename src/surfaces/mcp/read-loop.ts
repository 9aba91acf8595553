/** Which loop a call is about, and what the resources of a loop hold, each bounded. */
import { isAbsolute, relative } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import { refuse, type Granted } from '#base/refusal.ts';
import { attempt } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { realPath } from '#base/files/paths.ts';
import { isOwn, consumeSign, toolSession, type AgentOrder } from '#engine/look/tool-session.ts';
import { knownLoop, loopById, loopsUnder, openById, subject, withLoop } from '#engine/look/loops.ts';
import { sayEvent } from '#telling/event.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';
import { title } from '#telling/person/status.ts';
import type { ToolContext } from './tool-context.ts';

/** The newest loops; older ones are read by their ids. */
const MAX_LOOPS_LISTED = 20;
const MAX_EVENTS_READ = 200;
const MAX_EVENT_CHARS = 2_000;
const MAX_SENTENCE_CHARS = 200;

/** The one that it names, or the one of the session that started this server; and the session that asks. */
export function loopForTool(id: string | undefined, context: ToolContext): Granted<AgentOrder> {
  const session = context.session?.session ?? null;
  const [caller, another] = session === null ? signedBy(id, context) : [];
  if (caller !== undefined && another === undefined) return { ok: true, ...caller };
  if (id !== undefined) return { ok: true, loop: id, session };
  const owners = session === null ? [] : [session, toolSession(session)];
  const [own] = owners.flatMap((owner) => context.runtime.store.sessions.find(owner) ?? []);
  if (own !== undefined) return { ok: true, loop: own.loop, session };
  return session === null
    ? refuse(
        'which-loop',
        'This server belongs to no session, so the loop has to be named.',
        'Give its loopId.',
      )
    : refuse('no-loop', 'This session has no loop.', 'Start one with loop_start or iteration_start.');
}

/**
 * The sessions that say just this, each with its loop: no host but Claude Code tells a server its session.
 */
function signedBy(id: string | undefined, { runtime, project, speech = '' }: ToolContext): AgentOrder[] {
  const named = (loop: string) => [attempt(() => loopById(loop, runtime), null) ?? []].flat();
  const loops = id === undefined ? loopsUnder(realPath(project), runtime) : named(id);
  const all = loops.map(({ id: loop, session: { owner } }) => ({ loop, session: owner?.session ?? '' }));
  return all.filter(({ session }) => consumeSign(`${session} ${speech}`, runtime));
}

/** To read. Nobody reads the loop of another session through a server that belongs to one. */
export function lookAtLoop(id: string | undefined, context: ToolContext) {
  const meant = loopForTool(id, context);
  if (!meant.ok) return meant;
  const opened = openById(meant.loop, context.runtime);
  if (!opened.ok) return opened;
  const loop = knownLoop(opened.open, context.runtime);
  opened.open.close();
  const isMeant = meant.session === null ? isOfProject(loop, context) : isOwn(loop, meant.session);
  if (!isMeant) {
    const whose = meant.session === null ? 'project' : 'session';
    return refuse(
      `another-${whose}`,
      `Loop ${loop.id} belongs to another ${whose}.`,
      'dacapo status shows it.',
    );
  }
  return { ok: true as const, loop, report: statusOf(loop, context.runtime.now()) };
}

/**
 * A server that knows no session can't tell whose agent asks, so it tells how a loop of the project stands,
 * and no more.
 */
function isOfProject(loop: Loop, { project }: ToolContext): boolean {
  const way = relative(realPath(project), realPath(loop.project));
  return isOwn(loop, null) || !(way.startsWith('..') || isAbsolute(way));
}

export function readLoop(id: string, kind: keyof typeof TEXTS, context: ToolContext) {
  const found = lookAtLoop(id, context);
  if (!found.ok) return found;
  if (kind !== 'state' && !mayReadWords(found.loop, context))
    return refuse(
      'another-session',
      `The ${kind} of loop ${found.loop.id} contains messages of another session.`,
      'dacapo report shows it to a person; the state of the loop can be read here.',
    );
  context.changes.watch(found.loop.id);
  return { ok: true as const, text: TEXTS[kind](found.loop, found.report, context) };
}

/**
 * Those that this server may read: of its session, or driven by tools; without a session, all of the project.
 */
export function readableLoops(context: ToolContext): readonly { id: string; about: string }[] {
  const { runtime, project, session, changes } = context;
  return loopsUnder(realPath(project), runtime)
    .filter((loop) => session === null || isOwn(loop, session.session))
    .slice(0, MAX_LOOPS_LISTED)
    .map((loop) => {
      changes.watch(loop.id);
      const about = mayReadWords(loop, context) ? subject(loop, runtime) : title(loop);
      return { id: loop.id, about: oneLine(about, MAX_SENTENCE_CHARS) };
    });
}

/** Prompts, answers and what agents said: of one's own session, or of a loop that tools drive. */
export function mayReadWords(loop: Loop, { session }: ToolContext): boolean {
  return isOwn(loop, session?.session ?? null);
}

const TEXTS = {
  state: (_loop: Loop, now: LoopStatus) => `${JSON.stringify(now, null, 2)}\n`,
  journal: ({ id }: Loop, _now: LoopStatus, context: ToolContext) =>
    readJournal(id, context).map(asLine).join(''),
  report: sayReport,
};

function readJournal(id: string, { runtime }: ToolContext): readonly Event[] {
  return withLoop(id, runtime, (open) => open.journal.read(0).events.slice(-MAX_EVENTS_READ)) ?? [];
}

/** An event may hold the output of checks. One that is too long is given without its details. */
function asLine(event: Event): string {
  const line = JSON.stringify(event);
  if (line.length <= MAX_EVENT_CHARS) return `${line}\n`;
  const { type, at } = event;
  const says = oneLine(sayEvent(event), MAX_SENTENCE_CHARS);
  return `${JSON.stringify({ type, at, says, cut: true })}\n`;
}

function sayReport(loop: Loop, { reason, gates }: LoopStatus, context: ToolContext): string {
  const holds = (gate: boolean | null) => (gate === null ? 'not tested yet' : gate ? 'holds' : 'open');
  return [
    `# ${subject(loop, context.runtime)}`,
    '',
    `Loop ${loop.id} ${reason}.`,
    '',
    '## Gates',
    '',
    ...gates.map(
      ({ gate, name, wanted, holds: held, seen }) =>
        `- ${gate} \`${oneLine(name ?? wanted, MAX_SENTENCE_CHARS)}\`: ` +
        `${holds(held)}${seen === null ? '' : ` (${oneLine(seen, MAX_SENTENCE_CHARS)})`}`,
    ),
    '',
    '## What happened',
    '',
    ...readJournal(loop.id, context).map(
      (event) => `- ${event.at} ${oneLine(sayEvent(event), MAX_SENTENCE_CHARS)}`,
    ),
    '',
  ].join('\n');
}
