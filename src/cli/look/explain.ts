/** `dacapo explain`: why the last stop was judged as it was, what is still missing, and what would end the loop. */
import type { EventOf } from '../../core/record/events.ts';
import type { CheckProof, Missing } from '../../core/record/verdict.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { accountOf, wasAsked, type HookRecord } from '../../core/stop-hooks.ts';
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
  const head = [`Loop ${title(loop)} ${sayStatus(loop)}.`, sayInner(loop), ...asks].filter(Boolean).join(' ');
  const stop = judged === null ? ['No stop of the agent has been judged yet.'] : stopLines(judged, now);
  const ends =
    endsWhen.length === 0
      ? []
      : ['', paint.bold('What would end it'), ...endsWhen.map((line) => indented(line))];
  const next = nextLines(loop, now);
  const wrong = error === null ? [] : [...errorLines(error, now), ''];
  return [head, '', ...wrong, ...stop, ...missingLines(missing), ...ends, ...next];
}

/** Leaves out the advice to run `dacapo explain`: the person has just done so. */
function nextLines(loop: Loop, now: string): string[] {
  if (!hasEnded(loop) || loop.status.is === 'completed') return [];
  const steps = nextStep(loop, now, 'onlooker')
    .split('; ')
    .filter((step) => !step.includes('dacapo explain'));
  return steps.length === 0 ? [] : ['', hanging(paint.bold('Next: '), steps.join('; '), WIDTH)];
}

/** The host's error, the files with its details, and what to do about it. */
function errorLines({ at, detail, advice, details }: HostError, now: string): string[] {
  const rows: [string, string][] = [
    ...(advice === null ? [] : [['what', advice.what] satisfies [string, string]]),
    ['it said', oneLine(detail, 2 * SHOWN)],
    ...details.map((path, index): [string, string] => [index === 0 ? 'details' : '', shortPath(path)]),
    ...(advice === null ? [] : [['to do', advice.fix] satisfies [string, string]]),
  ];
  return [
    paint.bold('The error of the host') + paint.dim(`, ${clockTime(at)}, ${ago(at, now)}`),
    ...rows.map(row),
  ];
}

function row([name, value]: [string, string]): string {
  return hanging(`  ${paint.dim(name.padEnd(8))}  `, value, WIDTH);
}

/** Indents wrapped lines a little further, so that the lines of a list stay apart. */
function indented(line: string): string {
  return hanging('    ', line, WIDTH).slice(2);
}

function stopLines(judged: JudgedStop, now: string): string[] {
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
    ['session', stop.session],
    ...facts.map((fact, index): [string, string] => [index === 0 ? 'facts' : '', fact]),
    ...judged.slips.map((line): [string, string] => ['', line]),
    ...[...proofLines(verdict, judged.asked !== null), ...hookLines(judged.asked)].map(
      (line, index): [string, string] => [index === 0 ? 'proofs' : '', line],
    ),
    [
      'verdict',
      `${verdict.verdict.is === 'continue' ? sayVerdict({ ...verdict.verdict, missing: [] }) : sayVerdict(verdict.verdict)}${judged.voidBy === null ? '' : ` (void: the loop was ${judged.voidBy} first)`}`,
    ],
    ['rule', `${rule.name}: ${rule.says} (rule ${rule.number} of 15)`],
  ];
  const pass = judged.iteration === null ? '' : `, iteration ${judged.iteration}`;
  return [
    paint.bold(`Stop ${stop.n}${pass}`) + paint.dim(`, ${clockTime(stop.at)}, ${ago(stop.at, now)}`),
    ...rows.map(row),
  ];
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

function missingLines(all: readonly Missing[]): string[] {
  const lines = all.flatMap((missing) => [
    indented(sayOpen(missing)),
    ...(missing.gate === 'promise' && missing.seen !== null
      ? [paint.dim(hanging('    ', `the agent was told: ${missing.seen}`, WIDTH))]
      : []),
  ]);
  return lines.length === 0 ? [] : ['', paint.bold('Still missing'), ...lines];
}
