// @module-tag postgres
/** Each loop of a worker has a home of its own: nothing that it leaves there reaches the next one. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage, type Stage } from '../stage.ts';

/** What a careless test leaves behind, and what the next loop then sees of it. */
const POISON = [
  'git config --global alias.poison status',
  'echo poison > ~/.npmrc',
  'mkdir -p ~/.cache/tool ~/.claude',
  'echo poison > ${XDG_CACHE_HOME:-$HOME/.cache}/tool/poison',
  'echo poison > "$npm_config_cache/poison" 2> /dev/null',
  'echo poison > "$TMPDIR/poison"',
  'echo poison > ~/.claude/.credentials.json',
].join('; ');
const LOOK = [
  'git config user.name',
  'git config --global alias.poison',
  'cat ~/.npmrc ~/.cache/tool/poison "$TMPDIR/poison"',
  'cat ~/.claude/.credentials.json ~/.config/tool/settings',
  'echo "home $HOME tmp $TMPDIR"',
].join('; ');

function write(path: string, content: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
}

/** What the second loop sees, after the first. */
async function poisonOne(stage: Stage, ...flags: string[]): Promise<string> {
  const submit = (doing: string) =>
    stage.submit(`Work.\ndo: ${doing}; echo x > x.txt`, '--check', 'test -e x.txt');
  const first = await submit(POISON);
  const second = await submit(`(${LOOK}) > ${stage.root}/seen 2> /dev/null`);
  await stage.sql(`update dacapo.loop set priority = 1 where id = $1`, [first]);
  const shared = join(stage.root, 'npm-cache');
  mkdirSync(shared, { recursive: true });
  const worker = await stage.worker('w1', flags, { npm_config_cache: shared });
  // What the first changes outside of its project is a question to a person, and it leaves the worker.
  await stage.until(first, (loop) => hasEnded(loop) || loop.waits?.for === 'approval');
  expect(await stage.until(second, hasEnded)).toMatchObject({ status: 'completed' });
  worker.process.kill('SIGTERM');
  await worker.ended;
  return readFileSync(join(stage.root, 'seen'), 'utf8');
}

test('what a loop leaves in its home, caches and temporary folder does not reach the next', async () => {
  const stage = await openStage();
  write(join(stage.root, '.claude/.credentials.json'), 'the login\n');
  write(join(stage.root, '.config/tool/settings'), 'lent\n');
  const seen = await poisonOne(stage, '--lend', '.config/tool');
  const [name, login, lent, places = '', ...rest] = seen.split('\n');
  expect([name, login, lent, rest]).toEqual(['T', 'the login', 'lent', ['']]);
  const [, home = '', temporary = ''] = /^home (.*) tmp (.*)$/.exec(places) ?? [];
  expect(home).toContain('/fleet/workers/w1/homes/RALPH_');
  // The worker's own is as it was, and of the loops nothing is left.
  expect(readFileSync(join(stage.root, '.claude/.credentials.json'), 'utf8')).toBe('the login\n');
  expect(readFileSync(join(stage.root, 'gitconfig'), 'utf8')).not.toContain('poison');
  expect(readdirSync(join(stage.root, 'npm-cache'))).toEqual([]);
  for (const path of [
    home,
    `${home}.lent`,
    temporary,
    join(stage.root, '.npmrc'),
    join(stage.root, '.cache'),
  ])
    expect({ path, isThere: existsSync(path) }).toEqual({ path, isThere: false });
}, 90_000);

test('with --share-home loops have the home of the worker', async () => {
  const stage = await openStage();
  const seen = await poisonOne(stage, '--share-home');
  expect(seen).toContain(`home ${stage.root} tmp ${stage.root}`);
  expect(seen.match(/poison/g)).toHaveLength(4);
}, 90_000);

test('a login that changes reaches a loop that comes back, and never through its links', async () => {
  const stage = await openStage();
  const login = join(stage.root, '.claude/.credentials.json');
  const [trap, seen] = [join(stage.root, 'trap'), join(stage.root, 'seen')];
  mkdirSync(trap);
  write(login, 'old login\n');
  const doing = `cat ~/.claude/.credentials.json ~/kept >> ${seen}; echo kept > ~/kept; rm -rf ~/.claude; ln -s ${trap} ~/.claude; echo x >> x.txt`;
  const asking = ['--check', 'test -e x.txt', '--approve-done', '--pause', '0s', '--max-stalls', '9'];
  const id = await stage.submit(`Work.\ndo: ${doing}`, ...asking);
  await stage.worker('w1');
  const { requests } = await stage.until(id, ({ waits }) => waits?.for === 'approval');
  write(login, 'a new login\n');
  await stage.fleet('answer', requests[0]?.id ?? '', '--reject');
  const again = await stage.until(id, ({ requests: [next] }) => next?.id.endsWith('-2') === true);
  expect(readFileSync(seen, 'utf8')).toBe('old login\na new login\nkept\n');
  expect(readdirSync(trap)).toEqual([]);
  await stage.fleet('answer', again.requests[0]?.id ?? '', '--approve');
  await stage.until(id, hasEnded);
}, 90_000);

test('what can not be lent is refused', async () => {
  const stage = await openStage();
  symlinkSync('/etc', join(stage.root, 'link'));
  for (const path of ['nothing', '..', '/etc/passwd', '.'])
    expect(await stage.run('worker', '--as-owner', '--lend', path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--lend ${path}`),
    });
}, 60_000);
