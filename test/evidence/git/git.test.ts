import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf, git, saidBy } from '#evidence/git/git.ts';
import { operand } from '#evidence/git/words.ts';
import { matcherOf } from '#evidence/git/lists.ts';
import { kill } from '../../processes.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git as plainly, put, repository } from './repository.ts';

describe('the door to git', () => {
  it('splits at NUL alone', () => {
    expect(fieldsOf('a\nb\0\0c\0')).toEqual(['a\nb', '', 'c']);
    expect(fieldsOf('')).toEqual([]);
  });

  it('gives the exit code and the words of an error, in English', async () => {
    const answer = await git(['rev-parse', '--show-toplevel'], { at: temporaryFolder() });
    expect(answer).toMatchObject({
      is: 'said',
      code: 128,
      complaint: expect.stringContaining('not a git repository'),
    });
    expect(saidBy(answer)).toBeNull();
  });

  it('takes a git that was killed for no answer', async () => {
    const killed = ['-c', 'alias.dies=!kill -9 $PPID', 'dies'] as const;
    expect(await git(killed, { at: repository() })).toEqual({ is: 'unanswered', why: 'killed' });
  });

  it('is bounded in output and time, and ends when it is told to', async () => {
    const dir = repository();
    put(dir, 'large.txt', 'x'.repeat(100_000));
    plainly(dir, 'add', '-A');
    expect(await git(['cat-file', 'blob', ':large.txt'], { at: dir, mostBytes: 1_000 })).toEqual({
      is: 'unanswered',
      why: 'too-much',
    });
    const slow = ['-c', 'alias.slow=!sleep 60', 'slow'] as const;
    const began = Date.now();
    expect(await git(slow, { at: dir, ms: 100 })).toEqual({ is: 'unanswered', why: 'too-long' });
    expect(await git(slow, { at: dir, signal: AbortSignal.timeout(100) })).toEqual({
      is: 'unanswered',
      why: 'aborted',
    });
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it.runIf(process.platform === 'linux')(
    'does not wait for what git leaves behind with its pipes',
    async () => {
      const dir = repository();
      const file = join(dir, 'left');
      const leaves = [
        '-c',
        `alias.leaves=!setsid sh -c 'echo $$ > ${file}; exec sleep 60'`,
        'leaves',
      ] as const;
      expect(await git(leaves, { at: dir, ms: 500 })).toEqual({ is: 'unanswered', why: 'too-long' });
      kill(Number(readFileSync(file, 'utf8')));
    },
  );

  it('says so where there is no git', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = join(temporaryFolder(), 'nothing');
    try {
      expect(await git(['version'], { at: '/' })).toEqual({ is: 'unanswered', why: 'no-git' });
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('fetches nothing, also where a partial clone lacks it', async () => {
    const dir = repository();
    const canary = join(dir, '../canary');
    plainly(dir, 'config', 'remote.origin.url', `ext::touch ${canary}`);
    plainly(dir, 'config', 'remote.origin.promisor', 'true');
    plainly(dir, 'config', 'protocol.ext.allow', 'always');
    plainly(dir, 'config', 'core.repositoryFormatVersion', '1');
    plainly(dir, 'config', 'extensions.partialClone', 'origin');
    const answer = await git(['cat-file', 'blob', operand('1'.repeat(40))], { at: dir });
    expect(saidBy(answer)).toBeNull();
    expect(existsSync(canary)).toBe(false);
    // The trap works.
    expect(() => plainly(dir, 'cat-file', 'blob', '1'.repeat(40))).toThrow('cat-file');
    expect(existsSync(canary)).toBe(true);
  });
});

describe('patterns', () => {
  it('match names, parts of names, any depth, and what is in a folder', () => {
    const matches = matcherOf(['.claude/ralph-loop*.local.md', './Ralph_State/', '**/hook.log', 'ü(1).txt']);
    const names = ['.claude/ralph-loop.x.local.md', 'Ralph_State/a/b', 'hook.log', 'a/b/hook.log'];
    for (const name of names) expect(matches(name)).toBe(true);
    expect(matches(Buffer.from('ü(1).txt').toString('latin1'))).toBe(true);
    for (const name of [
      'x/.claude/ralph-loop.local.md',
      '.claude/ralph-loop/x.local.md',
      'Ralph_State2',
      'myhook.log',
    ])
      expect(matches(name)).toBe(false);
    expect(matcherOf([])('')).toBe(false);
  });
});
