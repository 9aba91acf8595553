// What stop hooks cost in a program: memory per hook, and the time of one evaluation. These are figures to
// read, never a test. Run it with: node --expose-gc bench/stop-hooks.mjs

import { createRegistry } from '../dist/index.js';

const MANY = 10_000;
const { gc } = globalThis;
if (gc === undefined) {
  console.error('run it with node --expose-gc');
  process.exit(1);
}

const KINDS = {
  'a preset, each for a task of its own': (registry, k) => registry.createDefaultHook(`T${k}`),
  'a preset, all for one task': (registry) => registry.createDefaultHook('T'),
  'a callback of your own': (registry, k) =>
    registry.registerStopHook({ taskId: `T${k}` }, () => ({ action: 'continue', reason: String(k) })),
};

/** All stay alive: memory that is freed in between would spoil the next figure. */
const alive = [];
for (const [name, make] of Object.entries(KINDS)) {
  const before = used();
  const registry = createRegistry();
  alive.push(registry);
  for (let k = 0; k < MANY; k++) make(registry, k);
  const bytes = (used() - before) / MANY;
  console.log(`${name.padEnd(40)} ${Math.round(bytes)} bytes a hook`);
}

const registry = createRegistry();
for (let k = 0; k < 10; k++) registry.createValidationHook('T');
const context = {
  taskId: 'T',
  iteration: 1,
  executionPhase: null,
  filesModified: [],
  validationResults: [],
  completionPromises: [],
};
const times = [];
for (let k = 0; k < 1_000; k++) {
  const began = performance.now();
  await registry.evaluate(context);
  times.push(performance.now() - began);
}
times.sort((a, b) => a - b);
console.log(
  `${'one evaluation of 10 hooks'.padEnd(40)} ${Math.round((times[500] ?? 0) * 1_000)} µs (median of 1,000)`,
);

function used() {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
