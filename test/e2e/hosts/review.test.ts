// A second pair of eyes: Claude Code works, Codex reviews, both as their real programs.
import { describe, expect, test } from 'vitest';
import { dacapo, UNATTENDED } from '../dacapo.ts';
import type { Turn } from './script.ts';
import { hostStage, isMissing } from './stage.ts';
import { CHECK, journal, shown } from './suite.ts';

const usage = { input: 100, output: 20 };
const OBJECTS = { text: 'No.\n```json\n{"approve": false, "missing": ["done.txt is empty"]}\n```', usage };
const APPROVES = { text: '{"approve": true, "missing": []}', usage };
const WORK: readonly Turn[] = [
  { run: 'touch done.txt', usage },
  { text: 'There it is.', usage },
  { run: 'echo full > done.txt', usage },
  { text: 'Now it is full.', usage },
];

const staged = (review: readonly Turn[]) =>
  hostStage('claude-code', ({ host, n }) => (host === 'codex' ? review : WORK)[n] ?? 'Nothing.', 'codex');
const runWith = (...flags: string[]) => [
  'run',
  'Make done.txt',
  ...CHECK,
  '--pause',
  '0',
  '--json',
  ...flags,
  ...UNATTENDED,
];

describe.skipIf(isMissing('codex'))('a review by another host', () => {
  test('refuses once and then approves; both sides are in the journal, and the cost is counted', async () => {
    const stage = await staged([OBJECTS, APPROVES]);
    const world = { sandbox: stage };
    const ran = await dacapo(world, ...runWith('--review', 'codex'));
    expect(ran.code, ran.stdout.slice(-1500)).toBe(0);
    expect(stage.model.requests.map(({ host }) => host)).toEqual([
      ...['claude-code', 'claude-code', 'codex', 'claude-code', 'claude-code', 'codex'],
    ]);
    const [, , first, worker, , second] = stage.model.requests;
    expect(first?.text).toContain('Make done.txt');
    expect(first?.text).toContain('`test -f done.txt` passed');
    expect(first?.text).toContain('+++ b/done.txt');
    expect(worker?.text).toContain('Missing: done.txt is empty');
    expect(second?.text).toContain('+full');
    expect(await shown(stage)).toMatchObject({
      status: 'completed',
      iteration: 2,
      tokens: 720,
      host: 'claude-code',
      gates: [{ gate: 'check' }, { gate: 'review', holds: true, wanted: 'codex approves' }],
    });
    const reviews = journal(stage).filter(({ type }) => type === 'reviewed');
    expect(reviews).toMatchObject([
      {
        n: 1,
        host: 'codex',
        review: 1,
        answer: 'objected',
        words: ['done.txt is empty'],
        used: { tokens: 120 },
      },
      { n: 2, answer: 'approved', used: { tokens: 120 } },
    ]);
    const { stdout } = await dacapo(world, 'explain');
    expect(stdout).toContain('it objects: done.txt is empty');
    expect(stage.processes()).toEqual([]);
  });
});
