// Runs inside Windows: starts one program after the other, and writes down what each said.
//
//   node steps.mjs ORDER TOLD
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { env, execPath } from 'node:process';

const [order, written] = process.argv.slice(2);
const { steps, place, cwd } = JSON.parse(readFileSync(order, 'utf8'));
const { PATH, ...system } = env;
const told = [];
for (const { program = execPath, args, input = '', env: more = {}, spells = 'Path', before = '' } of steps) {
  const given = { ...system, ...place, ...more, [spells]: before === '' ? PATH : `${before};${PATH}` };
  const options = { cwd, env: given, input, encoding: 'utf8', timeout: 60_000 };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  told.push({ code: status, stdout: stdout ?? '', stderr: stderr || (error?.message ?? '') });
  writeFileSync(written, JSON.stringify(told));
}
