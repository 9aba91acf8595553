/** `dacapo status`: how the loops stand, in full. */
import { oneLine } from '../core/harmless.ts';
import { hasEnded, workedMs, type Loop } from '../core/loop.ts';
import { iterationShown, report, type GateReport } from '../core/report.ts';
import { duration, ofIterations } from '../core/say.ts';
import { sayStatus } from '../core/words-to-person.ts';
import type { World } from '../hearing/world.ts';
import { EXIT } from './exit-codes.ts';
import { findLoops, pickNewest, subject } from './loops.ts';
import { shownPath } from './project.ts';
import { GATE_MARKS, paint, paintStatus, say, sayJson } from './terminal.ts';
import { ago } from './time.ts';
import { cliWorld } from './world.ts';

export interface StatusOptions {
  readonly id: string | undefined;
  readonly json: boolean;
  readonly all: boolean;
}

/** Of what is over, only the newest are told in full; the rest are in the list. */
const ENDED_SHOWN = 3;

export async function runStatus({ id, json, all }: StatusOptions): Promise<number> {
  const world = cliWorld();
  const picked = id === undefined ? null : pickNewest(id, 'status', world);
  if (picked?.is === 'refused') return picked.exit;
  const loops = picked?.is === 'one' ? [picked.loop] : findLoops(all, world);
  if (json) sayJson(loops.map((loop) => report(loop, world.now())));
  else say(loops.length === 0 ? nothing(all) : blocks(loops, all, world).join('\n\n'));
  return EXIT.ok;
}

function nothing(all: boolean): string {
  return all
    ? 'No loops yet. dacapo start "PROMPT" begins one.'
    : 'No loops in this project. dacapo start "PROMPT" begins one; dacapo status --all shows other projects.';
}

function blocks(loops: readonly Loop[], all: boolean, world: World): string[] {
  const ended = loops.filter(hasEnded);
  const told = loops.filter((loop) => !hasEnded(loop) || ended.indexOf(loop) < ENDED_SHOWN);
  const left = loops.length - told.length;
  const more = left === 0 ? [] : [paint.dim(`${left} more have ended: dacapo list${all ? ' --all' : ''}`)];
  return [...told.map((loop) => block(loop, all, world)), ...more];
}

function block(loop: Loop, withProject: boolean, world: World): string {
  const now = world.now();
  const { gates, session_id: session } = report(loop, now);
  const head = `${paint.bold(loop.id)}  ${paintStatus(loop.status.is)}  ${paint.dim(oneLine(subject(loop, world), 60))}`;
  const worked = workedMs(loop, now);
  const facts: [string, string][] = [
    [
      'iteration',
      `${ofIterations(loop, iterationShown(loop))}${worked < 1_000 ? '' : `, ${duration(worked)} of work`}`,
    ],
    ...gates.map((gate, index): [string, string] => [index === 0 ? 'gates' : '', gateLine(gate)]),
    ['session', session ?? 'none yet'],
    ...(withProject ? [['project', shownPath(loop.project)] satisfies [string, string]] : []),
    ['started', `${ago(loop.startedAt, now)}, last event ${ago(loop.updatedAt, now)}`],
    // "running, iteration 3 of 50" stands above already.
    ...(loop.status.is === 'running' ? [] : [['reason', sayStatus(loop)] satisfies [string, string]]),
  ];
  return [head, ...facts.map(([name, value]) => `  ${paint.dim(name.padEnd(9))}  ${value}`)].join('\n');
}

export function gateLine(report: GateReport): string {
  const { gate, holds } = report;
  const mark = holds === null ? GATE_MARKS.untested : holds ? GATE_MARKS.holds : GATE_MARKS.fails;
  return `${mark} ${gate} ${gateWords(report)}`;
}

function gateWords({ gate, wanted, seen }: GateReport): string {
  switch (gate) {
    case 'promise':
      return `<promise>${oneLine(wanted, 100)}</promise>`;
    case 'check':
      return `\`${oneLine(wanted, 100)}\``;
    case 'features':
    case 'moved':
    case 'protected':
      return oneLine(seen ?? wanted, 300);
  }
}
