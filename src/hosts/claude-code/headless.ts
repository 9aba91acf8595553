/** Claude Code without a screen: the command of one pass, and its stream of JSON lines in our words. */
import { isRecord } from '../../core/shape.ts';
import { CAP_VARIABLE, NO_CAP } from './cap.ts';

export interface HeadlessPass {
  readonly session: string;
  readonly prompt: string;
  /** What the person passes on to the host, behind `--`. */
  readonly extra: readonly string[];
}

/** The prompt comes on stdin: it may be longer than a command line can be. */
export function headlessArguments({ session, extra }: HeadlessPass): string[] {
  return ['-p', '--output-format', 'stream-json', '--verbose', '--session-id', session, ...extra];
}

/** Our own hook stays out of the way: the driver judges the stop itself. */
export const HEADLESS_ENVIRONMENT: Readonly<Record<string, string>> = {
  DACAPO_DISABLE: '1',
  [CAP_VARIABLE]: NO_CAP,
};

export type Seen =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'tool'; readonly name: string }
  /** The host's own account of the pass: judged by its structure, never by its text. */
  | {
      readonly is: 'result';
      readonly failed: boolean;
      readonly reason: string;
      readonly costUsd: number | null;
    }
  | { readonly is: 'other' };

export function readStreamLine(line: string): Seen[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [{ is: 'other' }];
  }
  if (!isRecord(value)) return [{ is: 'other' }];
  // A subagent's words are not the agent's.
  if (value['type'] === 'assistant' && (value['parent_tool_use_id'] ?? null) === null)
    return readBlocks(value['message']);
  if (value['type'] === 'result') return [readResult(value)];
  return [{ is: 'other' }];
}

function readBlocks(message: unknown): Seen[] {
  const blocks = isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];
  return blocks.map((block: unknown): Seen => {
    if (!isRecord(block)) return { is: 'other' };
    if (block['type'] === 'text' && typeof block['text'] === 'string')
      return { is: 'text', text: block['text'] };
    if (block['type'] === 'tool_use' && typeof block['name'] === 'string')
      return { is: 'tool', name: block['name'] };
    return { is: 'other' };
  });
}

function readResult(value: Readonly<Record<string, unknown>>): Seen {
  const { is_error: failed, terminal_reason: reason, api_error_status: status, total_cost_usd: cost } = value;
  const words = typeof reason === 'string' ? reason : 'unknown';
  return {
    is: 'result',
    failed: failed === true,
    reason: typeof status === 'number' ? `${words} ${status}` : words,
    costUsd: typeof cost === 'number' ? cost : null,
  };
}
