// @module-tag postgres
/**
 * What a worker pushes to a loop's branch: never without asking, and never over what somebody else has
 * pushed.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { proxyTo } from '../proxy.ts';
import { hasEnded, openStage, type Stage } from '../stage.ts';

/** The server holds the next push of a point until `go`. `isHeld`: it is being held. */
function slowServer({ root, repo }: Stage) {
  const [slow, held] = [join(root, 'slow'), join(root, 'held')];
  const hook = `#!/bin/sh\nread -r from to ref
case $ref in refs/dacapo/*) test -e ${slow} && touch ${held} && while test -e ${slow}; do sleep 0.1; done;; esac
exit 0\n`;
  writeFileSync(join(repo, 'hooks/pre-receive'), hook, { mode: 0o755 });
  return {
    hold: () => writeFileSync(slow, ''),
    isHeld: async () => {
      while (!existsSync(held)) await sleep(20);
    },
    go: () => rmSync(slow),
  };
}

const WORK = 'Add.\ndo: echo x >> x.txt';
const THREE = ['--check', 'test $(wc -l < x.txt) -ge 3', '--pause', '0s', '--commit'];
const branchOf = (stage: Stage, id: string) => stage.git('ls-remote', stage.repo, `refs/heads/dacapo/${id}`);

test.concurrent(
  'a cancel while a point is being pushed: the branch is not pushed',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const server = slowServer(stage);
    server.hold();
    const id = await stage.submit(WORK, ...THREE);
    const worker = await stage.worker('w1');
    await server.isHeld();
    await stage.fleet('cancel', id);
    await worker.hear(({ is }) => is === 'ends-loop');
    server.go();
    await sleep(1_000);
    expect(branchOf(stage, id)).toBe('');
  },
);

test.concurrent(
  'a cancel that the worker can not hear of: it asks before the branch, and does not push',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const server = slowServer(stage);
    server.hold();
    const id = await stage.submit(WORK, ...THREE);
    const worker = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    await server.isHeld();
    proxy.set('down');
    await stage.fleet('cancel', id);
    server.go();
    await sleep(1_500);
    expect(branchOf(stage, id)).toBe('');
    proxy.set('open');
    await worker.hear(({ is }) => is === 'ends-loop');
    expect(branchOf(stage, id)).toBe('');
  },
);

test.concurrent(
  'a worker that was cut off while it pushed does not set the branch of a completed loop back',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const proxy = await proxyTo(stage.url, atEnd);
    const server = slowServer(stage);
    server.hold();
    const id = await stage.submit(WORK, ...THREE);
    const first = await stage.worker('w1', [], { DACAPO_FLEET: proxy.url });
    await server.isHeld();
    proxy.set('cut');
    // The server holds one push only.
    writeFileSync(join(stage.repo, 'hooks/pre-receive'), '#!/bin/sh\n', { mode: 0o755 });
    await stage.worker('w2');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 3 });
    const done = branchOf(stage, id);
    server.go();
    await sleep(2_000);
    expect(branchOf(stage, id)).toBe(done);
    proxy.set('open');
    await first.hear(({ is }) => is === 'ends-loop');
    expect(branchOf(stage, id)).toBe(done);
    expect(stage.git('ls-remote', stage.repo, `refs/heads/dacapo/${id}`)).toContain(
      (await stage.sql<{ head: string }>('select head from dacapo.loop'))[0]?.head,
    );
  },
);

test.concurrent(
  'what a dead worker has pushed and not shipped is replaced',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    // The first push of the branch kills its worker, after the branch has moved.
    const kill = `#!/bin/sh\nread -r from to ref
case $ref in refs/heads/*) test -e ${stage.root}/killed || { touch ${stage.root}/killed; sleep 2; };; esac\n`;
    writeFileSync(join(stage.repo, 'hooks/post-receive'), kill, { mode: 0o755 });
    const id = await stage.submit(WORK, ...THREE);
    const first = await stage.worker('w1');
    while (!existsSync(join(stage.root, 'killed'))) await sleep(20);
    await first.die();
    const left = branchOf(stage, id);
    expect(left).not.toBe('');
    expect(await stage.sql('select head from dacapo.loop')).toEqual([{ head: null }]);
    await stage.worker('w2');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 3 });
    stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
    expect(stage.git('show', 'FETCH_HEAD:x.txt')).toBe('x\nx\nx');
    expect(stage.git('log', '--format=%H', 'FETCH_HEAD')).not.toContain(left.slice(0, 40));
  },
);

/** What a person may do with the loop's commit, in a clone that has its branch checked out. */
const REWORKS: Readonly<Record<string, (git: Stage['git']) => void>> = {
  amended: (git) => git('commit', '-q', '--amend', '--no-edit', '-a'),
  rebased: (git) => {
    git('commit', '-q', '-am', 'mine');
    git('rebase', '-q', '--force-rebase', '--committer-date-is-author-date', 'HEAD~2');
    git('reset', '-q', '--soft', 'HEAD~1');
    git('commit', '-q', '--amend', '--no-edit');
  },
  picked: (git) => {
    const of = git('rev-parse', 'HEAD');
    git('reset', '-q', '--hard', 'HEAD~1');
    git('commit', '-q', '--allow-empty', '-m', 'mine');
    git('cherry-pick', of);
  },
  added: (git) => git('commit', '-q', '-am', 'mine'),
};

test.concurrent(
  'a commit that a person has reworked or added is never pushed over',
  { timeout: 120_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const hold = join(stage.root, 'hold');
    writeFileSync(hold, '');
    const work = `Add.\ndo: echo x >> x.txt; test $(wc -l < x.txt) -lt 2 || while test -e ${hold}; do sleep 0.1; done`;
    const [id, ...others] = await stage.copy(
      await stage.submit(work, ...THREE),
      Object.keys(REWORKS).length - 1,
    );
    const ids = [id ?? '', ...others];
    await stage.worker('w1', ['--capacity', '4']);
    for (const one of ids) await stage.until(one, ({ iteration }) => iteration === 2);
    const branches = await stage.sql<{ id: string; branch: string }>('select id, branch from dacapo.loop');
    const mine = new Map<string, string>();
    for (const [n, rework] of Object.values(REWORKS).entries()) {
      const branch = branches.find((row) => row.id === ids[n])?.branch ?? '';
      stage.git('fetch', '-q', stage.repo, branch);
      stage.git('checkout', '-q', '-B', 'work', 'FETCH_HEAD');
      writeFileSync(join(stage.root, 'work/x.txt'), 'x\nof a person\n');
      rework(stage.git);
      stage.git('push', '-q', '--force', stage.repo, `HEAD:refs/heads/${branch}`);
      mine.set(branch, stage.git('rev-parse', 'HEAD'));
    }
    rmSync(hold);
    for (const one of ids) {
      const { reason } = await stage.until(one, ({ waits }) => waits?.for === 'retry');
      expect(reason).toContain('Someone else has pushed');
    }
    for (const [branch, commit] of mine)
      expect(stage.git('ls-remote', stage.repo, `refs/heads/${branch}`)).toContain(commit);
  },
);
