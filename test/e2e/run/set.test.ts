/**
 * `dacapo run --items FILE --loops N` with the real Claude Code: three items, two at once, and one merge
 * conflict.
 */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { dacapo, UNATTENDED } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { makeWorld } from '../world.ts';

function shell(command: string): Reply {
  return [{ tool: 'Bash', input: { command } }];
}

test('each item is done in a work tree of its own, an agent resolves the conflict, and all is merged', async () => {
  const world = await makeWorld(({ text }) => {
    if (!text.includes('Da Capo')) return '<issue-complete>DONE</issue-complete>';
    if (text.includes('conflict markers')) return shell('printf "begin\\nfirst\\nsecond\\n" > poem.txt');
    const item = /^(first|second|third)$/m.exec(text)?.[1] ?? 'none';
    return shell(item === 'third' ? 'echo third > third.txt' : `echo ${item} >> poem.txt`);
  });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.sandbox.project, env: world.sandbox.env, encoding: 'utf8' });
  world.sandbox.write('poem.txt', 'begin\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  world.sandbox.write('.git/items.md', '- [ ] first\n- [ ] second\n- [ ] third\n');
  const flags = [
    '--items',
    '.git/items.md',
    '--loops',
    '2',
    '--check',
    'grep -q begin poem.txt',
    '--pause',
    '0',
  ];
  const run = await dacapo(world, 'run', 'Write this.', ...flags, ...UNATTENDED);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain('3 of 3 items merged into');
  expect(run.stdout).toContain('in conflict with');
  expect(world.sandbox.read('poem.txt')).toBe('begin\nfirst\nsecond\n');
  expect(world.sandbox.read('third.txt')).toBe('third\n');
  expect(git('log', '--first-parent', '--format=%s').split('\n')).toHaveLength(5);
  // `work.txt` is this world's own.
  expect(git('status', '--porcelain')).toBe('?? work.txt\n');
  expect(world.loops()).toHaveLength(4);
});
