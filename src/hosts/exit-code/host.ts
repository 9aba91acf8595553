/**
 * Hosts that understand exit codes only, as idle-loop uses them: 2 goes on, or keeps a tool from being used; everything
 * else is 0. Which host it is nobody knows. Its payloads have the fields of Claude Code's, as those of most hosts do.
 */
import type { Answer, Arrival, Environment, Iteration } from '../arrival.ts';
import { readPayload } from '../claude-code/hook/payload.ts';
import type { Host, Output } from '../host.ts';
import type { HostLimits } from '../limits.ts';
import { EXIT_CODE } from '../names.ts';

const ALLOW = 0;
const BLOCK = 2;

/** What the most common hosts allow, as nobody can be asked. */
const LIMITS: HostLimits = { stopMs: 600_000, text: 9_000, lagMs: 250 };

export const exitCode: Host = { name: EXIT_CODE, limits: LIMITS, hear, encode };

function hear(payload: unknown, env: Environment): Arrival | null {
  const arrival = readPayload(payload, env);
  if (arrival === null) return null;
  const from = { ...arrival.from, host: EXIT_CODE, limits: LIMITS };
  // Whether it has a cap on stops nobody knows, nor how it would be lifted.
  if (arrival.is === 'stop') return { ...arrival, from, cap: null };
  if (arrival.is === 'command') return { ...arrival, from, cap: null, liftCap: null };
  return { ...arrival, from };
}

function encode(answer: Answer): Output {
  switch (answer.is) {
    case 'silence':
      return { stdout: '', stderr: '', exit: ALLOW };
    case 'tell':
      return { stdout: '', stderr: line(answer.toPerson), exit: ALLOW };
    case 'brief':
      return { stdout: line(answer.toAgent), stderr: line(answer.toPerson), exit: ALLOW };
    case 'deny':
      return { stdout: '', stderr: line(answer.toAgent), exit: BLOCK };
    case 'close':
      return { stdout: '', stderr: line(answer.toPerson), exit: BLOCK };
    // Some hosts give the model what stands on stderr, others the reason, and none gives it both.
    case 'continue': {
      const reason = `${sentence(answer.iteration)}\n\n${answer.toAgent}`;
      return {
        stdout: `{"decision": "block", "reason": ${JSON.stringify(reason)}}`,
        stderr: line(answer.toAgent),
        exit: BLOCK,
      };
    }
  }
}

/** Word for word as idle-loop says it: programs look for its beginning. */
function sentence({ n, of }: Iteration): string {
  return `[ITERATION ${n}/${of ?? 'unlimited'}] Continue working on the task. Check your progress and either complete the task or keep iterating.`;
}

function line(words: string | null): string {
  return words === null || words === '' ? '' : `${words}\n`;
}
