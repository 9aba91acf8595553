/** When a frame is done, in words. */
import type { Definition, Gate, Items } from '#law/record/definition.ts';
import { sayCheck, sayHooks, sayNotBefore, sayReviewer } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { asksToClaim, CLAIMS, USUAL_PROMISE } from '#law/gates.ts';
import { sayGoalsOf } from '#law/measures.ts';

const MAX_NAME_CHARS = 100;

type Gated = Pick<Definition, 'mode' | 'gates' | 'require' | 'atLeast' | 'confirm' | 'measures' | 'items'>;

export function sayGates(frame: Gated): string {
  const { mode, gates, require, items } = frame;
  const all = [
    ...(items === null ? [] : [sayItems(items)]),
    ...(asksToClaim({ gates, items }) ? [`<promise>${USUAL_PROMISE}</promise>`] : []),
    ...gates.flatMap((gate) => (gate.kind === 'measures' ? sayGoalsOf(frame) : [sayGate(gate, mode)])),
  ];
  return all.join(require === 'any' ? ' or ' : ' and ') + sayNotBefore(frame);
}

function sayItems({ from, most }: Items): string {
  const list = from.is === 'file' ? from.file : `\`${from.command}\``;
  return `every item of ${oneLine(list, MAX_NAME_CHARS)} had its turn (at most ${most})`;
}

function sayGate(gate: Exclude<Gate, { kind: 'measures' }>, mode: Definition['mode']): string {
  switch (gate.kind) {
    case 'signal':
      return CLAIMS[mode];
    case 'promise':
      return `<promise>${oneLine(gate.text, MAX_NAME_CHARS)}</promise>`;
    case 'check':
      return (
        `${sayCheck(gate)} ` +
        `passes${gate.begun === 'passed' ? ' (as it did before the first iteration)' : ''}`
      );
    case 'features':
      return `every item of ${oneLine(gate.file, MAX_NAME_CHARS)} passes`;
    case 'moved':
      return [gate.baseline.file, gate.baseline.folder]
        .map((path) => oneLine(path, MAX_NAME_CHARS))
        .join(' is in ');
    case 'hooks':
      return sayHooks(gate);
    case 'review':
      return `${sayReviewer(gate)} approves`;
  }
}
