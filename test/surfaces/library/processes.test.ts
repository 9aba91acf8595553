/**
 * Several programs on one loop, and one that is killed in the middle of a judgement: nothing lost, nothing
 * counted twice.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claim, endPass, followJournal, loopStatus, startLoop } from '#surfaces/library/index.ts';

const LIBRARY = pathToFileURL(resolve(import.meta.dirname, '../../../dist/index.js')).href;

let dir: string;
let project: string;
let env: Record<string, string>;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-processes-')));
  project = join(dir, 'project');
  mkdirSync(project);
  env = { DACAPO_HOME: join(dir, 'home'), PATH: process.env['PATH'] ?? '' };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function start(check: string): Promise<string> {
  const started = await startLoop({ project, prompt: 'Fix it.', checks: [check], env });
  if (!started.ok) throw new Error(started.message);
  return started.loop.id;
}

/** A program that claims, and prints the decision. */
function program(loop: string, summary: string): ChildProcess {
  const code = `import { claim } from ${JSON.stringify(LIBRARY)};
    const judged = await claim(${JSON.stringify({ loop, summary })});
    console.log(judged.ok ? judged.decision : judged.code);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: project, env });
}

async function printed(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((ended) => child.on('close', ended));
  return text.trim();
}

async function types(loop: string): Promise<string[]> {
  const journal = await followJournal({ loop, untilEnded: false, signal: AbortSignal.timeout(500), env });
  const seen: string[] = [];
  if (journal.ok) for await (const { event } of journal.events) seen.push(event.type);
  return seen;
}

describe('several programs', () => {
  it('judge each claim once, one after the other', async () => {
    const loop = await start('sleep 0.2; false');
    const answers = await Promise.all(['one', 'two', 'three'].map((words) => printed(program(loop, words))));
    expect(answers).toEqual(['continue', 'continue', 'continue']);
    const seen = await types(loop);
    expect(seen.filter((type) => type === 'verdict')).toHaveLength(3);
    expect(await loopStatus({ loop, env })).toMatchObject({ loop: { iteration: 4 } });
  });
});

describe('a program that is killed while its check runs', () => {
  it('leaves a loop that the next one goes on with; the stop is lost and spends nothing', async () => {
    // The start runs the check as well, and should not wait.
    const loop = await start(
      'test -f begun || exit 1; touch running; test -f done || sleep 30; test -f done',
    );
    writeFileSync(join(project, 'begun'), '');
    const child = program(loop, 'Done.');
    await expect.poll(() => existsSync(join(project, 'running')), { timeout: 10_000 }).toBe(true);
    child.kill('SIGKILL');
    await printed(child);
    writeFileSync(join(project, 'done'), '');
    expect(await endPass({ loop, message: 'Half.', env })).toMatchObject({ ok: true });
    const seen = await types(loop);
    expect(seen).toContain('lost');
    expect(await claim({ loop, summary: 'Now.', env })).toMatchObject({ code: 'ended' });
    expect(await loopStatus({ loop, env })).toMatchObject({ loop: { status: 'completed', iteration: 1 } });
  });
});
