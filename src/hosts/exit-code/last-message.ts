/**
 * The agent's last message, from a transcript in JSON lines, for hosts that do not send it with the stop. A transcript may
 * lag behind the stop, so a message in the payload always comes first.
 */
import { parseAs, isRecord } from '../../core/shape.ts';
import { readEnd } from '../../files/read.ts';

/** More than any message. */
const MOST_READ = 4 * 1024 * 1024;

/** Empty if there is none, or the file can't be read. */
export function lastMessageIn(transcript: string): string {
  const rows = readEnd(transcript, MOST_READ).split('\n');
  for (const row of rows.reverse()) {
    const text = textIn(row);
    if (text !== '') return text;
  }
  return '';
}

/** The text of a message of the main agent; empty for every other row. */
function textIn(row: string): string {
  if (!row.includes('assistant')) return '';
  const value = parseAs(isRecord, row);
  if (value === null || value['isSidechain'] === true) return '';
  const message = isRecord(value['message']) ? value['message'] : value;
  if (value['type'] !== 'assistant' && message['role'] !== 'assistant') return '';
  const { content } = message;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: unknown) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : []))
    .join('\n');
}
