/**
 * How the plugins for pi and OpenCode reach Da Capo: `dacapo hook --protocol json` (docs/hosts.md), one process for each
 * question. It fails open: without an answer the host goes on as if Da Capo were not there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const HOOK = [CLI, 'hook', '--protocol', 'json'];
/** Longer than any check that a stop may wait for. */
const timeout = 600_000;

/** In a pass of `dacapo run` the driver hears the stops; the hook only guards. */
export const isDriven = process.env.DACAPO_DRIVEN === '1';

export function ask(question) {
  return new Promise((resolve) => {
    const child = spawn('node', HOOK, { stdio: ['pipe', 'pipe', 'ignore'], timeout, windowsHide: true });
    let told = '';
    child.on('error', () => resolve({}));
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (chunk) => (told += chunk));
    child.on('close', () => resolve(read(told)));
    child.stdin.end(JSON.stringify(question));
  });
}

/** Holds up the whole host. For those that wait for no promise. */
export function askNow(question) {
  const { stdout } = spawnSync('node', HOOK, { input: JSON.stringify(question), encoding: 'utf8', timeout });
  return read(stdout ?? '');
}

function read(told) {
  try {
    return JSON.parse(told) ?? {};
  } catch {
    return {};
  }
}
