// A budget that can't be counted is said: it must never seem unspent.
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { continues } from '../programs/program.ts';
import { attackWorld, type AttackWorld } from './world.ts';

let messages = 0;

/** Some $22 on the dearest of the usual models. */
function useMuch(path: string): void {
  const usage = { input_tokens: 10, output_tokens: 1_500_000, cache_read_input_tokens: 0 };
  const message = { id: `m${++messages}`, model: 'claude-sonnet-4-5', usage };
  const row = { type: 'assistant', timestamp: new Date().toISOString(), message };
  appendFileSync(path, `${JSON.stringify(row)}\n`);
}

async function budgeted(limit: string): Promise<{ world: AttackWorld; transcript: string }> {
  const world = attackWorld({ here: true });
  const transcript = join(world.program.root, 'transcript.jsonl');
  writeFileSync(transcript, '');
  await world.ralph(`Fix it --completion-promise NEVER --max-stalls off ${limit}`);
  useMuch(transcript);
  expect(continues(await world.stop('one'))).toBe(true);
  return { world, transcript };
}

const HIDINGS: readonly [string, (path: string) => void][] = [
  ['is emptied', (path) => writeFileSync(path, '')],
  ['is cut', (path) => writeFileSync(path, '{}\n')],
  ['is rewritten, and is longer', (path) => writeFileSync(path, '{"type":"user"}\n'.repeat(1_000))],
  ['is removed', (path) => rmSync(path)],
  ['becomes a folder', (path) => (rmSync(path), mkdirSync(path))],
  ['becomes a link to nothing', (path) => (rmSync(path), symlinkSync('/nowhere', path))],
];

describe.each(['--max-cost 30', '--max-tokens 2000000'])('with %s', (limit) => {
  it('an honest transcript ends it at the second pass', async () => {
    const { world, transcript } = await budgeted(limit);
    useMuch(transcript);
    await world.stop('two');
    expect(world.status()).toBe('exhausted');
  });

  it.each(HIDINGS)('a transcript that %s is trouble', async (_how, hide) => {
    const { world, transcript } = await budgeted(limit);
    useMuch(transcript);
    hide(transcript);
    const answer = await world.stop('two');
    expect(continues(answer)).toBe(false);
    expect(answer?.systemMessage).toMatch(/transcript of the session .* can't be counted/);
    expect(world.status()).toBe('escalated');
  });
});

it('one that is not there at the first stop is counted at the second', async () => {
  const world = attackWorld();
  await world.ralph('Fix it --completion-promise NEVER --max-stalls off --max-cost 30');
  expect(continues(await world.stop('one'))).toBe(true);
  const transcript = join(world.program.root, 'transcript.jsonl');
  useMuch(transcript);
  useMuch(transcript);
  await world.stop('two');
  expect(world.status()).toBe('exhausted');
});

it('one that was never there is trouble', async () => {
  const world = attackWorld();
  await world.ralph('Fix it --completion-promise NEVER --max-cost 30');
  expect(continues(await world.stop('one'))).toBe(true);
  expect((await world.stop('two'))?.systemMessage).toContain('is not there');
  expect(world.status()).toBe('escalated');
});

it('work that is proven done is done, whatever became of the transcript', async () => {
  const world = attackWorld();
  await world.ralph('Fix it --check true --max-cost 30');
  await world.stop('All done.\n\n<promise>COMPLETE</promise>');
  expect(world.status()).toBe('completed');
});

it('without a budget nobody looks', async () => {
  const world = attackWorld();
  await world.ralph('Fix it --completion-promise NEVER');
  expect(continues(await world.stop('one'))).toBe(true);
});
