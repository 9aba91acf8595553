/** Messages in the form of Anthropic's API, as some hosts write them into their streams. */
import { isRecord, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import type { Denial, StreamEvent } from '../port/stream.ts';
import { inputSummary, toolCall, toolOutcome, type JsonFields } from './stream-lines.ts';

/** More refusals, including those of hooks, than a person would read. */
const MAX_DENIALS_KEPT = 200;

/** A line of a subagent names the call that started it. */
export function byChain(line: JsonFields, events: readonly StreamEvent[]): readonly StreamEvent[] {
  const of = textOrNull(line['parent_tool_use_id']);
  return of === null ? events : events.map((event) => ({ is: 'subagent', of, event }));
}

export function readBlock(block: JsonFields, message: string | null): StreamEvent {
  const { type, text, name } = block;
  if (type === 'text' && typeof text === 'string') return { is: 'text', message, text };
  if (type === 'tool_use' && typeof name === 'string')
    return toolCall(textAt(block, 'id'), name, block['input']);
  return { is: 'other' };
}

/** Of user messages only the results of tools matter: the rest is what the host says to the model. */
export function readUser(message: unknown): StreamEvent[] {
  return blocksOf(message)
    .filter(({ type }) => type === 'tool_result')
    .map((block) =>
      toolOutcome(textAt(block, 'tool_use_id'), block['is_error'] === true, textOfContent(block['content'])),
    );
}

export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .flatMap(({ text }) => (typeof text === 'string' ? text : []))
    .join('\n');
}

export function deniedIn(denials: unknown): Denial[] {
  return recordsIn(denials)
    .slice(0, MAX_DENIALS_KEPT)
    .map((denial) => ({
      id: textAt(denial, 'tool_use_id'),
      tool: textAt(denial, 'tool_name') || 'a tool',
      summary: inputSummary(denial['tool_input']),
    }));
}

export function blocksOf(message: unknown): JsonFields[] {
  return isRecord(message) ? recordsIn(message['content']) : [];
}
