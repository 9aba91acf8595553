/** `dacapo status`: how the loops stand, in full. */
import type { Items } from '../../core/definition.ts';
import { oneLine } from '../../core/sanitize.ts';
import { hooksOf } from '../../core/gates.ts';
import { hasEnded, isPlain, topFrame, workedMs, type Loop } from '../../core/loop.ts';
import { iterationShown, type GateReport } from '../../text/report.ts';
import { duration, ofIterations, sayCheck } from '../../core/phrases.ts';
import { sayContext, sayUsed } from '../../text/usage.ts';
import { sayStatus } from '../../text/status.ts';
import { sayInner } from '../../text/to-person.ts';
import type { Runtime } from '../../store/runtime.ts';
import { HOST } from '../../hosts/default-host.ts';
import { wakeOf } from '../../hosts/wake.ts';
import { withLoop } from '../../operations/find.ts';
import { statusOf, statusReport, type Standing } from '../../operations/status.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { metricsOf } from './hook-metrics.ts';
import { findLoops, pickNewest } from '../loops.ts';
import { shownPath } from '../project.ts';
import { GATE_MARKS, paint, paintStatus, say, sayJson } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { cliWorld } from '../runtime.ts';

export interface StatusOptions {
  readonly id: string | undefined;
  readonly json: boolean;
  readonly all: boolean;
}

/** Of what is over, only the newest are told in full; the rest are in the list. */
const ENDED_SHOWN = 3;

const STILL: [string, string] = ['idle', 'nothing runs in that session: /resume-ralph there goes on'];

export async function runStatus({ id, json, all }: StatusOptions): Promise<number> {
  const world = cliWorld();
  const picked = id === undefined ? null : pickNewest(id, 'status', world);
  if (picked?.is === 'refused') return picked.exit;
  const loops = picked?.is === 'one' ? [picked.loop] : findLoops(all, world);
  if (json) sayJson(loops.map((loop) => asJson(loop, world)));
  else say(loops.length === 0 ? nothing(all) : blocks(loops, all, world).join('\n\n'));
  return EXIT.ok;
}

function standing(loop: Loop, world: Runtime): Standing {
  return statusOf(loop, (owner) => wakeOf(HOST.hook)?.isIdle(owner, process.env) ?? false, world);
}

/** With what its stop hooks have done, where it has any. */
function asJson(loop: Loop, world: Runtime): object {
  const hooks =
    hooksOf(topFrame(loop)) === null
      ? null
      : withLoop(loop.id, world, (open) => metricsOf(open.journal.read(0).events));
  return { ...statusReport(standing(loop, world)), ...(hooks !== null && { hooks }) };
}

function nothing(all: boolean): string {
  return all
    ? 'No loops yet. dacapo start "PROMPT" begins one.'
    : 'No loops in this project. dacapo start "PROMPT" begins one; dacapo status --all shows other projects.';
}

function blocks(loops: readonly Loop[], all: boolean, world: Runtime): string[] {
  const ended = loops.filter(hasEnded);
  const told = loops.filter((loop) => !hasEnded(loop) || ended.indexOf(loop) < ENDED_SHOWN);
  const left = loops.length - told.length;
  const more = left === 0 ? [] : [paint.dim(`${left} more have ended: dacapo list${all ? ' --all' : ''}`)];
  return [...told.map((loop) => block(standing(loop, world), all, world.now())), ...more];
}

function block(
  { loop, report, subject, proving, isIdle: isStill }: Standing,
  withProject: boolean,
  now: string,
): string {
  const { gates, iteration, session_id: session } = report;
  const head = `${paint.bold(loop.id)}  ${paintStatus(loop.status.is)}  ${paint.dim(oneLine(subject, 60))}`;
  const worked = workedMs(loop, now);
  const used = sayUsed(loop);
  const facts: [string, string][] = [
    [
      'iteration',
      `${isListAtWork(loop) ? `${iteration} in all` : ofIterations(loop, iterationShown(loop))}${worked < 1_000 ? '' : `, ${duration(worked)} of work`}`,
    ],
    ...frameLines(loop).map((line, index): [string, string] => [index === 0 ? 'frames' : '', line]),
    ...gates.map((gate, index): [string, string] => [index === 0 ? 'gates' : '', gateLine(gate)]),
    ...(proving === null
      ? []
      : [
          [
            'checking',
            `${proving.what.join(', ')}, ${duration(Date.parse(now) - Date.parse(proving.at))}`,
          ] satisfies [string, string],
        ]),
    ...(used === null ? [] : [['used', used] satisfies [string, string]]),
    ...(loop.context === null ? [] : [['context', sayContext(loop.context)] satisfies [string, string]]),
    ['session', session ?? 'none yet'],
    ...(isStill ? [STILL] : []),
    ...(withProject ? [['project', shownPath(loop.project)] satisfies [string, string]] : []),
    ['started', `${ago(loop.startedAt, now)}, last event ${ago(loop.updatedAt, now)}`],
    // "running, iteration 3 of 50" stands above already.
    ...(loop.status.is === 'running' ? [] : [['reason', sayStatus(loop)] satisfies [string, string]]),
  ];
  return [head, ...facts.map(([name, value]) => `  ${paint.dim(name.padEnd(9))}  ${value}`)].join('\n');
}

/** Each level of a loop that is not plain, the outermost first, and what became of the frames inside. */
function frameLines(loop: Loop): string[] {
  if (isPlain(loop) && sayInner(loop) === '') return [];
  const lines = loop.frames.map(({ mode, item, items, passes, iterations }) => {
    if (items !== null) return `${mode}, ${sayList(items)}, at most ${items.most}`;
    const what = item === null ? '' : `, item ${item.n} of ${item.of}: ${oneLine(item.title, 100)}`;
    const pass = `iteration ${hasEnded(loop) ? passes : passes + 1}${iterations === null ? '' : ` of ${iterations}`}`;
    return `${mode}${what}, ${pass}`;
  });
  return [...lines, sayInner(loop)].filter(Boolean);
}

/** Of a list, the limit of iterations is for each item. */
function isListAtWork(loop: Loop): boolean {
  return topFrame(loop).items !== null;
}

function sayList({ from }: Items): string {
  return from.is === 'file'
    ? `items of ${oneLine(from.file, 100)}`
    : `items from \`${oneLine(from.command, 100)}\``;
}

export function gateLine(report: GateReport): string {
  const { gate, holds } = report;
  const mark = holds === null ? GATE_MARKS.untested : holds ? GATE_MARKS.holds : GATE_MARKS.fails;
  return `${mark} ${gate} ${gateWords(report)}`;
}

function gateWords({ gate, wanted, name, seen }: GateReport): string {
  switch (gate) {
    case 'promise':
      return `<promise>${oneLine(wanted, 100)}</promise>`;
    case 'signal':
      return wanted;
    case 'check':
      return sayCheck({ name: name ?? null, command: wanted });
    case 'features':
    case 'moved':
    case 'hooks':
    case 'protected':
      return oneLine(seen ?? wanted, 300);
  }
}
