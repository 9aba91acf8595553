// Follows the journal of a loop while it runs, as a dashboard or a notifier would.
//
//   node examples/follow.mjs

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim, followJournal, startLoop } from 'dacapo';

const folder = mkdtempSync(join(tmpdir(), 'dacapo-example-'));
const project = join(folder, 'project');
mkdirSync(project);
process.env.DACAPO_HOME = join(folder, 'home');

const started = await startLoop({ project, prompt: 'Write done.txt.', checks: ['test -f done.txt'] });
assert.ok(started.ok, started.message);
const loop = started.loop.id;

const journal = await followJournal({ loop });
assert.ok(journal.ok, journal.message);
const seen = [];
const reading = (async () => {
  // Ends with the loop.
  for await (const { n, event } of journal.events)
    seen.push(event.type === 'verdict' ? `${n} ${event.verdict.is}` : `${n} ${event.type}`);
})();

await claim({ loop, summary: 'Done, I think.' });
writeFileSync(join(project, 'done.txt'), '');
await claim({ loop, summary: 'Now it is there.' });
await reading;

assert.deepEqual(
  seen.map((line) => line.split(' ')[1]),
  ['created', 'bound', 'said', 'stop', 'continue', 'said', 'stop', 'complete'],
);
rmSync(folder, { recursive: true });
console.log(seen.join('\n'));
