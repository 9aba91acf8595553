// @module-tag agents
// A second pair of eyes: Claude Code works, Codex reviews, both as their real programs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo, UNATTENDED } from '../dacapo.ts';
import type { Turn } from './script.ts';
import { hostStage } from './stage.ts';
import { CHECK, journal, keepPrices, shown } from './suite.ts';
import { limited, subscribe } from './usage-limit.ts';

const usage = { input: 100, output: 20 };
const OBJECTS = { text: 'No.\n```json\n{"approve": false, "missing": ["done.txt is empty"]}\n```', usage };
const APPROVES = { text: '{"approve": true, "missing": [], "seen": ["done.txt:1"]}', usage };
const WORK: readonly Turn[] = [
  { run: 'touch done.txt', usage },
  { text: 'There it is.', usage },
  { run: 'echo full > done.txt', usage },
  { text: 'Now it is full.', usage },
];

const staged = (review: readonly Turn[]) =>
  hostStage(
    'claude-code',
    ({ host, n }) => (host === 'codex' ? (review[n] ?? review.at(-1)) : WORK[n]) ?? 'Nothing.',
    'codex',
  );
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

describe('a review by another host', () => {
  test('refuses once and then approves; both sides are in the journal, and the cost is counted', async () => {
    const stage = await staged([OBJECTS, APPROVES]);
    const world = { sandbox: stage };
    const ran = await dacapo(world, ...runWith('--review', 'codex'));
    expect(ran.code).toBe(0);
    expect(stage.model.requests.map(({ host }) => host)).toEqual([
      'claude-code',
      'claude-code',
      'codex',
      'claude-code',
      'claude-code',
      'codex',
    ]);
    const [, , first, worker, , second] = stage.model.requests;
    expect(first?.text).toContain('Make done.txt');
    expect(first?.text).toContain('`test -f done.txt` passed');
    expect(first?.text).toContain('diff --git a/done.txt b/done.txt');
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

  test('is bounded by --max-cost, also where its host tells no price', async () => {
    const stage = await staged([OBJECTS]);
    keepPrices(stage);
    const ran = await dacapo(
      { sandbox: stage },
      ...runWith('--review', 'codex', '--max-reviews', '1', '--max-cost', '100'),
    );
    const [first] = journal(stage).filter(({ type }) => type === 'reviewed');
    expect(ran.code).not.toBe(0);
    expect(first).toMatchObject({ used: { costUsd: 0.0002, tokens: 120, estimated: true } });
  });

  test('that can not be reached needs a person; a resume asks it again, and pays no other agent', async () => {
    let isLoggedIn = false;
    const stage = await hostStage(
      'claude-code',
      ({ host, n }) =>
        host === 'codex' ? (isLoggedIn ? APPROVES : { status: 401 }) : (WORK[n] ?? 'Nothing.'),
      'codex',
    );
    const ran = await dacapo({ sandbox: stage }, ...runWith('--review', 'codex'));
    expect(ran.code).toBe(4);
    expect(await shown(stage)).toMatchObject({
      status: 'escalated',
      reason: expect.stringContaining('codex could not review the work: '),
      iteration: 1,
    });
    expect(journal(stage).filter(({ type }) => type === 'reviewed')).toMatchObject([{ answer: 'unreached' }]);
    isLoggedIn = true;
    const before = stage.model.requests.length;
    const resumed = await dacapo({ sandbox: stage }, 'resume', '--json');
    expect(resumed.code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(stage.model.requests.slice(before).map(({ host }) => host)).toEqual(['codex']);
    expect(stage.processes()).toEqual([]);
  });

  test('is read-only, is asked again for an answer that can be read, and objects --max-reviews times', async () => {
    const stage = await staged([{ run: 'touch evil.txt', usage }, { text: 'Hm.', usage }, OBJECTS]);
    const ran = await dacapo({ sandbox: stage }, ...runWith('--review', 'codex', '--max-reviews', '1'));
    expect(ran.code).toBe(4);
    expect(stage.has('evil.txt')).toBe(false);
    expect(await shown(stage)).toMatchObject({
      status: 'escalated',
      reason: expect.stringContaining('(review 1 of 1). Missing: done.txt is empty'),
      tokens: 600,
    });
  });

  test.each(['copilot', 'droid', 'qwen', 'gemini', 'opencode', 'pi'] as const)(
    'by %s: what it tries to change stays as it is',
    { timeout: 150_000 },
    async (reviewer) => {
      const stage = await hostStage(
        'claude-code',
        ({ host, n, tools }) => {
          if (host !== reviewer) return WORK[n] ?? 'Nothing.';
          const hasShell = tools.some(({ name }) => /^(?:bash|execute|run_shell_command)$/i.test(name));
          return n === 0 && hasShell ? { run: 'touch evil.txt', usage } : APPROVES;
        },
        reviewer,
      );
      const named = reviewer === 'pi' ? 'pi:scripted/scripted' : reviewer;
      const ran = await dacapo({ sandbox: stage }, ...runWith('--review', named));
      expect(stage.has('evil.txt')).toBe(false);
      expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
      expect(ran.code).toBe(0);
    },
  );

  test('does not count if files change meanwhile', async () => {
    const stage = await hostStage(
      'claude-code',
      ({ host, n }) => {
        if (host !== 'codex') return WORK[n] ?? 'Nothing.';
        stage.write('done.txt', 'by the reviewer\n');
        return APPROVES;
      },
      'codex',
    );
    const ran = await dacapo({ sandbox: stage }, ...runWith('--review', 'codex'));
    expect(ran.code).toBe(4);
    const { reason } = (await shown(stage)) as unknown as { reason: string };
    expect(reason).toContain('these files changed: done.txt');
  });

  test('comes at the stop of a session, and no hook takes the reviewer for the agent', async () => {
    const stage = await hostStage('claude-code', ({ host, n, tools, text }) => {
      const isReviewer = text.includes('You review the work') || tools.every(({ name }) => name !== 'Bash');
      if (isReviewer) return text.includes('+full') ? APPROVES : OBJECTS;
      return host === 'claude-code' ? (SESSION[n] ?? 'Nothing.') : 'Nothing.';
    });
    const SESSION: Record<number, Turn> = {
      0: WORK[0] ?? '',
      1: WORK[1] ?? '',
      3: WORK[2] ?? '',
      4: WORK[3] ?? '',
    };
    const world = { sandbox: stage };
    expect((await dacapo(world, 'init', '--scope', 'user')).code).toBe(0);
    const ready = await dacapo(world, 'ready', 'Make done.txt', ...CHECK, '--review', 'claude-code');
    expect(ready.stdout).toContain('the reviewer may be the same model');
    const session = await stage.start('Make done.txt').done;
    expect(session.code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
    expect(journal(stage).filter(({ type }) => type === 'reviewed')).toMatchObject([
      { answer: 'objected' },
      { answer: 'approved' },
    ]);
    const tools = stage.model.requests[2]?.tools.map(({ name }) => name);
    expect(tools).toEqual(expect.arrayContaining(['Glob', 'Grep', 'Read']));
    expect(tools).not.toEqual(expect.arrayContaining([expect.stringMatching(/Bash|Write|Edit/)]));
  });

  test('by a host that is unknown or not installed is refused before anything is spent', async () => {
    const stage = await staged([]);
    const world = { sandbox: stage };
    const unknown = await dacapo(world, ...runWith('--review', 'codec'));
    expect(unknown.stderr).toContain('the nearest one is codex');
    const missing = await dacapo(world, ...runWith('--review', 'gemini'));
    expect(missing.stderr).toContain("the work can't be reviewed: Gemini CLI was not found");
    const fallback = await dacapo(world, ...runWith('--fallback-host', 'gemini'));
    expect(fallback.stderr).toContain('emini CLI was not found');
    expect(stage.model.requests).toEqual([]);
  });
});

describe('a host at its usage limit', () => {
  test('hands over to the next one at once, in the same loop', async () => {
    const stage = await hostStage(
      'claude-code',
      ({ host, n }) => {
        if (host === 'claude-code') return limited(3_600);
        return n === 0 ? { run: 'touch done.txt', usage } : { text: 'There it is.', usage };
      },
      'codex',
    );
    subscribe(stage);
    const config = join(stage.home, '.codex/config.toml');
    writeFileSync(config, `sandbox_mode = "danger-full-access"\n${readFileSync(config, 'utf8')}`);
    const ran = await dacapo({ sandbox: stage }, ...runWith('--fallback-host', 'codex'));
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('claude-code is at its usage limit; codex takes over');
    expect(ran.stdout).not.toContain('"is":"waits"');
    expect(await shown(stage)).toMatchObject({
      status: 'completed',
      iteration: 1,
      tokens: 240,
      host: 'codex',
    });
    const taken = journal(stage).filter(({ type }) => type === 'taken');
    expect(taken).toMatchObject([{ host: 'claude-code' }, { host: 'codex' }]);
    expect(stage.processes()).toEqual([]);
  });
});
