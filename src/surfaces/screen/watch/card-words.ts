/** A card in the words and colours of the terminal view. */
import type { CardGate, LoopCard, CardTone } from '#telling/story/card.ts';
import { labelForScreen } from '../terminal/clean-text.ts';
import { type Brush, part, type RowPart } from '../terminal/lines.ts';
import { sayCost, sayCount } from '#law/words/figures.ts';
import { clock, percent } from '../phrases.ts';

const TONES: Readonly<Record<CardTone, readonly [mark: string, brush: Brush]>> = {
  working: ['●', 'cyan'],
  waiting: ['◌', 'cyan'],
  resting: ['○', 'yellow'],
  'needs-you': ['!', 'yellow'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  over: ['–', 'dim'],
};

export function toneMark({ tone }: LoopCard): RowPart {
  const [mark, brush] = TONES[tone];
  return part(mark, brush);
}

export function toneBrush({ tone }: LoopCard): Brush {
  return TONES[tone][1];
}

const GATES: Readonly<Record<CardGate['is'], readonly [mark: string, brush: Brush]>> = {
  held: ['✓', 'green'],
  failing: ['✗', 'red'],
  open: ['·', 'dim'],
};

export function gateMark({ is }: CardGate): RowPart {
  const [mark, brush] = GATES[is];
  return part(mark, brush);
}

/** ✓2 ✗1 ·1 */
export function gateCounts(gates: readonly CardGate[]): RowPart[] {
  return (['held', 'failing', 'open'] as const).flatMap((is) => {
    const many = gates.filter((gate) => gate.is === is).length;
    const [mark, brush] = GATES[is];
    return many === 0 ? [] : [part(`${mark}${many}`, brush), part(' ')];
  });
}

/** What matters most about a loop that has not ended, in one line. Null: nothing is known yet. */
export function sayNow(card: LoopCard): RowPart | null {
  const { requests, proving, status, says, lastWords, gates } = card;
  const [request] = requests;
  if (request !== undefined) {
    const more = requests.length > 1 ? ` (and ${requests.length - 1} more)` : '';
    return part(`${REQUEST_QUESTIONS[request.kind]} ${labelForScreen(request.what)}${more}`, 'yellow');
  }
  if (proving.length > 0) return part(`checking ${labelForScreen(proving.join(', '))}`, 'cyan');
  if (status !== 'running') return part(labelForScreen(says), 'dim');
  if (lastWords !== null) return part(labelForScreen(lastWords), 'dim');
  const failing = gates.find(({ is }) => is === 'failing');
  return failing === undefined
    ? null
    : part(`${failing.label} ${failing.seen ?? 'does not hold yet'}`, 'dim');
}

export const REQUEST_QUESTIONS = {
  approval: 'approve?',
  question: 'answer?',
  completion: 'done?',
  acceptance: 'done?',
} as const;

export function cardFacts(card: LoopCard): string[] {
  const { iteration, iterations, workedMs, waitedMs, tokens, context, features } = card;
  return [
    iterations === null ? `iteration ${iteration}` : `iteration ${iteration} of ${iterations}`,
    `${clock(workedMs)} at work`,
    ...(waitedMs >= 60_000 ? [`${clock(waitedMs)} waiting`] : []),
    ...(card.isCounted ? [sayCost(card, card.maxCostUsd)] : []),
    ...(tokens > 0 ? [`${sayCount(tokens)} tokens`] : []),
    ...(context === null || context.window === null
      ? []
      : [`context ${percent(context.tokens / context.window)}`]),
    ...(features === null ? [] : [`${features.passing} of ${features.total} features`]),
  ];
}
