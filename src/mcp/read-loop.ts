/** What the resources of a loop hold, each bounded. */
import type { Loop } from '../core/loop.ts';
import type { Event } from '../core/record/events.ts';
import type { Refusal } from '../core/refusal.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isOwn } from '../operations/agent/tool-session.ts';
import { loopsUnder, subject, withLoop } from '../operations/look/loops.ts';
import { realPath } from '../files/paths.ts';
import { sayEvent } from '../text/event.ts';
import type { Report } from '../text/report.ts';
import type { ToolContext } from './tool-context.ts';
import { lookAtLoop } from './resolve-loop.ts';

/** The newest loops; older ones are read by their ids. */
const LISTED = 20;
const EVENTS = 200;
const LONGEST_EVENT = 2_000;
const SHOWN = 200;

export type LoopKind = 'state' | 'journal' | 'report';

export function readLoop(
  id: string,
  kind: LoopKind,
  context: ToolContext,
): { readonly ok: true; readonly text: string } | Refusal {
  const found = lookAtLoop(id, context);
  if (!found.ok) return found;
  context.changes.watch(found.loop.id);
  return { ok: true, text: TEXTS[kind](found.loop, found.report, context) };
}

/** Those that this server may read: of its session, or driven by tools; without a session, all of the project. */
export function listLoops({
  runtime,
  project,
  session,
  changes,
}: ToolContext): readonly { id: string; about: string }[] {
  return loopsUnder(realPath(project), runtime)
    .filter((loop) => session === null || isOwn(loop, session.session))
    .slice(0, LISTED)
    .map((loop) => {
      changes.watch(loop.id);
      return { id: loop.id, about: oneLine(subject(loop, runtime), SHOWN) };
    });
}

const TEXTS: Readonly<Record<LoopKind, (loop: Loop, report: Report, context: ToolContext) => string>> = {
  state: (_loop, report) => `${JSON.stringify(report, null, 2)}\n`,
  journal: ({ id }, _report, context) => journalOf(id, context).map(asLine).join(''),
  report: (loop, report, context) =>
    sayReport(loop, report, subject(loop, context.runtime), journalOf(loop.id, context)),
};

/** The newest events. */
function journalOf(id: string, { runtime }: ToolContext): readonly Event[] {
  return withLoop(id, runtime, (open) => open.journal.read(0).events.slice(-EVENTS)) ?? [];
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
