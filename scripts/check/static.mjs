// What can be told without running a test: format, lint, arrows between the floors, types, unused code. Two
// at a time, and what a check prints is shown when it has ended. Exits 1 if one fails.

import { spawn } from 'node:child_process';
import { root } from '../root.mjs';

/** npm scripts, the longest first: then no core is left idle. */
const CHECKS = ['types', 'unused', 'lint', 'arrows', 'format'];
const AT_A_TIME = 2;

const waiting = [...CHECKS];
const failed = [];
await Promise.all(Array.from({ length: AT_A_TIME }, runChecks));
if (failed.length > 0) console.error(`static: ${failed.join(', ')} failed`);
process.exit(failed.length > 0 ? 1 : 0);

async function runChecks() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const began = performance.now();
    const { status, output } = await npmRun(name);
    const took = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`static: ${name} ${status === 0 ? 'is fine' : 'FAILED'} (${took} s)`);
    if (status === 0) continue;
    failed.push(name);
    console.log(output);
  }
}

function npmRun(name) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' };
  const child = spawn('npm', ['run', '--silent', name], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ status: 1, output: message }));
    child.once('close', (status) => resolve({ status, output }));
  });
}
