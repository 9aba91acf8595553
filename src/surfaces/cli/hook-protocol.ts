/**
 * `dacapo hook --protocol NAME`: reads one arrival from stdin and answers it for the named host. It fails
 * open.
 */
import { readFileSync, writeSync } from 'node:fs';
import { RUNNER, SENDER } from '#base/process/package.ts';
import { printFailure } from '#base/process/print-failure.ts';
import { hearArrival } from '#engine/hearing/hear.ts';
import { logTo, ignoreForeignHome, findHome } from '#store/file/home.ts';
import { NO_OUTPUT, type Host, type Output } from '#hosts/port/arrival.ts';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { PROTOCOLS } from '#hosts/tables/protocols.ts';
import { isDisabled, isDriven, passOf } from '#store/runtime.ts';
import { processRuntime } from '#engine/process-runtime.ts';

export async function runProtocol(protocol: string, env: NodeJS.ProcessEnv): Promise<number> {
  const host = PROTOCOLS.find(({ name }) => name === protocol);
  if (host === undefined)
    return printFailure(
      `there is no protocol ${JSON.stringify(protocol)}.`,
      `leave --protocol out, or give ${PROTOCOLS.map(({ name }) => name).join(' or ')}.`,
      process.argv,
    );
  const { stdout, stderr, exit } = await runHook(host, env);
  if (stdout !== '') writeSync(1, stdout);
  if (stderr !== '') writeSync(2, stderr);
  return exit;
}

async function runHook(host: Host, env: NodeJS.ProcessEnv): Promise<Output> {
  if (isDisabled(env)) return NO_OUTPUT;
  ignoreForeignHome(projectOfAgent(process.env));
  const runtime = processRuntime({ env, runner: RUNNER, sender: SENDER });
  const log = logTo(findHome(env, process.platform).log, runtime.now);
  try {
    const arrival = host.readArrival(JSON.parse(readFileSync(0, 'utf8')), env);
    // In a pass of `dacapo run` the driver hears the rest.
    if (arrival === null || (isDriven(env) && arrival.is !== 'tool')) return NO_OUTPUT;
    const makeRuntime = () => ({ ...runtime, log });
    return host.encode(await hearArrival(arrival, runtime.store, makeRuntime, passOf(env)), arrival);
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    log(`failed open: ${stack ?? message}`);
    return { ...NO_OUTPUT, stderr: `Da Capo failed: ${message}\n` };
  }
}
