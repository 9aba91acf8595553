/** What `dacapo status` shows: the loops in full. */
import { statSync } from 'node:fs';
import type { Items } from '#law/record/definition.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { hooksOf } from '#law/gates.ts';
import { isToolDriven } from '#engine/look/tool-session.ts';
import { framesOf, hasEnded, isPlain, workedMs, type Loop } from '#law/loop.ts';
import type { GateStatus } from '#telling/gate-status.ts';
import { duration, ofIterations, sayCheck } from '#law/words/phrases.ts';
import { sayContext, sayLimits, sayUsed } from '#telling/person/limits.ts';
import { inTerminal } from '#telling/audience.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { iterationShown, sayReady, sayState } from '#telling/person/status.ts';
import { sayInner } from '#telling/person/ended.ts';
import { sayAsksBefore } from '#telling/person/to-person.ts';
import type { Runtime } from '#store/runtime.ts';
import { activeGoal } from '#hosts/project/goal.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { newestUnder, withLoop } from '#engine/look/loops.ts';
import { readStatusNow, statusJson, type StatusNow } from '#engine/look/status.ts';
import {
  paintGateMark,
  paint,
  paintStatus,
  factLines,
  linesWhen,
  type Fact,
} from '../../terminal/terminal.ts';
import { endedLines, splitEnded } from './ended-lines.ts';
import { heldOutLines } from '../held-out.ts';
import { metricsOf } from '../hook-metrics.ts';
import {
  failUnreadable,
  pickNewest,
  sayUnreadLoops,
  isElsewhere,
  placeOf,
  projectRoot,
  shownPath,
} from '../../context.ts';
import { ago } from '#telling/time.ts';
import type { GivenFlags } from '../../command.ts';
import type { LookRecord } from '../verbs.ts';

/** Of those that have ended. `dacapo list` has the rest. */
const MAX_ENDED_SHOWN = 3;

/** What `dacapo status` shows of the loops of this machine. `json`: it shows all that have ended, too. */
export function statusHere(
  { all, json }: GivenFlags<'all' | 'json'>,
  runtime: Runtime,
): Pick<LookRecord, 'status'> {
  return {
    status: (id) => {
      const unreadable = failUnreadable(runtime);
      if (unreadable !== null) return unreadable;
      const picked = id === undefined ? null : pickNewest(id, { verb: 'status' }, runtime);
      if (typeof picked === 'number') return picked;
      const { loops, more, unread } =
        picked === null
          ? newestUnder(all ? null : projectRoot(), json ? Infinity : MAX_ENDED_SHOWN, runtime)
          : { loops: [picked], more: 0, unread: [] };
      const standings = loops.map((loop) => standing(loop, runtime));
      const isPartial = unread.length > 0;
      return {
        value: () => standings.map((one) => asJson(one, runtime)),
        lines: () =>
          standings.length > 0
            ? [blocks(standings, more, all, runtime)]
            : linesWhen(!isPartial, sayNone(all)),
        notes: sayUnreadLoops(unread),
        isPartial,
      };
    },
  };
}

function blocks(standings: readonly StatusNow[], more: number, all: boolean, runtime: Runtime): string {
  const now = runtime.now();
  const [full, brief] = splitEnded(standings.map(({ loop }) => loop));
  return [
    ...standings
      .filter(({ loop }) => full.includes(loop))
      .map((one) => block(one, all || isElsewhere(one.loop), heldOutLines(one.loop.id, runtime), now)),
    ...linesWhen(brief.length > 0, endedLines(brief, runtime)),
    ...linesWhen(
      more > 0,
      paint.dim(`${more} more ${more === 1 ? 'has' : 'have'} ended: dacapo list${all ? ' --all' : ''}`),
    ),
  ].join('\n\n');
}

function sayNone(all: boolean): string {
  return all
    ? 'No loops yet. dacapo start "PROMPT" begins one.'
    : 'No loops in this project. dacapo start "PROMPT" begins one; dacapo status --all shows other projects.';
}

function standing(loop: Loop, runtime: Runtime): StatusNow {
  const host = hostOf(loop);
  const { settings, transcripts } = host;
  const look = {
    silencedBy: (project: string) => settings.silencedBy?.(placeOf(project)) ?? [],
    recordedAt: (session: string) => {
      const file = transcripts.fileOf(session, process.env);
      return (file && statSync(file, { throwIfNoEntry: false })?.mtime.toISOString()) ?? null;
    },
    goalOf: (session: string) => activeGoal(host, session, process.env),
  };
  return readStatusNow(loop, look, runtime);
}

function asJson(one: StatusNow, runtime: Runtime): object {
  const { loop } = one;
  const hooks =
    hooksOf(loop.frame) === null
      ? null
      : withLoop(loop.id, runtime, (open) => metricsOf(open.journal.read(0).events));
  return { ...statusJson(one), ...(hooks !== null && { hooks }) };
}

function block(
  { loop, status, subject, proving, isIdle, silenced, astrayAt, goal, environment }: StatusNow,
  withProject: boolean,
  heldOut: readonly string[],
  now: string,
): string {
  const { gates, iteration, session_id: session } = status;
  const head = `${paint.bold(loop.id)}  ${paintStatus(loop.status.is)}  ${paint.dim(oneLine(subject, 60))}`;
  const worked = workedMs(loop, now);
  // In a list, the iteration limit applies to each item.
  const isList = loop.frame.items !== null;
  const passes = isList ? `${iteration} in all` : ofIterations(loop, iterationShown(loop));
  const state = loop.status.is === 'pending' ? `ready; ${sayReady(loop)}` : sayState(loop);
  const { commands, settings } = hostOf(loop);
  const { resume = 'a prompt' } = settings.commandsAt?.(placeOf(loop.project)) ?? commands ?? {};
  const facts: Fact[] = [
    ['iteration', worked < 1_000 ? passes : `${passes}, ${duration(worked)} of work`],
    ['frames', frameLines(loop)],
    ['gates', gates.map(gateLine)],
    ['held out', heldOut],
    ['asks you', sayAsksBefore(loop.people.approvals, '')],
    [
      'checking',
      proving && `${proving.what.join(', ')}, ${duration(Date.parse(now) - Date.parse(proving.at))}`,
    ],
    ['used', sayUsed(loop)],
    // Nobody asks what could still have ended a loop that is done or cancelled.
    ['limits', ['completed', 'cancelled'].includes(loop.status.is) ? null : sayLimits(loop)],
    ['context', loop.session.context && sayContext(loop.session.context)],
    ['session', isToolDriven(loop) ? 'none: a program or an MCP client drives it' : (session ?? 'none yet')],
    ['goal', goal === null ? null : sayGoal(goal)],
    ['idle', isIdle ? `nothing runs in that session, as after Esc; ${resume} there continues it` : null],
    ...silenced.map((words): Fact => ['warning', oneLine(words, 300)]),
    ['warning', environment.length === 0 ? null : sayEnvironment(environment)],
    ['warning', astrayAt && sayAstray(loop, astrayAt, now)],
    ['project', withProject ? shownPath(loop.project) : null],
    ['started', `${ago(loop.startedAt, now)}, last event ${ago(loop.updatedAt, now)}`],
    // The first line already says "running, iteration 3 of 50". Waiting and ready loops have a state but no
    // reason.
    [
      ['waiting', 'pending'].includes(loop.status.is) ? 'state' : 'reason',
      loop.status.is === 'running' ? null : state,
    ],
    ['next', isIdle ? null : sayNextSteps(nextSteps(loop, now, 'onlooker'), inTerminal)],
  ];
  return [head, ...factLines(facts, 9)].join('\n');
}

function sayGoal(condition: string): string {
  return (
    `"${oneLine(condition, 100)}", of the host itself: the session continues until both are done; /goal ` +
    'clear there ends it'
  );
}

function sayAstray({ id }: Loop, at: string, now: string): string {
  return (
    `its session went on ${ago(at, now)} without the loop: it was opened without Da Capo's hook. Close ` +
    `it; dacapo resume ${id} opens it with the hook, and dacapo init installs the hook`
  );
}

function sayEnvironment(environment: StatusNow['environment']): string {
  const named = oneLine(environment.map(({ name, how }) => `${name} (${how})`).join(', '), 300);
  return `the environment has changed since the start; checks run with the original one: ${named}`;
}

function frameLines(loop: Loop): string[] {
  if (isPlain(loop) && sayInner(loop) === '') return [];
  const lines = framesOf(loop).map(({ mode, item, items, passes, iterations }) => {
    if (items !== null) return `${mode}, ${sayList(items)}, at most ${items.most}`;
    const what = item === null ? '' : `, item ${item.n} of ${item.of}: ${oneLine(item.title, 100)}`;
    const pass =
      'iteration ' +
      `${hasEnded(loop) ? passes : passes + 1}${iterations === null ? '' : ` of ${iterations}`}`;
    return `${mode}${what}, ${pass}`;
  });
  return [...lines, sayInner(loop)].filter(Boolean);
}

function sayList({ from }: Items): string {
  return from.is === 'file'
    ? `items of ${oneLine(from.file, 100)}`
    : `items from \`${oneLine(from.command, 100)}\``;
}

const SAYS_ITSELF: readonly string[] = ['protected', 'measures', 'confirmed'];

export function gateLine(status: GateStatus): string {
  const { gate, holds, seen } = status;
  // What was seen of these says itself what it is.
  const label = SAYS_ITSELF.includes(gate) && seen !== null ? '' : `${gate} `;
  return `${paintGateMark(holds)} ${label}${gateWords(status)}`;
}

function gateWords({ gate, wanted, name, seen }: GateStatus): string {
  if (gate === 'promise') return `<promise>${oneLine(wanted, 100)}</promise>`;
  if (gate === 'signal') return wanted;
  if (gate === 'confirmation') return seen === null ? wanted : `${wanted}: ${seen}`;
  if (gate === 'check') return sayCheck({ name: name ?? null, command: wanted });
  return oneLine(seen ?? wanted, 300);
}
