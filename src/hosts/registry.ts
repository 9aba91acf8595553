/**
 * Who is calling? Several hosts read the settings and plugins of Claude Code and run the hooks that they find there, so
 * the hook has to know its caller. A host without an adapter gets no answer: an answer in another host's words would end
 * its turn, or be ignored.
 */
import { isRecord } from '../core/shape.ts';
import type { Environment } from './arrival.ts';
import { claudeCode } from './claude-code/hook/host.ts';
import { foreignHost } from './foreign.ts';
import type { Host } from './host.ts';

export type Caller =
  | { readonly is: 'known'; readonly host: Host }
  | { readonly is: 'foreign'; readonly name: string };

export function callerOf(payload: unknown, env: Environment): Caller {
  const fields = isRecord(payload) ? payload : {};
  // One host may be started in the shell of another, and then inherits its variables. This pair can't be inherited.
  const isCertain = fields['session_id'] === env['CLAUDE_CODE_SESSION_ID'];
  const name = isCertain ? null : foreignHost(fields, env);
  return name === null ? { is: 'known', host: claudeCode } : { is: 'foreign', name };
}
