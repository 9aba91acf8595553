// Asks how a stop would be judged, without ending anything: for a tool that an agent may call as often as it likes.
//
//   node examples/rehearse.mjs

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cancelLoop, claim, loopStatus, startLoop } from 'dacapo';

const folder = mkdtempSync(join(tmpdir(), 'dacapo-example-'));
const project = join(folder, 'project');
mkdirSync(project);
process.env.DACAPO_HOME = join(folder, 'home');

const started = await startLoop({ project, prompt: 'Write done.txt.', checks: ['test -f done.txt'] });
assert.ok(started.ok, started.message);
const loop = started.loop.id;

const steps = [];
const ask = () =>
  claim({
    loop,
    summary: 'Done.',
    rehearse: true,
    signal: AbortSignal.timeout(60_000),
    progress: (what, how) => steps.push(`${what} ${how ?? 'begins'}`),
  });

const early = await ask();
assert.ok(early.ok, early.message);
assert.equal(early.decision, 'continue');
assert.equal(early.recorded, 'no');
assert.deepEqual(early.missing, ['check `test -f done.txt` failed with exit code 1']);

writeFileSync(join(project, 'done.txt'), '');
const now = await ask();
assert.ok(now.ok, now.message);
assert.equal(now.decision, 'complete');
assert.equal(steps.length, 4);

// Nothing has happened to the loop.
const status = await loopStatus({ loop });
assert.ok(status.ok, status.message);
assert.equal(status.loop.status, 'running');
assert.equal(status.loop.iteration, 1);

// What can't be done is a value, never an exception.
assert.equal((await claim({ loop: 'RALPH_20260101_none', summary: 'Done.' })).code, 'no-loop');
assert.equal((await claim({ loop, summry: 'Done.' })).code, 'bad-request');

assert.deepEqual(await cancelLoop({ loop }), { ok: true, cancelled: true });
rmSync(folder, { recursive: true });
console.log(`${early.decision}, then ${now.decision}`);
