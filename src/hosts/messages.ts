/** Messages in the form of Anthropic's API, as some hosts write them into their streams. */
import { isRecord, recordsIn, textAt } from '../core/shape.ts';
import type { Denial, StreamEvent } from './stream.ts';
import { outcomeOf, summaryOf, type JsonFields } from './stream-lines.ts';

/** More refusals, including those of hooks, than a person would read. */
const MOST_DENIED = 200;

export function readBlock(block: JsonFields, message: string | null): StreamEvent {
  const { type, text, name } = block;
  if (type === 'text' && typeof text === 'string') return { is: 'text', message, text };
  if (type === 'tool_use' && typeof name === 'string')
    return { is: 'tool', id: textAt(block, 'id'), name, summary: summaryOf(block['input']) };
  return { is: 'other' };
}

/** Of user messages only the results of tools matter: the rest is what the host says to the model. */
export function readUser(message: unknown): StreamEvent[] {
  return blocksOf(message)
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      is: 'tool-outcome',
      id: textAt(block, 'tool_use_id'),
      failed: block['is_error'] === true,
      ...outcomeOf(wordsOf(block['content'])),
    }));
}

export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .map((block) => textAt(block, 'text'))
    .join('\n');
}

export function deniedIn(denials: unknown): Denial[] {
  return recordsIn(denials)
    .slice(0, MOST_DENIED)
    .map((denial) => ({
      id: textAt(denial, 'tool_use_id'),
      tool: textAt(denial, 'tool_name') || 'a tool',
      summary: summaryOf(denial['tool_input']),
    }));
}

export function blocksOf(message: unknown): JsonFields[] {
  return isRecord(message) ? recordsIn(message['content']) : [];
}
