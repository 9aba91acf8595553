/** Plays a session without a host: the payloads that Claude Code would send (2.1.325), and how it reads the answers. */
import { randomUUID } from 'node:crypto';
import { isRecord } from '../../../core/shape.ts';
import type { Played, PlayedSession } from '../../command-line.ts';

export function play({ id, project, transcript, process }: PlayedSession): Played {
  const common = {
    session_id: id,
    transcript_path: transcript,
    cwd: project,
    prompt_id: randomUUID(),
    permission_mode: 'acceptEdits',
  };
  return {
    env: {
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_SESSION_ID: id,
      CLAUDE_CODE_SESSION_ATTENDED: '0',
      CLAUDE_PID: String(process),
    },
    start: (request) => {
      const typed = `/ralph ${request}`;
      const command = { expansion_type: 'slash_command', command_name: 'ralph', command_args: request };
      return {
        typed,
        payload: { ...common, hook_event_name: 'UserPromptExpansion', ...command, prompt: typed },
      };
    },
    stop: (message, passes) => ({
      ...common,
      hook_event_name: 'Stop',
      stop_hook_active: passes > 0,
      last_assistant_message: message,
      background_tasks: [],
      session_crons: [],
    }),
    end: () => ({ ...common, hook_event_name: 'SessionEnd', reason: 'other' }),
    toAgent,
  };
}

function toAgent(stdout: string): string | null {
  if (stdout === '') return null;
  const answer: unknown = JSON.parse(stdout);
  const specific = isRecord(answer) ? answer['hookSpecificOutput'] : null;
  const context = isRecord(specific) ? specific['additionalContext'] : null;
  return typeof context === 'string' ? context : null;
}
