/**
 * The hook program with garbage on stdin: it always exits 0, says one JSON document or nothing, and is silent
 * on stderr.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProgram, said, type Program } from '../programs/program.ts';
import { chance, mutated, type Chance } from './mutate.ts';

/** A process costs a thousand times what a call costs. */
const INPUTS = Math.ceil(Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 30_000) / 1_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
const SLOWEST_MS = 5_000;

let program: Program;
beforeAll(async () => {
  program = makeProgram();
  await program.start(
    'Do it --check true --completion-promise DONE --max-iterations 100000 --max-stalls off --protect "x/**"',
  );
});
afterAll(() => program.close());

const VALUES: [unknown, ...unknown[]] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  'x'.repeat(5_000),
  '\u001B[2K\0',
  '..',
  [],
  {},
  [[]],
];

function payloadOf(by: Chance): string {
  const samples: [string, ...string[]] = [
    JSON.stringify(program.stopped('Still at it.')),
    JSON.stringify(program.payload('PreToolUse', { tool_name: 'Write', tool_input: { file_path: 'x/a' } })),
    JSON.stringify(program.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm x/a' } })),
    JSON.stringify(program.command('dacapo:ralph-status')),
    JSON.stringify(program.payload('SessionStart', { source: 'resume' })),
    JSON.stringify(program.payload('UserPromptSubmit', { prompt: 'go on' })),
  ];
  if (by.below(2) === 0) return mutated(samples, ['"session_id":', '{}', '[]'], by);
  const fields = JSON.parse(by.of(samples)) as Record<string, unknown>;
  const names: [string, ...string[]] = ['extra', ...Object.keys(fields)];
  return JSON.stringify({ ...fields, [by.of(names)]: by.of(VALUES) });
}

test(`${INPUTS} payloads of seed ${SEED}`, { timeout: 60_000 + INPUTS * 500 }, async () => {
  const by = chance(SEED);
  for (let n = 0; n < INPUTS; n++) {
    const input = payloadOf(by);
    const began = performance.now();
    const run = await program.run(input);
    expect(() => said(run)).not.toThrow();
    expect({ input, late: performance.now() - began > SLOWEST_MS }).toEqual({ input, late: false });
  }
  // No JSON, or a session whose id is longer than a file may be called: that is let through. Nothing else is.
  const failures = program.log().match(/failed open: .*/g) ?? [];
  expect(failures.filter((line) => !/: SyntaxError|ENAMETOOLONG/.test(line))).toEqual([]);
});
