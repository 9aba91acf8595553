/** More about the chosen loop, below the list, where the screen is high enough. */
import type { LoopCard } from '../../live/card.ts';
import { ago } from '../../text/time.ts';
import { labelForScreen } from '../clean-text.ts';
import { terminalText, type Viewport } from '../lines.ts';
import { wrap } from '../width.ts';
import { factsOf, gateMark, toneBrush } from './card-words.ts';
import { cell, filled, part, rowOf, type Part } from './row.ts';

/** A screen with fewer rows needs them for the list. */
export const PREVIEW_FROM = 40;
export const PREVIEW_ROWS = 15;

const NAME = 9;
const WORD_LINES = 3;
const GATES = 4;
/** Longer lines are hard to read. */
const WIDEST = 120;

export function previewRows(card: LoopCard, viewport: Viewport): string[] {
  const room = Math.min(viewport.width - NAME - 6, WIDEST);
  const named = (name: string, text: string, most = 1): string[] =>
    wrap(terminalText(labelForScreen(text), viewport), room)
      .slice(0, most)
      .map((line, at) => fact(at === 0 ? name : '', [part(line)], viewport));
  const now = new Date(viewport.now).toISOString();
  const { gates, lastWords, model, driver } = card;
  return filled(
    [
      rowOf([part(terminalText('─', viewport).repeat(viewport.width), 'dim')], viewport),
      rowOf([part('  '), part(card.id, 'bold'), part('  '), part(card.says, toneBrush(card))], viewport),
      ...named('task', card.task, 2),
      ...card.requests
        .slice(0, 1)
        .flatMap(({ what, why }) => named('asks', why === '' ? what : `${what} (${why})`, 2)),
      ...named('used', factsOf(card).join(' · ')),
      ...gates.slice(0, GATES).map((gate, at) => {
        const seen = gate.seen === null ? [] : [part(`  ${labelForScreen(gate.seen)}`, 'dim')];
        return fact(
          at === 0 ? 'gates' : '',
          [gateMark(gate), part(` ${labelForScreen(gate.label)}`), ...seen],
          viewport,
        );
      }),
      ...(lastWords === null ? [] : named('said', `“${lastWords}”`, WORD_LINES)),
      ...named(
        'where',
        `${card.project}, by ${driver === 'fresh' ? 'dacapo run' : 'a session'}${model === null ? '' : ` with ${model}`}`,
      ),
      ...named('when', `started ${ago(card.startedAt, now)}, last event ${ago(card.updatedAt, now)}`),
      ...named('next', card.next, 2),
    ],
    PREVIEW_ROWS,
  );
}

function fact(name: string, parts: readonly Part[], viewport: Viewport): string {
  return rowOf([part('  '), cell(name, NAME, 'dim'), ...parts], viewport);
}
