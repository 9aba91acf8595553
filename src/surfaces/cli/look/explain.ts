/**
 * `dacapo explain`: why the last stop was judged as it was, what is still missing, and what would end the
 * loop.
 */
import type { Missing } from '#law/record/verdict.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { plural } from '#law/words/phrases.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import {
  explain,
  explanationReport,
  type Explanation,
  type HostError,
  type JudgedStop,
} from '#engine/look/explain.ts';
import { sayContext } from '#telling/person/limits.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { inTerminal } from '#telling/audience.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { sayOpen } from '#law/words/phrases.ts';
import { sayHow } from '#telling/person/requests.ts';
import { sayInner } from '#telling/person/ended.ts';
import { sayAsksBefore } from '#telling/person/to-person.ts';
import {
  hanging,
  paintGateMark,
  paint,
  reply,
  factLines,
  linesWhen,
  type Fact,
} from '../terminal/terminal.ts';
import { sayEvent } from '#telling/event.ts';
import { sayVerdict } from '#telling/verdict.ts';
import { rowsOf } from '#telling/story/rows.ts';
import { sayUse } from '#law/words/figures.ts';
import { heldOutLines } from './held-out.ts';
import { noLoops, pickNewest, shortPath } from '../context.ts';
import { ago, clockTime } from '#telling/time.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

const MAX_SENTENCE_CHARS = 300;

export async function runExplain(
  { id, json }: GivenFlags<'json', 'id'>,
  { runtime }: CommandCall,
): Promise<number> {
  const loop = pickNewest(id, { verb: 'explain' }, runtime);
  if (typeof loop === 'number') return loop;
  const explanation = explain(loop.id, runtime);
  if (explanation === null) return noLoops();
  const now = runtime.now();
  const heldOut = heldOutLines(loop.id, runtime);
  return reply(
    json,
    explanationReport(explanation, now),
    ...explanationLines(explanation, now),
    ...linesWhen(heldOut.length > 0, '', paint.bold('Held out from the agent'), ...heldOut.map(indented)),
  );
}

function explanationLines({ loop, judged, error, missing, endsWhen }: Explanation, now: string): string[] {
  const asks = sayAsksBefore(loop.people.approvals, 'It asks you ').map((words) => `${words}.`);
  const head = [`Loop ${title(loop)} ${sayStatus(loop)}.`, sayInner(loop), ...asks].filter(Boolean).join(' ');
  const stop = judged === null ? ['No stop of the agent has been judged yet.'] : stopLines(judged, loop, now);
  const ends = linesWhen(endsWhen.length > 0, '', paint.bold('What would end it'), ...endsWhen.map(indented));
  const next = nextLines(loop, now);
  const wrong = error === null ? [] : [...errorLines(error, now), ''];
  return [head, '', ...wrong, ...stop, ...missingLines(missing), ...ends, ...next];
}

/** Leaves out the advice to run `dacapo explain`: the person has just done so. */
function nextLines(loop: Loop, now: string): string[] {
  if (!hasEnded(loop) || loop.status.is === 'completed') return [];
  const steps = nextSteps(loop, now, 'onlooker').filter(({ role }) => role !== 'explain');
  return steps.length === 0 ? [] : ['', hanging(paint.bold('Next: '), sayNextSteps(steps, inTerminal))];
}

function errorLines({ at, detail, advice, details }: HostError, now: string): string[] {
  const facts: Fact[] = [
    ['what', advice && advice.what],
    ['it said', oneLine(detail, 2 * MAX_SENTENCE_CHARS)],
    ['details', details.map(shortPath)],
    ['to do', advice && advice.fix],
  ];
  return [
    paint.bold('The error of the host') + paint.dim(`, ${clockTime(at)}, ${ago(at, now)}`),
    ...factLines(facts, 8),
  ];
}

/** Indents wrapped lines a little further, so that the lines of a list stay apart. */
function indented(line: string): string {
  return hanging('    ', line).slice(2);
}

function stopLines(judged: JudgedStop, loop: Loop, now: string): string[] {
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
    ...(verdict.trend?.drift ? [`no progress: ${verdict.trend.drift}`] : []),
    ...linesWhen(
      verdict.stalls > 1 && !verdict.trend?.drift,
      `the same at ${verdict.stalls} stops in a row, with nothing changed`,
    ),
    ...(verdict.context === null ? [] : [`context ${sayContext(verdict.context)}`]),
  ];
  const said = sayVerdict(
    verdict.verdict.is === 'continue' ? { ...verdict.verdict, missing: [] } : verdict.verdict,
  );
  const reviews = judged.reviews.flatMap((review) => [
    `stop ${review.n}: ${sayEvent(review)}`,
    `  both sides in full: ${shortPath(review.evidence)}`,
  ]);
  const rows: Fact[] = [
    ['session', stop.session],
    ['facts', [...facts, ...judged.slips]],
    ['proofs', proofLines(judged)],
    ['reviews', reviews],
    ['verdict', judged.voidBy === null ? said : `${said} (void: the loop was ${judged.voidBy} first)`],
    ['rule', `${rule.name}: ${rule.says} (rule ${rule.number} of 15)`],
    ['then', answersSince(stop.at, loop)],
  ];
  const pass = judged.iteration === null ? '' : `, iteration ${judged.iteration}`;
  return [
    paint.bold(`Stop ${stop.n}${pass}`) + paint.dim(`, ${clockTime(stop.at)}, ${ago(stop.at, now)}`),
    ...factLines(rows, 8),
  ];
}

/** A stop that asked a person is not the last word any more once that person has answered. */
function answersSince(at: string, { people: { requests } }: Loop): string[] {
  return requests
    .filter(({ answer }) => answer !== null && answer.at >= at)
    .map((request) => `${request.id} was ${sayHow(request)}`);
}

/** What the story shows of a stop, with the paths of the outputs and the next feature. */
function proofLines({ told, verdict }: JudgedStop): string[] {
  const { proofs, features } = verdict;
  const next = features?.is === 'read' ? features.facts.next : null;
  const rows = told === undefined ? [] : rowsOf(told).filter(({ is }) => is !== 'missing');
  return rows.flatMap(({ is, holds, words, gate = null }, at) => {
    const output = is === 'check' ? (proofs[at]?.evidence ?? null) : null;
    return [
      `${paintGateMark(holds)} ${words}`,
      ...(output === null ? [] : [`  its output: ${shortPath(output)}`]),
      ...(gate === 'features' && next !== null
        ? [`  next: ${oneLine(`${next.id} - ${next.description}`, MAX_SENTENCE_CHARS)}`]
        : []),
    ];
  });
}

function missingLines(all: readonly Missing[]): readonly string[] {
  const lines = all.flatMap((missing) => [
    indented(sayOpen(missing)),
    ...(missing.gate === 'promise' && missing.seen !== null
      ? [paint.dim(hanging('    ', `the agent was told: ${missing.seen}`))]
      : []),
  ]);
  return linesWhen(lines.length > 0, '', paint.bold('Still missing'), ...lines);
}
