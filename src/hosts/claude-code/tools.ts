/** What a tool of Claude Code would write (2.1.325). The hook program has no room for it: most sessions have no loop that minds. */
import { isRecord } from '../../core/shape.ts';
import type { ToolAct } from '../host.ts';

export function actOf(payload: Readonly<Record<string, unknown>>): ToolAct | null {
  const input = payload['tool_input'];
  if (!isRecord(input)) return null;
  const cwd = textIn(payload, 'cwd') ?? process.cwd();
  switch (payload['tool_name']) {
    case 'Write':
      return writeTo(textIn(input, 'file_path'), textIn(input, 'content'), cwd);
    case 'Edit':
    case 'MultiEdit':
      return writeTo(textIn(input, 'file_path'), null, cwd);
    case 'NotebookEdit':
      return writeTo(textIn(input, 'notebook_path'), null, cwd);
    case 'Bash': {
      const line = textIn(input, 'command');
      return line === null ? null : { is: 'shell', line, cwd };
    }
    default:
      return null;
  }
}

function writeTo(path: string | null, content: string | null, cwd: string): ToolAct | null {
  return path === null ? null : { is: 'write', path, content, cwd };
}

function textIn(value: Readonly<Record<string, unknown>>, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}
