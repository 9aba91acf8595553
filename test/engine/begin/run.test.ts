/** The beginning of a run, as the command line and the page call it: values in, values out. */
import { outermostOf, planOf } from '#law/loop.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readRunFlags } from '#input/run-request.ts';
import { PLAN_FLAGS } from '#input/run-flags.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { parseWords } from '#input/words.ts';
import { claudeCodeHeadless } from '#hosts/claude-code/headless/command.ts';
import type { HeadlessHost } from '#hosts/port/headless.ts';
import { beginRun, continueRun, type RunBegun, type BeginRun, type RunProgress } from '#engine/begin/run.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayProof } from '#law/words/check-outcomes.ts';
import { put } from '../hearing/configured.ts';
import { Stage } from '../hearing/stage.ts';

/** A host that is fit for work, unless a test says otherwise. */
const HOST: HeadlessHost = {
  ...claudeCodeHeadless,
  untrusted: () => null,
  unattendedMode: () => 'acceptEdits',
  preflight: () => [{ id: 'slow', level: 'warning', says: 'It is slow.', remedy: 'Wait.' }],
};

let stage: Stage;
let told: RunProgress[];
beforeEach(() => {
  stage = new Stage();
  told = [];
});

function order(words: readonly string[], over: Partial<BeginRun> = {}): BeginRun {
  const line = parseWords({ ...LOOP_FLAGS, ...PLAN_FLAGS }, words);
  const read = line.ok ? readRunFlags(line.value.given, 'Fix.', []) : line;
  if (!read.ok) throw new Error(read.message);
  const tell = (progress: RunProgress) => void told.push(progress);
  const on = { host: HOST, program: 'host' };
  return { ...read.value, project: stage.project, worktree: null, by: 'page', on, tell, ...over };
}

async function begin(
  words: readonly string[],
  over: Partial<BeginRun> = {},
  runtime: Partial<Runtime> = {},
): Promise<RunBegun> {
  const begun = await beginRun(order(words, over), stage.runtime(runtime));
  if (begun.ok) begun.open.close();
  return begun;
}

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  return spawnSync('git', [...identity, ...args], { cwd: stage.project, encoding: 'utf8' }).stdout;
}

function repository(): void {
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
}

const worktrees = () => git('worktree', 'list').trim().split('\n').length;

describe('a run that can begin', () => {
  it('is ready: its loop, what its agents may do, and what a person should know', async () => {
    const begun = await begin(['--check', 'test -f ok.txt', '--max-iterations', '3', '--model', 'opus']);
    expect(begun).toMatchObject({
      ok: true,
      permissionMode: 'acceptEdits',
      warnings: ['It is slow. Wait.'],
      notes: [],
    });
    const loop = stage.loop();
    expect(loop).toMatchObject({ driver: 'fresh', status: { is: 'pending' }, limits: { timeMs: 3_600_000 } });
    expect(outermostOf(loop).gates).toMatchObject([{ kind: 'check', begun: 'failed' }]);
    expect(planOf(loop).model).toBe('opus');
  });

  it('tells of the checks while they run', async () => {
    const seen: string[] = [];
    await begin(
      ['--check', 'true'],
      {},
      { proving: (what, how) => seen.push(`${what} ${how && sayProof(how)}`) },
    );
    expect(seen).toEqual(['`true` null', '`true` passed']);
  });

  it('names another loop that works in the same files', async () => {
    const { id } = await stage.start('Other.');
    expect(await begin([])).toMatchObject({ warnings: [expect.any(String), expect.stringContaining(id)] });
  });

  it('in a work tree of its own: made, prepared, and told while that happens', async () => {
    repository();
    const begun = await begin([], { worktree: { setup: 'echo ready; echo x > made.txt' } });
    expect(told.map(({ is }) => is)).toEqual(['note', 'sets-up', 'output']);
    expect(begun).toMatchObject({ notes: [expect.stringContaining('in a separate work tree')] });
    const loop = stage.loop();
    expect(planOf(loop).worktreeOf).toBe(stage.project);
    expect(readdirSync(loop.project)).toContain('made.txt');
    expect(worktrees()).toBe(2);
  });
});

describe('a run that is refused leaves nothing behind', () => {
  it('because its host is not fit', async () => {
    const finding = {
      id: 'login',
      level: 'problem',
      says: 'Nobody is logged in.',
      remedy: 'Log in.',
    } as const;
    const on = { host: { ...HOST, preflight: () => [finding] }, program: 'host' };
    expect(await begin([], { on })).toEqual({
      ok: false,
      isHostUnfit: true,
      code: 'login',
      message: 'Nobody is logged in.',
      next: 'Log in.',
    });
    expect(stage.loops()).toEqual([]);
  });

  it('because there is no repository, or nothing to do', async () => {
    expect(await begin(['--commit'])).toMatchObject({ ok: false, code: 'no-repository' });
    put(stage, 'plan.md', '- [x] done\n');
    expect(await begin(['--features', 'plan.md'])).toMatchObject({ ok: false, code: 'nothing-open' });
    expect(stage.loops()).toEqual([]);
  });

  it('because its work tree could not be prepared', async () => {
    repository();
    expect(await begin([], { worktree: { setup: 'exit 3' } })).toMatchObject({
      code: 'worktree-setup',
      message: expect.stringContaining('failed with exit code 3'),
    });
    expect(worktrees()).toBe(1);
    expect(git('branch', '--list')).toBe('* main\n');
  });

  it('because it was stopped while its list was made', async () => {
    const stop = new AbortController();
    const begun = begin(['--items-from', 'touch begun; sleep 60'], {}, { stopped: stop.signal });
    await vi.waitFor(() => expect(existsSync(join(stage.project, 'begun'))).toBe(true), { timeout: 10_000 });
    stop.abort();
    expect(await begun).toMatchObject({ ok: false, code: 'stopped' });
    expect(stage.loops()).toEqual([]);
  });

  it('because it was stopped while its checks ran', async () => {
    repository();
    const stop = new AbortController();
    const proving = (_check: string, how: unknown) => how === null && stop.abort();
    const begun = await begin(
      ['--check', 'sleep 60'],
      { worktree: { setup: null } },
      { proving, stopped: stop.signal },
    );
    expect(begun).toMatchObject({
      ok: false,
      code: 'stopped',
      message: expect.stringContaining('removed again'),
    });
    expect(stage.loops()).toEqual([]);
    expect(worktrees()).toBe(1);
  });
});

describe('a rehearsal', () => {
  it('makes no branch, no work tree and no view, and says what it would do', async () => {
    repository();
    put(stage, 'new.txt', 'x');
    const begun = await begin(['--branch', 'work'], { isRehearsal: true, worktree: { setup: 'exit 3' } });
    expect(begun).toMatchObject({
      ok: true,
      notes: ['in a separate work tree, branch work', 'not in it, because not committed: new.txt'],
    });
    expect(await begin(['--branch', 'work'], { isRehearsal: true })).toMatchObject({
      notes: ['on branch work'],
    });
    expect(worktrees()).toBe(1);
    expect(git('branch', '--list')).toBe('* main\n');
    expect(existsSync(join(stage.project, '.claude'))).toBe(false);
  });
});

describe('a loop that is there', () => {
  const on = { host: HOST, program: 'host' };
  const choice = { id: undefined, root: '/' };

  it('is opened, with a new plan if one is asked for', async () => {
    await begin(['--model', 'opus']);
    const begun = continueRun(
      {
        choice,
        planned: (before) => ({ ok: true, value: { ...before, model: 'haiku' } }),
        by: 'terminal',
        on,
      },
      stage.runtime(),
    );
    expect(begun).toMatchObject({ ok: true, permissionMode: 'acceptEdits' });
    if (begun.ok) begun.open.close();
    expect(planOf(stage.loop()).model).toBe('haiku');
  });

  it('is refused where a host would run what was not there before: also if a check has written it', async () => {
    put(stage, 'plant.sh', 'mkdir -p .claude; echo \'{"apiKeyHelper":"id"}\' > .claude/settings.json');
    await begin(['--check', 'sh plant.sh']);
    const order = { choice, planned: null, by: 'page' as const, on };
    const refused = continueRun(order, stage.runtime());
    expect(refused).toMatchObject({
      ok: false,
      code: 'planted',
      next: expect.stringContaining('dacapo trust'),
    });
    if (refused.ok) throw new Error('not refused');
    expect(refused.message).toContain('.claude/settings.json');
    put(stage, '.claude/settings.json', '{"model":"opus"}');
    const begun = continueRun(order, stage.runtime());
    expect(begun).toMatchObject({ ok: true });
    if (begun.ok) begun.open.close();
  });

  it('is refused where there is none', () => {
    const order = { choice, planned: null, by: 'page' as const, on };
    expect(continueRun(order, stage.runtime())).toMatchObject({ ok: false, code: 'none-to-run' });
  });
});
