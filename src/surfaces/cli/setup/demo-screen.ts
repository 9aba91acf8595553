/**
 * Prints the demo: the speaker on the left, the words on the right, and a verdict at the end of each
 * iteration.
 */
import { basename } from 'node:path';
import type { Event } from '#law/record/events.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { harmless, oneLine } from '#base/words/sanitize.ts';
import { sayMissing } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import type { DemoEvent, Tell } from '#surfaces/demo/demo-event.ts';
import { sayEvent } from '#telling/event.ts';
import { sayVerdict } from '#telling/verdict.ts';
import { fitLine, hanging, paint } from '../terminal/terminal.ts';
import { clockTime } from '#telling/time.ts';

const LABEL_COLUMNS = 11;
const NOBODY = ' '.repeat(LABEL_COLUMNS);
const TAIL_LINES = 4;
const MAX_EVENT_CHARS = 160;
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 40;

export function demoTeller(say: (...lines: readonly string[]) => void, terminalWidth: number): Tell {
  const width = Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, terminalWidth)) - 1;
  let iteration = 0;
  let speaker = '';
  /** The name appears only at the first words of an iteration. */
  const agentLabel = (): string => {
    if (speaker === 'agent') return NOBODY;
    speaker = 'agent';
    iteration++;
    say('', paint.bold(`Iteration ${iteration}`));
    return label('agent', paint.cyan);
  };
  const beside = (name: string, text: readonly string[]): void =>
    say(...text.map((line, at) => hanging(at === 0 ? name : NOBODY, paintLine(line), width)));
  return (event) => {
    switch (event.is) {
      case 'begun':
        return say(...opening(event));
      case 'typed':
        return beside(label('you type', paint.cyan), [event.text]);
      case 'started':
        return beside(label('Da Capo', paint.magenta), demoLines(event.text.replace(/^Da Capo: l/, 'L')));
      case 'said':
        return beside(agentLabel(), demoLines(event.text));
      case 'used':
        return beside(agentLabel(), [`${DEED}${DEEDS[event.tool] ?? event.tool} ${basename(event.file)}`]);
      case 'judged':
        speaker = 'Da Capo';
        for (const [at, [mark, ...lines]] of judgement(event).entries())
          beside(label(at === 0 ? 'Da Capo' : '', paint.magenta, mark), lines);
        return undefined;
      case 'ended':
        return say(
          '',
          ...fitLine(event.text, width).map(event.status === 'completed' ? paint.green : paint.red),
        );
      case 'journal':
        return say(
          '',
          paint.bold('The journal of this loop'),
          ...event.events.map((one) => inJournal(one, width)),
        );
    }
  };
}

const OUTPUT = '│ ';
const DEED = '· ';

function paintLine(line: string): string {
  return line.startsWith(OUTPUT) || line.startsWith(DEED) ? paint.dim(line) : line;
}

const DEEDS: Readonly<Record<string, string>> = { Read: 'reads', Edit: 'edits', Write: 'writes' };

function opening({ agent, version }: Extract<DemoEvent, { is: 'begun' }>): string[] {
  const who =
    agent === 'scripted'
      ? 'A small scripted agent plays: no model'
      : `${chosenNames().title} ${version ?? ''} works, with a scripted model on 127.0.0.1`;
  return [
    paint.bold('Da Capo, the demo: one loop, from its start to its proof'),
    paint.dim(`${who}, no account.`),
    paint.dim('In a temporary project parser.mjs is wrong. Watch the agent claim otherwise.'),
    '',
  ];
}

function label(name: string, colour: (text: string) => string, mark = ' '): string {
  return `${colour(name.padEnd(LABEL_COLUMNS - 3))} ${mark} `;
}

type Remark = readonly [mark: string, ...lines: string[]];

function judgement({ verdict, proofs }: Extract<DemoEvent, { is: 'judged' }>): Remark[] {
  const [no, yes] = [paint.red('✗'), paint.green('✓')];
  switch (verdict.is) {
    case 'continue':
      return verdict.missing.map((missing) => {
        const proof =
          missing.gate === 'check' ? proofs.find(({ command }) => command === missing.command) : undefined;
        const [says = '', ...output] = sayMissing(missing).split('\n');
        return [no, says, ...output.map(asOutput), ...tailLines(proof)];
      });
    case 'complete':
      return proofs.map(({ command, outcome }): Remark => [
        yes,
        `check \`${oneLine(command, 100)}\` ${sayOutcome(outcome)}`,
      ]);
    case 'escalate':
    case 'exhaust':
    case 'allow':
      return [[no, sayVerdict(verdict)]];
  }
}

function tailLines(proof: CheckProof | undefined): string[] {
  const tail = proof !== undefined && 'tail' in proof.outcome ? harmless(proof.outcome.tail).trim() : '';
  const lines = tail
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES);
  return lines.map(asOutput);
}

/** Some verdicts quote the output of a check already. */
function asOutput(line: string): string {
  return `${OUTPUT}${line.replace(/^ *\| /, '')}`;
}

function inJournal(event: Event, width: number): string {
  const time = paint.dim(clockTime(event.at).slice(-8));
  return hanging(`  ${time}  ${event.type.padEnd(9)} `, oneLine(sayEvent(event), MAX_EVENT_CHARS), width);
}

function demoLines(text: string): string[] {
  return harmless(text.replaceAll('<promise>', '\u{E000}').replaceAll('</promise>', '\u{E001}'))
    .replaceAll('\u{E000}', '<promise>')
    .replaceAll('\u{E001}', '</promise>')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
