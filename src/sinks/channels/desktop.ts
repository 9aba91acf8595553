/** Shows a message on the desktop, with the program that each system has for that. */
import type { Sending, Sent } from './channel.ts';
import { desktopPrograms, sayMissing } from './desktop-programs.ts';
import { runProgram } from './run-program.ts';

const TIMEOUT_MS = 15_000;

/** The first program that is there shows it. */
export async function sendDesktop({ message, env, platform }: Sending): Promise<Sent> {
  const programs = desktopPrograms(message, platform, env);
  for (const program of programs) {
    const ran = await runProgram(program, { env, timeoutMs: TIMEOUT_MS });
    if (ran.is === 'ended' && ran.exit === 0) return { ok: true, detail: program.command };
    if (ran.is === 'missing') continue;
    const detail =
      ran.is === 'ended' ? `failed with exit code ${ran.exit}${ran.says && `: ${ran.says}`}` : 'hung';
    return { ok: false, detail: `${program.command} ${detail}`, again: false };
  }
  return { ok: false, detail: sayMissing(programs), again: false };
}
