// @module-tag postgres
/**
 * The items of a list, each with a loop of its own on the fleet, and their merges on the submitter's machine.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CLI } from '../surfaces/cli/box.ts';
import type { FleetLoop } from '#fleet/record.ts';
import { openStage, passesNow, type Stage } from './stage.ts';

/** The first two items write to the same line. Each kind of pass waits as long as its file is there. */
const AGENT = `
case "$PROMPT" in
  *"conflict markers"*) if test -e ROOT/give-up; then exit; fi; while test -e ROOT/hold-mend; do sleep 0.05; done; printf 'begin\\nfirst\\nsecond\\n' > poem.txt ;;
  *)
    while test -e ROOT/hold; do sleep 0.05; done
    item=$(printf '%s' "$PROMPT" | grep -oxE 'first|second|third')
    if test "$item" = third; then echo third > third.txt; else echo "$item" >> poem.txt; fi ;;
esac
`;

function openSetStage(stage: Stage, items: string): readonly string[] {
  const { root } = stage;
  writeFileSync(join(root, 'agent.sh'), AGENT.replaceAll('ROOT', root));
  writeFileSync(join(root, 'work/poem.txt'), 'begin\n');
  stage.git('add', '.');
  stage.git('commit', '-qm', 'Begin');
  writeFileSync(join(root, 'work/.git/items.md'), items);
  const prompt = `Write this.\ndo: sh ${root}/agent.sh\nsays: <issue-complete>DONE</issue-complete>`;
  const list = ['--items', '.git/items.md', '--loops', '2'];
  return [
    'submit',
    prompt,
    '--repo',
    stage.repo,
    ...list,
    '--check',
    'grep -q begin poem.txt',
    '--pause',
    '0',
  ];
}

/** A submitter that is killed as soon as this holds. */
async function killedWhen(stage: Stage, words: readonly string[], isTime: () => Promise<boolean>) {
  const { env, root } = stage;
  const cwd = join(root, 'work');
  const submitter = spawn(process.execPath, [CLI, 'fleet', ...words], { cwd, env, stdio: 'ignore' });
  const ended = once(submitter, 'exit');
  while (!(await isTime()) && submitter.exitCode === null) await sleep(50);
  submitter.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

test(
  'three items on two workers, one conflict, and a submitter that is killed twice: each item is done once',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const words = openSetStage(stage, '- [ ] first\n- [ ] second\n- [ ] third\n');
    const hold = (name: string) => join(stage.root, name);
    for (const name of ['hold', 'hold-mend']) writeFileSync(hold(name), '');
    await Promise.all(['w1', 'w2'].map((name) => stage.worker(name)));
    await killedWhen(stage, words, async () => passesNow(stage.passes()).length === 2);
    expect(await stage.fleet<FleetLoop[]>('list')).toHaveLength(2);
    rmSync(hold('hold'));
    const mending = async () =>
      (
        await stage.sql(
          `select from dacapo.loop where request->'request'->>'prompt' like '%conflict markers%'`,
        )
      ).length > 0;
    await killedWhen(stage, words, mending);
    rmSync(hold('hold-mend'));
    const ran = await stage.run('fleet', ...words, '--json');
    const events = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.at(-1)).toMatchObject({ is: 'set', onto: 'main', merged: 3, exit: 0 });
    expect(ran.code).toBe(0);
    const read = (name: string) => readFileSync(join(stage.root, 'work', name), 'utf8');
    expect(read('poem.txt')).toBe('begin\nfirst\nsecond\n');
    expect(read('third.txt')).toBe('third\n');
    expect(stage.git('log', '--first-parent', '--format=%s', 'main').split('\n')).toHaveLength(5);
    expect(stage.git('status', '--porcelain')).toBe('');
    expect(stage.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(await stage.fleet<FleetLoop[]>('list')).toHaveLength(4);
    expect(stage.passes().filter(({ is }) => is === 'ends')).toHaveLength(4);
    // All is merged, so nothing is begun.
    const again = await stage.run('fleet', ...words);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('3 of 3 items merged into main');
    expect(await stage.fleet<FleetLoop[]>('list')).toHaveLength(4);
  },
);

test(
  'a conflict that no agent resolves is left to a person, with the work tree, and the rest is merged',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const words = [...openSetStage(stage, '- [ ] first\n- [ ] second\n'), '--max-iterations', '1'];
    writeFileSync(join(stage.root, 'give-up'), '');
    await Promise.all(['w1', 'w2'].map((name) => stage.worker(name)));
    const ran = await stage.run('fleet', ...words, '--json');
    expect(ran.code).toBe(3);
    const sum = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '') as { items: Record<string, string>[] };
    const left = sum.items.find(({ merged }) => !merged);
    expect(left).toMatchObject({ status: 'exhausted', why: expect.stringContaining("can't be merged") });
    const [, tree = '', branch = ''] =
      /fix it in (\S+), commit it, and git merge (\S+)/.exec(left?.['next'] ?? '') ?? [];
    expect(left?.['next']).toContain('dacapo fleet resume');
    writeFileSync(join(tree, 'poem.txt'), 'begin\nboth\n');
    stage.git('-C', tree, 'commit', '-qam', 'Resolve');
    stage.git('merge', '-q', branch);
    expect(await stage.run('fleet', ...words)).toMatchObject({ code: 0 });
    expect(await stage.fleet<FleetLoop[]>('list')).toHaveLength(3);
  },
);

test('a set is refused without a list, and where its branch lacks --ref', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const [, prompt = '', ...flags] = openSetStage(stage, '- [ ] first\n');
  const refused = async (...words: string[]) => (await stage.run('fleet', 'submit', ...words)).stderr;
  expect(await refused(prompt, '--repo', stage.repo, '--loops', '2')).toContain('--items FILE');
  stage.git('branch', 'other', stage.git('commit-tree', '-m', 'other', 'HEAD^{tree}'));
  expect(await refused(prompt, ...flags, '--ref', 'other')).toContain('main does not have other');
  expect(await stage.fleet('list')).toEqual([]);
});
