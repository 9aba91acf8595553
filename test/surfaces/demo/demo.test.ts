// @module-tag slow
/** `dacapo demo`, the README's first command: the whole story, with both agents, and nothing left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import type { DemoEvent } from '#surfaces/demo/demo-event.ts';
import { CLAUDE, CLI, makeBox, type Box } from '../cli/box.ts';
import { processesBelow } from '../../processes.ts';

/** With a folder for temporary files of its own, to see what stays in it. */
function stage(): { box: Box; tmp: string; env: Record<string, string> } {
  const box = makeBox();
  const tmp = join(box.root, 'tmp');
  mkdirSync(tmp);
  return { box, tmp, env: { TMPDIR: tmp, DACAPO_CLAUDE: CLAUDE } };
}

function happenings(stdout: string): DemoEvent[] {
  return stdout
    .trim()
    .split('\n')
    .map((line): DemoEvent => JSON.parse(line));
}

describe.each(['claude', 'scripted'] as const)('%s', (agent) => {
  test(
    'a claim that is refused, a changed test that does not help, a proof that holds',
    { timeout: 60_000 },
    () => {
      const { box, tmp, env } = stage();
      const ran = box.run(['demo', '--agent', agent, '--json'], env);
      expect(ran.stderr).toBe('');
      expect(ran.code).toBe(0);
      const all = happenings(ran.stdout);
      expect(all[0]).toMatchObject({ is: 'begun', agent });
      const judged = all.filter((one) => one.is === 'judged');
      expect(judged).toMatchObject([
        {
          iteration: 1,
          verdict: { is: 'continue', missing: [{ gate: 'check', outcome: 'failed with exit code 1' }] },
          proofs: [
            { outcome: { is: 'failed', exit: 1, tail: expect.stringContaining('gives ["a","[b","c]"]') } },
          ],
        },
        {
          iteration: 2,
          verdict: { is: 'continue', missing: [{ gate: 'ground' }] },
          proofs: [{ outcome: { is: 'passed' } }],
        },
        { iteration: 3, verdict: { is: 'complete' }, proofs: [{ outcome: { is: 'passed' } }] },
      ]);
      expect(all.filter((one) => one.is === 'used').map(({ tool }) => tool)).toEqual([
        'Read',
        'Edit',
        'Read',
        'Edit',
        'Edit',
      ]);
      expect(all.at(-1)).toMatchObject({ is: 'ended', status: 'completed' });
      const journal = all.find((one) => one.is === 'journal');
      expect(journal?.events.filter(({ type }) => type === 'verdict')).toHaveLength(3);
      // Each word in its place: what the agent said stands before what Da Capo made of it.
      const order = all.map(({ is }) => is).filter((is) => is === 'said' || is === 'judged');
      expect(order).toEqual(['said', 'judged', 'said', 'judged', 'said', 'said', 'judged']);
      expect(readdirSync(tmp)).toEqual([]);
      expect(readdirSync(box.dacapoHome)).toEqual(['cache']);
      expect(existsSync(join(box.home, '.claude'))).toBe(false);
    },
  );

  test(
    'reads well without a terminal: plain text, the journal, the result, the next step',
    { timeout: 60_000 },
    () => {
      const { box, env } = stage();
      const { stdout, code } = box.run(['demo', '--agent', agent], env);
      expect(code).toBe(0);
      expect(stdout).not.toContain('\u001b');
      const words = [
        'Iteration 1',
        'check `npm test` failed with exit code 1',
        `│ parse('[a, [b, c]]') gives ["a","[b","c]"]`,
        'Iteration 2',
        'edits parser.test.mjs',
        "You can't finish by changing them",
        'Iteration 3',
        'edits parser.mjs',
        '✓ check `npm test` passed',
        'The journal of this loop',
        'completed after 3 iterations',
        // `npm run demo` comes before the command is installed.
        'npm install -g ',
        'dacapo start "Make the tests pass"',
        'dacapo init',
        '/ralph Make the tests pass --check "npm test"',
      ];
      const places = words.map((word) => stdout.indexOf(word));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(160);
    },
  );
});

/** What a demo says first. It is ended then: those above tell how it goes on. */
async function beginning(box: Box, env: Record<string, string>): Promise<DemoEvent | undefined> {
  const child = spawn(process.execPath, [CLI, 'demo', '--json'], {
    cwd: box.project,
    env: { ...box.env, ...env },
  });
  const ended = once(child, 'close');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  child.kill('SIGINT');
  await ended;
  return happenings(line)[0];
}

test('without Claude Code the scripted agent plays by itself', { timeout: 60_000 }, async () => {
  const { box, env } = stage();
  const fake = box.write('claude', 'no program');
  // DACAPO_CLAUDE is wrong, but one lies beside the package: the demo takes that.
  expect(await beginning(box, { ...env, DACAPO_CLAUDE: fake })).toMatchObject({
    is: 'begun',
    agent: 'claude',
  });
  expect(box.run(['demo', '--agent', 'claude'], { ...env, DACAPO_CLAUDE: '/bin/true' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--agent scripted'),
  });
  expect(
    happenings(box.run(['demo', '--json'], { ...env, DACAPO_CLAUDE: '/bin/true' }).stdout)[0],
  ).toMatchObject({ agent: 'scripted' });
});

test(
  "npm's own claude, which is empty without its install script, hides no real one",
  { timeout: 60_000 },
  async () => {
    const { box, tmp } = stage();
    const bin = join(box.root, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'claude'),
      '#!/bin/sh\necho "Error: claude native binary not installed." >&2\nexit 1\n',
    );
    chmodSync(join(bin, 'claude'), 0o755);
    const begun = await beginning(box, { TMPDIR: tmp, PATH: `${bin}:${box.env['PATH'] ?? ''}` });
    expect(begun).toMatchObject({ is: 'begun', agent: 'claude' });
  },
);

test.each(['claude', 'scripted'])(
  'a reader that leaves (| head) leaves nothing behind: %s',
  { timeout: 60_000 },
  async (agent) => {
    const { box, tmp, env } = stage();
    const child = spawn(process.execPath, [CLI, 'demo', '--agent', agent, '--json'], {
      cwd: box.project,
      env: { ...box.env, ...env },
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toBe(0);
    expect(readdirSync(tmp)).toEqual([]);
    expect(processesBelow(tmp)).toEqual([]);
  },
);

test(
  'a host that does not call the hook is said, and the scripted agent plays instead',
  { timeout: 60_000 },
  () => {
    const { box, tmp, env } = stage();
    const deaf = box.write('deaf', '#!/bin/sh\necho "2.1.325 (Claude Code)"\n');
    chmodSync(deaf, 0o755);
    const ran = box.run(['demo', '--json'], { ...env, DACAPO_CLAUDE: deaf });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('did not call the hook');
    expect(happenings(ran.stdout).at(-1)).toMatchObject({ status: 'completed' });
    expect(box.run(['demo', '--agent', 'claude'], { ...env, DACAPO_CLAUDE: deaf }).code).toBe(1);
    expect(readdirSync(tmp)).toEqual([]);
  },
);

test('--keep keeps the project and says where', { timeout: 60_000 }, () => {
  const { box, tmp, env } = stage();
  const ran = box.run(['demo', '--agent', 'scripted', '--keep'], env);
  const [kept] = readdirSync(tmp);
  expect(ran.stderr).toContain(join(tmp, String(kept)));
  expect(readFileSync(join(tmp, String(kept), 'project', 'parser.mjs'), 'utf8')).toContain('JSON.parse');
});

test.each(['claude', 'scripted'])('Ctrl-C leaves nothing behind: %s', { timeout: 60_000 }, async (agent) => {
  const { box, tmp, env } = stage();
  const child = spawn(process.execPath, [CLI, 'demo', '--agent', agent, '--json'], {
    cwd: box.project,
    env: { ...box.env, ...env },
  });
  let stdout = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (stdout.includes('"judged"')) resolve();
    });
  });
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(readdirSync(tmp)).toEqual([]);
  expect(processesBelow(tmp)).toEqual([]);
});
