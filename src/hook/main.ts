/**
 * The hook program: one arrival on stdin, at most one JSON document on stdout, always exit 0. It fails open: whatever
 * goes wrong inside, the host gets an answer that lets the session stop, and the log says why.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../core/sanitize.ts';
import { hear } from '../hearing/hear.ts';
import { isAlive, isDisabled, isDriven, type Runtime } from '../store/runtime.ts';
import { claudeCode } from '../hosts/claude-code/hook/host.ts';
import type { Answer, Arrival } from '../hosts/host.ts';
import { findHome } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import { logSink } from '../sinks/log.ts';
import { tellingStore } from '../sinks/telling.ts';
import { logTo } from './log.ts';

const STDIN = 0;
const STDOUT = 1;
/** How a pass of `dacapo run` calls this program (plugin/guard). */
const GUARD = 'guard';

async function main(): Promise<void> {
  const env = process.env;
  if (isDisabled(env)) return;
  // The driver brings the guard along: what is installed as well would only do it twice.
  if (isDriven(env) && process.argv[2] !== GUARD) return;
  const now = () => new Date().toISOString();
  const home = findHome(env, process.platform);
  const log = logTo(home.log, now);
  let arrival: Arrival | null = null;
  try {
    arrival = claudeCode.hear(JSON.parse(readFileSync(STDIN, 'utf8')), env);
    if (arrival === null) return;
    const started = new Date(Date.now() - process.uptime() * 1000).toISOString();
    const world: Runtime = {
      store: tellingStore(fileStore(home), () => [logSink(log)]),
      env,
      now,
      log,
      isAlive,
      process: process.pid,
      started,
      runner: join(__dirname, 'runner.cjs'),
    };
    say(await hear(arrival, world), arrival);
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    log(`failed open: ${stack ?? message}`);
    // The log may be what can't be written.
    if (arrival !== null) say({ is: 'tell', toPerson: `Da Capo failed: ${oneLine(message, 300)}` }, arrival);
  }
}

function say(answer: Answer, arrival: Arrival): void {
  const said = claudeCode.encode(answer, arrival);
  // Not process.stdout: its stream costs 3 ms to set up.
  if (said !== '') writeSync(STDOUT, said);
}

const end = () => process.exit(0);
void main().then(end, end);
