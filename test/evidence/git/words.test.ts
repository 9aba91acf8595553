/** No word from elsewhere becomes an option of git: the compiler asks for operands, the runner looks at them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, saidBy, writeWords } from '#evidence/git/git.ts';
import { claimBranch, resolveTip } from '#evidence/git/worktree/branch.ts';
import { withRelay } from '#evidence/git/relay.ts';
import { openRepository } from '#evidence/git/repository.ts';
import { operand, operands } from '#evidence/git/words.ts';
import { git as plainly, repository } from './repository.ts';

const OPTIONS = ['-x', '--upload-pack=touch pwned;', '--output=pwned', '--end-of-options', '--', '-'];

it.each(OPTIONS)('refuses the operand %s, before git is started', async (word) => {
  // A folder that is not there: git would complain of that.
  const answer = await git(['ls-remote', operand(word)], { at: '/nowhere' });
  expect(answer).toMatchObject({ is: 'said', code: 129, out: '' });
  expect(answer).toHaveProperty('complaint', expect.stringContaining(JSON.stringify(word)));
});

it('leaves words of our own and other operands as they are', () => {
  const words = ['log', '-1', `--format=${'%b'}`, ...operands('main', 'a-b', '', ':x'), '--'] as const;
  expect(writeWords(words)).toEqual({
    is: 'written',
    words: ['log', '-1', '--format=%b', 'main', 'a-b', '', ':x', '--'],
  });
});

it('runs nothing and writes nothing where a commit, an address or a branch is an option', async () => {
  const dir = repository();
  const opened = await openRepository(dir);
  if (!opened.ok) throw new Error(opened.message);
  const canary = join(dir, 'pwned');
  const evil = `--upload-pack=touch ${canary};`;
  const fetched = await withRelay({ repository: opened }, (ask) =>
    ask(['fetch', '--quiet', operand(evil), operand('HEAD')]),
  );
  expect(saidBy(fetched)).toBeNull();
  const output = await opened.ask(['log', operand(`--output=${canary}`)]);
  expect(saidBy(output)).toBeNull();
  expect((await claimBranch(opened, 'made', `--stdin`))?.code).toBe('branch');
  // As a part of a ref it is a name like others.
  expect(await resolveTip(opened, evil)).toBeNull();
  expect(existsSync(canary)).toBe(false);
  // The trap works.
  plainly(dir, 'log', `--output=${canary}`);
  expect(existsSync(canary)).toBe(true);
});

it('the compiler refuses a word that begins with anything', () => {
  const word = String('--output=pwned');
  const never = () => [
    // @ts-expect-error A ref of a record, as it is.
    git(['log', word], { at: '.' }),
    // @ts-expect-error It begins with what the record says.
    git(['push', `${word}:main`], { at: '.' }),
    // @ts-expect-error A list of such words.
    git(['log', ...word.split(' ')], { at: '.' }),
    git(['log', `--grep=${word}`, operand(word), `refs/heads/${word}`], { at: '.' }),
  ];
  expect(never).toBeTypeOf('function');
});

it('no other file starts git, or takes the words of a call by a cast', () => {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join('src', name), 'utf8')] as const);
  const starts = sources.filter(([, text]) => /(?:spawn|exec\w*)\(\s*'git'/.test(text));
  expect(starts.map(([file]) => file)).toEqual(['evidence/git/git.ts']);
  const cast = sources.filter(([, text]) => /as GitWords?\b|as readonly GitWord/.test(text));
  expect(cast).toEqual([]);
});
