// A whole agent flow without a host: a task, a stop hook, iterations, validation, completion.
//
//   node examples/agent-loop.mjs
//
// The "agent" is the function `work`. Da Capo keeps the loop: it counts the iterations, runs the check, and decides when the
// task is done. Everything happens in a temporary folder.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  claim,
  block,
  createRegistry,
  endPass,
  evaluatePromises,
  loopStatus,
  note,
  runValidationRules,
  startLoop,
} from 'dacapo';

const folder = mkdtempSync(join(tmpdir(), 'dacapo-example-'));
const project = join(folder, 'project');
mkdirSync(project);
process.env.DACAPO_HOME = join(folder, 'home');

const TEST = 'node sum.test.mjs';
writeFileSync(
  join(project, 'sum.test.mjs'),
  `import assert from 'node:assert'; import { sum } from './sum.mjs'; assert.equal(sum(2, 3), 5);\n`,
);

/** What the agent does in an iteration, and what it says at the end. */
const work = [
  () => {
    writeFileSync(join(project, 'sum.mjs'), 'export const sum = (a, b) => a - b;\n');
    return 'I wrote sum.mjs.\n\n<promise>COMPLETE</promise>';
  },
  () => {
    writeFileSync(join(project, 'sum.mjs'), 'export const sum = (a, b) => a + b;\n');
    return 'I mended it.\n\n<promise>COMPLETE</promise>';
  },
];

// 1. The task. Its test may not be changed, and has to pass.
const started = await startLoop({
  project,
  prompt: 'Write sum.mjs, so that its test passes.',
  promise: 'COMPLETE',
  checks: [TEST],
  protect: ['*.test.mjs'],
  maxIterations: 10,
});
assert.ok(started.ok, started.message);
const taskId = started.loop.id;
assert.match(started.brief, /Write sum\.mjs/);

// 2. A stop hook for it: promises first, then validation.
const hooks = createRegistry();
hooks.createDefaultHook(taskId);

// 3. The iterations.
const signals = [];
for (const act of work) {
  const { loop } = await loopStatus({ loop: taskId });
  const agentOutput = act();

  // Validate: rules, promises, hooks. Nothing is recorded yet.
  const { results } = await runValidationRules({
    loop: taskId,
    output: agentOutput,
    rules: [
      { name: 'tests_pass', type: 'command', command: TEST },
      { name: 'written', type: 'file-exists', file: 'sum.mjs' },
      { name: 'lint', type: 'command', command: 'npx some-linter' },
    ],
  });
  // The user allowed no other command than the check of the loop.
  assert.equal(results[2].state, 'not-run');
  const { promises } = await evaluatePromises(agentOutput, ['COMPLETE', 'BLOCKED']);
  const { action } = await hooks.evaluate({
    taskId,
    iteration: loop.iteration,
    executionPhase: null,
    filesModified: ['sum.mjs'],
    validationResults: results.slice(0, 2).map(({ ruleName, passed, message }) => ({
      ruleName,
      passed: passed === true,
      message,
    })),
    completionPromises: promises.map((promise) => ({ ...promise })),
    agentOutput,
  });

  // Complete, escalate or continue. Da Capo proves a claim itself, whatever the hook believes.
  const judged =
    action === 'complete'
      ? await claim({ loop: taskId, summary: agentOutput })
      : action === 'escalate'
        ? await block({ loop: taskId, reason: 'The hook asks for a person.' })
        : await endPass({ loop: taskId, message: agentOutput });
  assert.ok(judged.ok, judged.message);
  signals.push(judged.decision);
  if (judged.decision !== 'continue') break;

  // What is missing goes to the agent, and a lesson to its later passes.
  assert.match(judged.toAgent, /node sum\.test\.mjs/);
  await note({ loop: taskId, text: 'sum.mjs subtracts.' });
}
assert.deepEqual(signals, ['continue', 'complete']);

// 4. The end.
assert.equal(hooks.clear(taskId), 1);
const { loop, notes } = await loopStatus({ loop: taskId });
assert.equal(loop.status, 'completed');
assert.equal(loop.iteration, 2);
assert.deepEqual(
  notes.map(({ words }) => words),
  ['sum.mjs subtracts.'],
);
rmSync(folder, { recursive: true });
console.log(`${loop.status} after ${loop.iteration} iterations`);
