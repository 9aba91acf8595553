/**
 * The program of the hook: reads one arrival from stdin and answers in the format of the calling host. It
 * fails open: on any error the host gets an answer that lets the session stop, and the log says why.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '#base/words/sanitize.ts';
import { hearArrival } from '#engine/hearing/hear.ts';
import { isDisabled, isDriven, passOf } from '#store/runtime.ts';
import { callerOf } from '#hosts/tables/registry.ts';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { ignoreForeignHome, findHome, logTo, lookupIn } from '#store/file/home.ts';
import { type Arrival, NO_OUTPUT, type Host, type Output } from '#hosts/port/arrival.ts';
import { hookSinks } from '#engine/notices/tell-sinks.ts';
import { runtimeAt } from '#engine/process-runtime.ts';
import { sayTooOld } from '#base/process/node-version.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
/** The argument with which a pass of `dacapo run` calls this program (plugin/guard). */
const GUARD = 'guard';

async function main(): Promise<Output> {
  const env = process.env;
  if (isDisabled(env)) return NO_OUTPUT;
  // The driver registers the guard itself. An installed hook would do the same work twice.
  if (isDriven(env) && process.argv[2] !== GUARD) return NO_OUTPUT;
  const now = () => new Date().toISOString();
  ignoreForeignHome(projectOfAgent(process.env));
  const home = findHome(env, process.platform);
  const log = logTo(home.log, now);
  let heard: { readonly arrival: Arrival; readonly host: Host } | null = null;
  let isKnown = false;
  try {
    const payload: unknown = JSON.parse(readFileSync(STDIN, 'utf8'));
    const host = callerOf(payload, env);
    if (typeof host === 'string') {
      log(`called by another host (${host}): silent`);
      return NO_OUTPUT;
    }
    isKnown = true;
    const arrival = host.readArrival(payload, env);
    if (arrival === null) return NO_OUTPUT;
    heard = { arrival, host };
    const makeRuntime = () => {
      // A plugin and `dacapo init` may run the same file. They differ in the names of the commands.
      const registration = [...process.argv.slice(1), arrival.from.commands.resume].join(' ');
      const runner = join(__dirname, 'runner.cjs');
      return runtimeAt(home, { env, now, log, registration, runner }, hookSinks);
    };
    return host.encode(await hearArrival(arrival, lookupIn(home), makeRuntime, passOf(env)), arrival);
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    const old = sayTooOld(process.versions.node);
    log(`failed open: ${old ?? stack ?? message}`);
    // Tell the person too, because the log itself may be unwritable.
    const toPerson = `Da Capo failed: ${old ?? oneLine(message, 300)}`;
    if (heard !== null) return heard.host.encode({ is: 'tell', toPerson }, heard.arrival);
    // Nobody knows what arrived. Most hosts show this, whatever it was.
    return isKnown ? { ...NO_OUTPUT, stdout: JSON.stringify({ systemMessage: toPerson }) } : NO_OUTPUT;
  }
}

/** Writes to the descriptors directly, because the stream process.stdout takes 3 ms to set up. */
function end({ stdout, stderr, exit }: Output): void {
  if (stdout !== '') writeSync(STDOUT, stdout);
  if (stderr !== '') writeSync(STDERR, stderr);
  process.exit(exit);
}

void main()
  .then(end)
  .catch(() => process.exit(0));
