/** `dacapo status`: the loops in full. `dacapo list`: one line each. */
import { statSync } from 'node:fs';
import type { Items } from '#law/record/definition.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { hooksOf } from '#law/gates.ts';
import { isToolDriven } from '#engine/look/tool-session.ts';
import { planOf } from '#law/record/plan.ts';
import { framesOf, hasEnded, isPlain, workedMs, type Loop } from '#law/loop.ts';
import type { GateStatus } from '#telling/gate-status.ts';
import { statusOf } from '#telling/loop-status.ts';
import { duration, ofIterations, sayCheck } from '#law/words/phrases.ts';
import { sayContext, sayLimits, sayUsed } from '#telling/person/limits.ts';
import { inTerminal } from '#telling/audience.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { sayStatus, iterationShown } from '#telling/person/status.ts';
import { sayAsksBefore, sayInner } from '#telling/person/to-person.ts';
import type { Runtime } from '#store/runtime.ts';
import { activeGoal } from '#hosts/project/goal.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { newestUnder, subject, withLoop } from '#engine/look/loops.ts';
import { asSeen, readStatusNow, statusJson, type StatusNow } from '#engine/look/status.ts';
import {
  EXIT,
  gateMark,
  paint,
  paintStatus,
  say,
  sayJson,
  factLines,
  listing,
  when,
  type Fact,
} from '../terminal/terminal.ts';
import { endedLines, splitEnded } from './ended-lines.ts';
import { heldOutLines } from './held-out.ts';
import { metricsOf } from './hook-metrics.ts';
import {
  failUnreadable,
  noteUnread,
  pickNewest,
  findLoops,
  isElsewhere,
  placeOf,
  projectRoot,
  shownPath,
} from '../context.ts';
import { ago } from '#telling/time.ts';
import type { Call, Given } from '../command.ts';

/** Of those that have ended. `dacapo list` has the rest. */
const ENDED_SHOWN = 3;

export async function runStatus(
  { id, json, all }: Given<'all' | 'json', 'id'>,
  { runtime }: Call,
): Promise<number> {
  const unreadable = failUnreadable(runtime);
  if (unreadable !== null) return unreadable;
  const picked = id === undefined ? null : pickNewest(id, { verb: 'status' }, runtime);
  if (typeof picked === 'number') return picked;
  const { loops, more, unread } =
    picked === null
      ? newestUnder(all ? null : projectRoot(), json ? Infinity : ENDED_SHOWN, runtime)
      : { loops: [picked], more: 0, unread: [] };
  const now = runtime.now();
  const standings = loops.map((loop) => standing(loop, runtime));
  const exit = noteUnread(runtime, unread) ? EXIT.failed : EXIT.ok;
  const [full, brief] = splitEnded(standings.map(({ loop }) => loop));
  const blocks = [
    ...standings
      .filter(({ loop }) => full.includes(loop))
      .map((one) => block(one, all || isElsewhere(one.loop), heldOutLines(one.loop.id, runtime), now)),
    ...when(brief.length > 0, endedLines(brief, runtime)),
    ...when(
      more > 0,
      paint.dim(`${more} more ${more === 1 ? 'has' : 'have'} ended: dacapo list${all ? ' --all' : ''}`),
    ),
  ];
  const none = all
    ? 'No loops yet. dacapo start "PROMPT" begins one.'
    : 'No loops in this project. dacapo start "PROMPT" begins one; dacapo status --all shows other projects.';
  if (json) sayJson(standings.map((one) => asJson(one, runtime)));
  else if (standings.length > 0) say(blocks.join('\n\n'));
  else if (exit === EXIT.ok) say(none);
  return exit;
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
  const state = sayStatus(loop)
    .replace(/^is ready and /, 'ready; ')
    .replace(/^is /, '');
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
  return `${gateMark(holds)} ${label}${gateWords(status)}`;
}

function gateWords({ gate, wanted, name, seen }: GateStatus): string {
  if (gate === 'promise') return `<promise>${oneLine(wanted, 100)}</promise>`;
  if (gate === 'signal') return wanted;
  if (gate === 'confirmation') return seen === null ? wanted : `${wanted}: ${seen}`;
  if (gate === 'check') return sayCheck({ name: name ?? null, command: wanted });
  return oneLine(seen ?? wanted, 300);
}

/** A loop in a work tree is a loop of the project that it was made from, whose path says more. */
function shownProject(loop: Loop): string {
  const { worktreeOf } = planOf(loop);
  return worktreeOf === null ? shownPath(loop.project) : `${shownPath(worktreeOf)} (work tree)`;
}

export async function runList({ json, all }: Given<'all' | 'json'>, { runtime }: Call): Promise<number> {
  const unreadable = failUnreadable(runtime);
  if (unreadable !== null) return unreadable;
  const loops = findLoops(all, runtime).map((loop) => asSeen(loop, runtime));
  const now = runtime.now();
  const exit = noteUnread(runtime) ? EXIT.failed : EXIT.ok;
  const none = all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.';
  const withProject = all || loops.some(isElsewhere);
  const heading = ['LOOP', 'STATUS', 'ITERATION', 'UPDATED', ...(withProject ? ['PROJECT'] : []), 'ABOUT'];
  const rows = loops.map((loop) => [
    loop.id,
    paintStatus(loop.status.is),
    sayIteration(loop, now),
    ago(loop.updatedAt, now),
    ...(withProject ? [shownProject(loop)] : []),
    subject(loop, runtime),
  ]);
  if (json) sayJson(loops.map((loop) => statusOf(loop, now)));
  else if (loops.length > 0) say(...listing(heading, rows));
  else if (exit === EXIT.ok) say(none);
  return exit;
}

/** In a list of items the limit applies to each item, so the sum of all has none. */
function sayIteration(loop: Loop, now: string): string {
  const { items, iterations } = loop.frame;
  return items === null
    ? `${iterationShown(loop)}/${iterations ?? '∞'}`
    : String(statusOf(loop, now).iteration);
}

type Step = readonly [command: string, what: string];

export async function runOverview(call: Call): Promise<number> {
  const exit = await runStatus({ id: undefined, json: false, all: false }, call);
  const steps = overviewSteps(findLoops(false, call.runtime));
  const column = Math.max(...steps.map(([command]) => command.length)) + 3;
  say(
    '',
    paint.bold('Next:'),
    ...steps.map(([command, what]) => `  ${command.padEnd(column)}${paint.dim(what)}`),
    '',
    paint.dim('dacapo --help shows the other commands.'),
  );
  return exit;
}

function overviewSteps(loops: readonly Loop[]): Step[] {
  const [loop] = loops;
  if (loop === undefined || hasEnded(loop))
    return [
      ['dacapo start "PROMPT" --check "CMD"', 'a loop in a session that you see'],
      ['dacapo run "PROMPT" --check "CMD"', 'a loop without a session, with a new agent each time'],
      loop === undefined
        ? ['dacapo demo', 'see a loop at work, without an account']
        : [`dacapo report ${loop.id}`, 'what the last loop did'],
    ];
  // A command without an id means the only open loop.
  const which = loops.filter((one) => !hasEnded(one)).length > 1 ? ` ${loop.id}` : '';
  return [
    firstStep(loop, which),
    [`dacapo explain${which}`, 'why the last stop was judged as it was'],
    [`dacapo cancel${which}`, 'end it'],
  ];
}

function firstStep({ status }: Loop, which: string): Step {
  if (status.is === 'waiting' && status.for === 'approval') return ['dacapo approvals', 'what it asks you'];
  if (status.is === 'running' || status.is === 'waiting')
    return ['dacapo watch', 'follow, answer and steer it'];
  return [`dacapo resume${which}`, 'continue it'];
}
