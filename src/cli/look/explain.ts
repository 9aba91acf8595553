/** `dacapo explain`: why the last stop was judged as it was, what is still missing, and what would end the loop. */
import type { Event, EventOf } from '../../core/events.ts';
import type { CheckProof, Missing } from '../../core/verdict.ts';
import { oneLine } from '../../core/sanitize.ts';
import { accountOf, askedAt, wasAsked, type HookAccount } from '../../core/hook-account.ts';
import { hasEnded, topFrame, workedMs, type Loop } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { duration, ofIterations, plural } from '../../core/phrases.ts';
import { sayContext, sayTokens, sayUsd } from '../../text/usage.ts';
import { sayStatus } from '../../text/status.ts';
import { sayInner, sayOpen, title } from '../../text/to-person.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { sayAccount, sayEvent, sayGates, sayProof, sayUse, sayVerdict } from '../../text/event.ts';
import { ruleOf, type RuleOfLaw } from '../../text/rules.ts';
import { noLoops, pickNewest, shown, withLoop } from '../loops.ts';
import { GATE_MARKS, paint, say, sayJson } from '../terminal/terminal.ts';
import { ago, clockTime } from '../../text/time.ts';
import { cliWorld } from '../runtime.ts';

/** What files hold may be long. */
const SHOWN = 300;

export interface ExplainOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

/** One stop, as its events tell it. */
interface Judged {
  readonly stop: EventOf<'stop'>;
  readonly verdict: EventOf<'verdict'>;
  readonly rule: RuleOfLaw;
  /** The verdict came after a cancel or a pause in the record, and was void. */
  readonly void: boolean;
  readonly iteration: number | null;
  /** Null: the loop has no stop hooks, or they were not asked. */
  readonly asked: EventOf<'asked'> | null;
}

export async function runExplain({ id, json }: ExplainOptions): Promise<number> {
  const world = cliWorld();
  const picked = pickNewest(id, 'explain', world);
  if (picked.is === 'refused') return picked.exit;
  const found =
    picked.is === 'none'
      ? null
      : withLoop(picked.loop.id, world, (open) => ({
          loop: shown(open),
          events: open.journal.read(0).events,
        }));
  if (found === null) return noLoops();
  const { loop, events } = found;
  const judged = lastJudged(loop, events);
  const now = world.now();
  if (json) sayJson(asJson(loop, judged, now));
  else say(...inWords(loop, judged, events, now));
  return EXIT.ok;
}

function lastJudged(loop: Loop, events: readonly Event[]): Judged | null {
  const verdict = events.findLast((event) => event.type === 'verdict');
  if (verdict === undefined) return null;
  const stop = events.find(
    (event): event is EventOf<'stop'> => event.type === 'stop' && event.n === verdict.n,
  );
  if (stop === undefined) return null;
  const counted = loop.last?.n === verdict.n;
  return {
    stop,
    verdict,
    rule: ruleOf(verdict.verdict),
    void: !counted,
    iteration: counted ? (loop.last?.iteration ?? null) : null,
    asked: askedAt(events, verdict.n),
  };
}

function asJson(loop: Loop, judged: Judged | null, now: string): object {
  return {
    loop: report(loop, now),
    stop:
      judged === null
        ? null
        : {
            n: judged.stop.n,
            at: judged.stop.at,
            session_id: judged.stop.session,
            process: judged.stop.process,
            iteration: judged.iteration,
          },
    facts:
      judged === null
        ? null
        : {
            tool_used: judged.verdict.toolUsed,
            cap: judged.verdict.cap,
            queue_waiting: judged.verdict.queue.waiting,
            used: judged.verdict.used,
            context: judged.verdict.context,
            tree: judged.verdict.tree,
            stalls: judged.verdict.stalls,
          },
    proofs: judged?.verdict.proofs ?? [],
    features: judged?.verdict.features ?? null,
    sights: judged?.verdict.sights ?? [],
    ...(judged !== null && judged.asked !== null && { hooks: hooksJson(judged.asked) }),
    verdict: judged?.verdict.verdict ?? null,
    void: judged?.void ?? false,
    rule: judged?.rule ?? null,
    missing: missingIn(judged),
    ends_when: hasEnded(loop) ? [] : endings(loop, now),
  };
}

function inWords(loop: Loop, judged: Judged | null, events: readonly Event[], now: string): string[] {
  const head = [`Loop ${title(loop)} ${sayStatus(loop)}.`, sayInner(loop)].filter(Boolean).join(' ');
  const ends = hasEnded(loop)
    ? []
    : ['', paint.bold('What would end it'), ...endings(loop, now).map((line) => `  ${line}`)];
  if (judged === null) return [head, '', 'No stop of the agent has been judged yet.', ...ends];
  return [head, '', ...stopLines(judged, events, now), ...missingLines(judged), ...ends];
}

function stopLines(judged: Judged, events: readonly Event[], now: string): string[] {
  const { stop, verdict, rule } = judged;
  const facts = [
    verdict.toolUsed ? 'a tool call was seen' : 'no tool call was seen',
    verdict.cap === null
      ? 'the host has no cap on stops'
      : `the host's cap is ${plural(verdict.cap, 'stop')} in a row`,
    verdict.queue.waiting === 0
      ? 'nothing waited in the queue'
      : `${verdict.queue.waiting} waited in the queue`,
    ...(verdict.used === null ? [] : [`used since the last stop: ${sayUse(verdict.used)}`]),
    ...(verdict.stalls > 1 ? [`the same at ${verdict.stalls} stops in a row, with nothing changed`] : []),
    ...(verdict.context === null ? [] : [`context ${sayContext(verdict.context)}`]),
  ];
  const rows: [string, string][] = [
    ['session', `${stop.session}, heard by process ${stop.process}`],
    ['facts', facts.join(', ')],
    ...slipLines(stop, events).map((line): [string, string] => ['', line]),
    ...[...proofLines(verdict, judged.asked !== null), ...hookLines(judged.asked)].map(
      (line, index): [string, string] => [index === 0 ? 'proofs' : '', line],
    ),
    [
      'verdict',
      `${verdict.verdict.is === 'continue' ? sayVerdict({ ...verdict.verdict, missing: [] }) : sayVerdict(verdict.verdict)}${judged.void ? ` (void: the loop was ${endedBefore(events, stop.n)} first)` : ''}`,
    ],
    [`rule ${rule.number}`, rule.says],
  ];
  const pass = judged.iteration === null ? '' : `, iteration ${judged.iteration}`;
  return [
    paint.bold(`Stop ${stop.n}${pass}`) + paint.dim(`, ${clockTime(stop.at)}, ${ago(stop.at, now)}`),
    ...rows.map(([name, value]) => `  ${paint.dim(name.padEnd(8))}  ${value}`),
  ];
}

/** What an unknown hand had done to protected files and lists of items, as this stop found it. */
function slipLines(stop: EventOf<'stop'>, events: readonly Event[]): string[] {
  return events
    .slice(events.indexOf(stop))
    .filter((event) => (event.type === 'altered' || event.type === 'shortened') && event.by === 'unknown')
    .map(sayEvent);
}

/** `asked`: what the stop hooks said is told one by one. */
function proofLines({ proofs, sights, features }: EventOf<'verdict'>, asked: boolean): string[] {
  const next = features?.is === 'read' ? features.facts.next : null;
  return [
    ...proofs.flatMap(checkLines),
    ...sights
      .filter(({ gate }) => gate !== 'hooks' || !asked)
      .flatMap(({ gate, holds, says }) => [
        marked(holds, oneLine(says, SHOWN)),
        ...(gate === 'features' && next !== null
          ? [`  next: ${oneLine(`${next.id} - ${next.description}`, SHOWN)}`]
          : []),
      ]),
  ];
}

/** Every hook in the order of asking. */
function hookLines(asked: EventOf<'asked'> | null): string[] {
  if (asked === null) return [];
  return accountOf(asked).map((account) => `${hookMark(account)} stop hook ${sayAccount(account)}`);
}

function hookMark(account: HookAccount): string {
  if (!wasAsked(account) || account.is === 'abstained') return GATE_MARKS.untested;
  return account.action === 'complete' ? GATE_MARKS.holds : GATE_MARKS.fails;
}

function hooksJson(asked: EventOf<'asked'>): object {
  return { account: accountOf(asked), next_prompt: asked.next };
}

function checkLines(proof: CheckProof): string[] {
  return [
    marked(proof.outcome.is === 'passed', sayProof(proof)),
    ...(proof.evidence === null ? [] : [`  its output: ${proof.evidence}`]),
  ];
}

function marked(holds: boolean, words: string): string {
  return `${holds ? GATE_MARKS.holds : GATE_MARKS.fails} ${words}`;
}

function endedBefore(events: readonly Event[], n: number): string {
  const at = events.findIndex((event) => event.type === 'verdict' && event.n === n);
  return (
    events
      .slice(0, at)
      .findLast(({ type }) => type === 'cancelled' || type === 'aborted' || type === 'paused')?.type ??
    'judged'
  );
}

function missingIn(judged: Judged | null): readonly Missing[] {
  const verdict = judged?.verdict.verdict;
  return verdict !== undefined && 'missing' in verdict ? verdict.missing : [];
}

function missingLines(judged: Judged): string[] {
  const lines = missingIn(judged).flatMap((missing) => [
    `  ${sayOpen(missing)}`,
    ...(missing.gate === 'promise' && missing.seen !== null
      ? [paint.dim(`    the agent was told: ${missing.seen}`)]
      : []),
  ]);
  return lines.length === 0 ? [] : ['', paint.bold('Still missing'), ...lines];
}

function endings(loop: Loop, now: string): string[] {
  const frame = topFrame(loop);
  const left = loop.timeMs === null ? null : Math.max(0, loop.timeMs - workedMs(loop, now));
  const inner = loop.frames.length > 1 ? 'the inner frame is ' : '';
  return [
    `${inner}completed: ${sayGates(frame)}`,
    ...(frame.iterations === null
      ? []
      : [`${inner}exhausted: iteration ${ofIterations(loop, frame.iterations)} ends undone`]),
    ...(left === null ? [] : [`exhausted: ${duration(left)} more of work`]),
    ...(loop.costUsd === null
      ? []
      : [`exhausted: ${sayUsd(Math.max(0, loop.costUsd - loop.spent.costUsd))} more`]),
    ...(loop.tokens === null
      ? []
      : [`exhausted: ${sayTokens(Math.max(0, loop.tokens - loop.spent.tokens))} tokens more`]),
    ...(loop.stalls === null ? [] : [sayStalls(loop.circuit, loop.stalls)]),
    `stuck: a new prompt after ${duration(loop.staleMs)} without a sign of life`,
    `${inner}escalated: the agent says <promise>BLOCKED: why</promise>`,
    `cancelled: dacapo cancel ${loop.id}`,
  ];
}

function sayStalls({ times, half }: Loop['circuit'], stalls: number): string {
  if (half)
    return 'stuck: the next stop that shows the same again, with nothing changed (the circuit is half open)';
  const seen = times > 1 ? ` (${times} so far)` : '';
  return `stuck: ${stalls} stops in a row that show the same, with nothing changed${seen}`;
}
