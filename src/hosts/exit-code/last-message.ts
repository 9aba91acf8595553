/**
 * The agent's last message, from a transcript in JSON lines, for hosts that do not send it with the stop. A transcript may
 * lag behind the stop, so a message in the payload always comes first.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseAs, isRecord } from '../../core/shape.ts';

/** More than any message. */
const MOST_READ = 4 * 1024 * 1024;
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Empty if there is none, or the file can't be read. */
export function lastMessageIn(transcript: string): string {
  const rows = endOf(transcript).split('\n');
  for (const row of rows.reverse()) {
    const text = textIn(row);
    if (text !== '') return text;
  }
  return '';
}

function endOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, READING);
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MOST_READ));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
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
