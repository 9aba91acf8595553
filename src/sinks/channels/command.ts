/** Runs a command of the user's own, with the payload on its standard input. Only the user's config can name one. */
import { homedir } from 'node:os';
import type { CommandTarget } from '../../flags/notify-target.ts';
import type { Sending, Sent } from './channel.ts';
import { runProgram } from './run-program.ts';

const TIMEOUT_MS = 30_000;

export async function sendCommand({ command }: CommandTarget, sending: Sending): Promise<Sent> {
  const { title, text, payload } = sending.message;
  const { DACAPO_NOTIFY_SECRET: _, ...env } = sending.env;
  const ran = await runProgram(
    {
      command,
      input: `${JSON.stringify(payload)}\n`,
      env: {
        DACAPO_EVENT: payload.event,
        DACAPO_LOOP: payload.loop,
        DACAPO_PROJECT: payload.project,
        DACAPO_TITLE: title,
        DACAPO_TEXT: text,
      },
    },
    // Not in the project: a relative path in the command must not mean a file of the agent's.
    { env, timeoutMs: TIMEOUT_MS, cwd: homedir() },
  );
  switch (ran.is) {
    case 'ended':
      if (ran.exit === 0) return { ok: true, detail: 'exit code 0' };
      // Not again: it may have done half of its work.
      return { ok: false, detail: `exit code ${ran.exit}${ran.says && `: ${ran.says}`}`, again: false };
    case 'missing':
      return { ok: false, detail: 'there is no shell', again: false };
    case 'timed-out':
      return { ok: false, detail: `took longer than ${TIMEOUT_MS / 1_000} s`, again: false };
  }
}
