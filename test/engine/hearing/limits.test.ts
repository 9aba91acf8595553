/** Money, tokens, progress and context, as a hearing counts them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Count, Look } from '#hosts/port/arrival.ts';
import { DONE, Stage, toAgent, toPerson } from './stage.ts';

const QUEUE = { offset: 0, waiting: 0 };
const idle = { look: (): Look => ({ queue: QUEUE, taken: false, toolUsed: false }) };
const counting = (costUsd: number, tokens: number, note: string | null = null) => ({
  count: (): Promise<Count> => Promise.resolve({ used: { costUsd, tokens }, note }),
});
const filled = (tokens: number) => ({
  look: (): Look => ({ queue: QUEUE, taken: false, toolUsed: true, context: { tokens, window: 200_000 } }),
});

describe('a budget', () => {
  it('ends the loop when its money is used up, and says so', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-cost 1');
    expect((await stage.stop('One.', counting(0.6, 10))).is).toBe('continue');
    const said = await stage.stop('Two.', counting(0.6, 10));
    expect(toPerson(said)).toContain(
      'budget of $1.00 used up after 2 iterations ($1.20, estimated from tokens)',
    );
    expect(stage.loop()).toMatchObject({
      status: { is: 'exhausted', limit: 'cost' },
      spent: { costUsd: 1.2, tokens: 20 },
    });
  });

  it('in tokens', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-tokens 1k');
    expect(toPerson(await stage.stop('One.', counting(0, 1_000)))).toContain('budget of 1k tokens used up');
  });

  it('what is done within the last cent is done', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-cost 1');
    await stage.stop(DONE, counting(5, 10));
    expect(stage.status()).toBe('completed');
  });

  it('is not counted for a loop that has none', async () => {
    const stage = new Stage();
    await stage.start('Write a poem');
    const count = () => Promise.reject(new Error('nobody asked'));
    expect((await stage.stop('One.', { count })).is).toBe('continue');
  });

  it('where the host tells with the stop what it used, that is recorded', async () => {
    const stage = new Stage();
    await stage.start('Write a poem');
    const used = { costUsd: 0.3, tokens: 7 };
    await stage.stop('One.', { look: () => ({ queue: QUEUE, taken: false, toolUsed: true, used }) });
    expect(stage.loop().spent).toEqual(used);
  });

  it('what the person should know of the count is said', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-cost 1');
    expect(toPerson(await stage.stop('One.', counting(0, 0, 'Unknown model.')))).toContain('Unknown model.');
  });
});

describe('no progress', () => {
  it('an agent that only asks is stopped, and the person is told to read', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-stalls 3');
    for (const words of ['Shall I?', 'Shall I, please?']) await stage.stop(words, idle);
    const said = toPerson(await stage.stop('May I?', idle));
    expect(stage.status()).toBe('stuck');
    expect(said).toContain('the same at 3 stops in a row, and no tool was called');
    expect(said).toContain('It may be waiting for you: read its last message.');
  });

  it('/resume-ralph half-opens the circuit: the same again opens it at once, a change closes it', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-stalls 2');
    for (const words of ['Shall I?', 'Please?']) await stage.stop(words, idle);
    const resumed = await stage.command('resume', '', { from: { prompt: 'p2' } });
    expect(toAgent(resumed)).toContain('Write a poem');
    expect(stage.status()).toBe('running');
    await stage.stop('Still waiting.', { ...idle, from: { prompt: 'p2' } });
    expect(stage.status()).toBe('stuck');

    await stage.command('resume', '', { from: { prompt: 'p3' } });
    await stage.stop('I wrote a line.', { from: { prompt: 'p3' } });
    await stage.stop('I rest.', { ...idle, from: { prompt: 'p3' } });
    expect(stage.status()).toBe('stuck');
    expect(stage.passes()).toBe(5);
  });

  it('with tool calls, the work tree decides', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q'], { cwd: stage.project });
    const check = 'echo 1 failed; exit 1';
    await stage.start(`Write a poem --check "${check}" --max-stalls 3`);
    const work = (n: number) => writeFileSync(join(stage.project, 'poem.txt'), `line ${n}`);
    for (let n = 1; n <= 6; n++) {
      work(n);
      expect((await stage.stop(`Pass ${n}.`)).is).toBe('continue');
    }
    // Whatever the agent calls now, it changes nothing.
    await stage.stop('Pass 7.');
    const said = toPerson(await stage.stop('Pass 8.'));
    expect(said).toContain(`check \`${check}\` failed with exit code 1`);
    expect(said).toContain('nothing changed in the work tree');
    expect(stage.status()).toBe('stuck');
  });

  it('is not looked for where it is off', async () => {
    const stage = new Stage();
    await stage.start('Write a poem --max-stalls off');
    for (let n = 1; n <= 15; n++) await stage.stop(`Text ${n}.`, idle);
    expect(stage.status()).toBe('running');
  });
});

describe('the context', () => {
  it('at 80 % the agent and the person are told, once, and again after a compaction', async () => {
    const stage = new Stage();
    await stage.start('Write a poem');
    expect(toAgent(await stage.stop('One.', filled(150_000)))).not.toContain('context');
    const warned = await stage.stop('Two.', filled(164_000));
    expect(toAgent(warned)).toContain('Your context is at 82 % of 200k');
    expect(toAgent(warned)).toContain('Note your progress');
    expect(toPerson(warned)).toContain('The context is at 82 % of 200k');
    expect(toAgent(await stage.stop('Three.', filled(170_000)))).not.toContain('Your context');
    await stage.sessionStart('compact');
    expect(stage.loop().session.context).toBeNull();
    expect(toAgent(await stage.stop('Four.', filled(180_000)))).toContain('90 % of 200k');
  });
});
