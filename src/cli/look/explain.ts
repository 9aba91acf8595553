/** `dacapo explain`: why the last stop was judged as it was, what is still missing, and what would end the loop. */
import type { EventOf } from '../../core/record/events.ts';
import type { CheckProof, Missing } from '../../core/record/verdict.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { accountOf, wasAsked, type HookRecord } from '../../core/stop-hooks/account.ts';
import { plural } from '../../core/words/phrases.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import {
  explain,
  explanationReport,
  type Explanation,
  type HostError,
  type JudgedStop,
} from '../../operations/look/explain.ts';
import { sayContext } from '../../text/usage.ts';
import { nextStep } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { sayAsksBefore, sayInner, sayOpen, title } from '../../text/to-person.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { sayAccount, sayProof, sayUse, sayVerdict } from '../../text/event.ts';
import { noLoops, pickNewest } from '../loops.ts';
import { hanging, GATE_MARKS, paint, say, sayJson, WIDTH } from '../terminal/terminal.ts';
import { ago, clockTime } from '../../text/time.ts';
import { shortPath } from '../project.ts';
import { cliRuntime } from '../runtime.ts';

/** Text from files may be long. */
const SHOWN = 300;

export interface ExplainOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

export async function runExplain({ id, json }: ExplainOptions): Promise<number> {
  const runtime = cliRuntime();
  const picked = pickNewest(id, 'explain', runtime);
  if (picked.is === 'refused') return picked.exit;
  const explanation = picked.is === 'none' ? null : explain(picked.loop.id, runtime);
  if (explanation === null) return noLoops();
  if (json) sayJson(explanationReport(explanation, runtime.now()));
  else say(...explanationLines(explanation, runtime.now()));
  return EXIT.ok;
}

function explanationLines({ loop, judged, error, missing, endsWhen }: Explanation, now: string): string[] {
  const asks = sayAsksBefore(loop.people.approvals, 'It asks you ').map((words) => `${words}.`);
  return [
    [`Loop ${title(loop)} ${sayStatus(loop)}.`, sayInner(loop), ...asks].filter(Boolean).join(' '),
    '',
    ...(error === null ? [] : [...errorLines(error, now), '']),
    ...(judged === null ? ['No stop of the agent has been judged yet.'] : stopLines(judged, now)),
    ...section('Still missing', missing.flatMap(missingLines)),
    ...section('What would end it', endsWhen.map(indented)),
    ...nextLines(loop, now),
  ];
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', paint.bold(heading), ...lines];
}

/** Leaves out the advice to run `dacapo explain`: the person has just done so. */
function nextLines(loop: Loop, now: string): string[] {
  if (!hasEnded(loop) || loop.status.is === 'completed') return [];
  const steps = nextStep(loop, now, 'onlooker')
    .split('; ')
    .filter((step) => !step.includes('dacapo explain'));
  return steps.length === 0 ? [] : ['', hanging(paint.bold('Next: '), steps.join('; '), WIDTH)];
}

/** What happened at one time: a heading, and rows with a name at the first line of each. */
function moment(
  heading: string,
  at: string,
  now: string,
  rows: readonly (readonly [name: string, lines: readonly string[]])[],
): string[] {
  const left = (name: string) => `  ${paint.dim(name.padEnd(8))}  `;
  return [
    paint.bold(heading) + paint.dim(`, ${clockTime(at)}, ${ago(at, now)}`),
    ...rows.flatMap(([name, lines]) =>
      lines.map((line, index) => hanging(left(index === 0 ? name : ''), line, WIDTH)),
    ),
  ];
}

/** The host's error, the files with its details, and what to do about it. */
function errorLines({ at, detail, advice, details }: HostError, now: string): string[] {
  return moment('The error of the host', at, now, [
    ['what', advice === null ? [] : [advice.what]],
    ['it said', [oneLine(detail, 2 * SHOWN)]],
    ['details', details.map(shortPath)],
    ['to do', advice === null ? [] : [advice.fix]],
  ]);
}

/** Indents wrapped lines a little further, so that the lines of a list stay apart. */
function indented(line: string): string {
  return hanging('    ', line, WIDTH).slice(2);
}

function stopLines({ stop, verdict: event, rule, iteration, asked, slips, voidBy }: JudgedStop, now: string) {
  const { verdict, toolUsed, cap, queue, used, stalls, context } = event;
  const shown = verdict.is === 'continue' ? { ...verdict, missing: [] } : verdict;
  const facts = [
    toolUsed ? 'a tool call was seen' : 'no tool call was seen',
    cap === null ? 'the host has no cap on stops' : `the host's cap is ${plural(cap, 'stop')} in a row`,
    queue.waiting === 0 ? 'nothing waited in the queue' : `${queue.waiting} waited in the queue`,
    ...(used === null ? [] : [`used since the last stop: ${sayUse(used)}`]),
    ...(stalls > 1 ? [`the same at ${stalls} stops in a row, with nothing changed`] : []),
    ...(context === null ? [] : [`context ${sayContext(context)}`]),
  ];
  return moment(`Stop ${stop.n}${iteration === null ? '' : `, iteration ${iteration}`}`, stop.at, now, [
    ['session', [stop.session]],
    ['facts', [...facts, ...slips]],
    ['proofs', [...proofLines(event, asked !== null), ...hookLines(asked)]],
    ['verdict', [`${sayVerdict(shown)}${voidBy === null ? '' : ` (void: the loop was ${voidBy} first)`}`]],
    ['rule', [`${rule.name}: ${rule.says} (rule ${rule.number} of 15)`]],
  ]);
}

/** `asked`: the stop hooks' answers are listed one by one elsewhere, so they are left out here. */
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

/** All hooks, in the order in which they were asked. */
function hookLines(asked: EventOf<'asked'> | null): string[] {
  if (asked === null) return [];
  return accountOf(asked).map((account) => `${hookMark(account)} stop hook ${sayAccount(account)}`);
}

function hookMark(account: HookRecord): string {
  if (!wasAsked(account) || account.is === 'abstained') return GATE_MARKS.untested;
  return account.action === 'complete' ? GATE_MARKS.holds : GATE_MARKS.fails;
}

function checkLines(proof: CheckProof): string[] {
  return [
    marked(proof.outcome.is === 'passed', sayProof(proof)),
    ...(proof.evidence === null ? [] : [`  its output: ${shortPath(proof.evidence)}`]),
  ];
}

function marked(holds: boolean, words: string): string {
  return `${holds ? GATE_MARKS.holds : GATE_MARKS.fails} ${words}`;
}

function missingLines(missing: Missing): string[] {
  const told = missing.gate === 'promise' ? missing.seen : null;
  return [
    indented(sayOpen(missing)),
    ...(told === null ? [] : [paint.dim(hanging('    ', `the agent was told: ${told}`, WIDTH))]),
  ];
}
