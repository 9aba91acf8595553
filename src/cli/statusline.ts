/**
 * `dacapo statusline`: prints the line for Claude Code's status bar. The host calls it often, so without a loop it
 * reads only one small file. On any error it prints nothing and exits with 0, because the host shows whatever it
 * prints.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isRecord } from '../core/shape.ts';
import { loopById } from '../operations/look/loops.ts';
import { statusLine } from '../text/status-line.ts';
import { cliWorld } from './runtime.ts';
import { printable } from './terminal/printable.ts';

/** The person's own status line may query git in a large repository. */
const OWN_MS = 10_000;
const BETWEEN = '  ';

export function runStatusline(words: readonly string[]): void {
  const input = attempt(() => readFileSync(0, 'utf8')) ?? '';
  const ours = printable(attempt(() => lineOfLoop(input)) ?? '', true);
  const theirs = attempt(() => ownLine(words, input)) ?? '';
  const line = [ours, theirs].filter(Boolean).join(BETWEEN);
  if (line !== '') process.stdout.write(`${line}\n`);
}

function lineOfLoop(input: string): string | null {
  const told: unknown = JSON.parse(input);
  if (!isRecord(told) || typeof told['session_id'] !== 'string') return null;
  const session = told['session_id'];
  const world = cliWorld();
  const entry = world.store.sessions.find(session);
  const loop = entry === null ? null : loopById(entry.loop, world);
  if (loop === null || loop.owner?.session !== session) return null;
  return statusLine(loop, world.now(), sessionCost(told['cost']));
}

function sessionCost(cost: unknown): number | null {
  const usd = isRecord(cost) ? cost['total_cost_usd'] : null;
  return typeof usd === 'number' && Number.isFinite(usd) ? usd : null;
}

/** The output of the command that was the status line before, given the same input. */
function ownLine(words: readonly string[], input: string): string {
  const own = words[0] === '--own' ? (words[1] ?? '') : '';
  if (own === '') return '';
  const { stdout } = spawnSync(own, {
    shell: true,
    input,
    encoding: 'utf8',
    timeout: OWN_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return (stdout ?? '').replace(/\n+$/, '');
}

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
