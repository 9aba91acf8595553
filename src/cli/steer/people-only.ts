/** What only a person may do. An agent's own shell has these in its environment: a speed bump, not a boundary. */
import { EXIT } from '../terminal/exit-codes.ts';
import { fail } from '../terminal/terminal.ts';

const SIGNS = ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'AI_AGENT'];

/** The exit code of a refusal; null: nothing speaks against it. */
export function refusedToAgents(command: string, env: NodeJS.ProcessEnv = process.env): number | null {
  const sign = SIGNS.find((name) => env[name]);
  if (sign === undefined) return null;
  return fail(
    `${command} is for a person, and this is the shell of an agent (${sign} is set).`,
    'type it in a terminal of your own.',
    EXIT.failed,
  );
}
