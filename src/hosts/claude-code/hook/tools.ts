/** What a tool of Claude Code would write (2.1.325). Not in the hook program: most sessions have no loop that needs it. */
import { isRecord } from '../../../core/shape.ts';
import type { TextEdit, ToolAct } from '../../arrival.ts';

export function actOf(payload: Readonly<Record<string, unknown>>, project: string): ToolAct | null {
  const input = payload['tool_input'];
  if (!isRecord(input)) return null;
  const cwd = textIn(payload, 'cwd') ?? process.cwd();
  switch (payload['tool_name']) {
    case 'Write':
      return writeTo(textIn(input, 'file_path'), cwd, textIn(input, 'content'));
    case 'Edit':
      return writeTo(textIn(input, 'file_path'), cwd, null, editsIn([input]));
    case 'MultiEdit':
      return writeTo(textIn(input, 'file_path'), cwd, null, editsIn(input['edits']));
    case 'NotebookEdit':
      return writeTo(textIn(input, 'notebook_path'), cwd);
    case 'Bash': {
      const line = textIn(input, 'command');
      return line === null ? null : { is: 'shell', line, cwd, env: { CLAUDE_PROJECT_DIR: project } };
    }
    default:
      return null;
  }
}

function writeTo(
  path: string | null,
  cwd: string,
  content: string | null = null,
  edits: readonly TextEdit[] = [],
): ToolAct | null {
  return path === null ? null : { is: 'write', path, content, edits, cwd };
}

function editsIn(edits: unknown): TextEdit[] {
  return (Array.isArray(edits) ? edits.filter(isRecord) : []).flatMap((edit) => {
    const from = textIn(edit, 'old_string');
    return from === null
      ? []
      : [{ from, to: textIn(edit, 'new_string') ?? '', all: edit['replace_all'] === true }];
  });
}

function textIn(value: Readonly<Record<string, unknown>>, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}
