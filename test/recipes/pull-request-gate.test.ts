// @module-tag jq
/** examples/pull-request-gate.sh, with a real git and a stand-in for `gh` that answers as GitHub does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const GATE = resolve(import.meta.dirname, '../../examples/pull-request-gate.sh');

interface Pull {
  readonly state: 'OPEN' | 'MERGED' | 'CLOSED';
  readonly mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
  readonly headRefOid: string;
}
type Run = readonly [name: string, status: string, conclusion: string | null];

/** What GitHub knows. `HEAD` stands for the commit that is checked out. */
interface Hub {
  readonly pulls?: readonly Partial<Pull>[];
  readonly runs?: Readonly<Record<string, readonly Run[]>>;
  readonly isDown?: boolean;
}

const GREEN: Run = ['test', 'completed', 'success'];

function stage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dc-gate-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [work, bin, hub] = [join(root, 'work'), join(root, 'bin'), join(root, 'hub.json')];
  mkdirSync(bin);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, HOME: root };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: work,
      env,
      encoding: 'utf8',
    }).trim();
  mkdirSync(work);
  execFileSync('git', ['init', '-q', '--bare', join(root, 'origin.git')], { env });
  git('init', '-qb', 'feature');
  git('remote', 'add', 'origin', join(root, 'origin.git'));
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('push', '-q', 'origin', 'feature');
  // Answers the two questions of the script with jq, as gh does by itself.
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh
[ "$(jq .isDown '${hub}')" = true ] && { echo 'error connecting to api.github.com' >&2; exit 1; }
for last; do :; done
case "$1 $2" in
'pr list') jq -r ".pulls | $last" '${hub}' ;;
'api --paginate') sha=\${3#*commits/}; jq ".runs[\\"\${sha%/*}\\"] // []" '${hub}' | jq -r "{check_runs: .} | $last" ;;
*) exit 2 ;;
esac
`,
    { mode: 0o755 },
  );
  return {
    git,
    work,
    gate: ({ pulls = [{}], runs = { HEAD: [GREEN] }, isDown = false }: Hub = {}) => {
      const head = git('rev-parse', 'HEAD');
      const known = {
        isDown,
        pulls: pulls.map((pull) => ({ state: 'OPEN', mergeable: 'MERGEABLE', headRefOid: head, ...pull })),
        runs: Object.fromEntries(
          Object.entries(runs).map(([sha, all]) => [
            sha === 'HEAD' ? head : sha,
            all.map(([name, status, conclusion]) => ({ name, status, conclusion })),
          ]),
        ),
      };
      writeFileSync(hub, JSON.stringify(known));
      const { status, stdout } = spawnSync(GATE, ['test'], { cwd: work, env, encoding: 'utf8' });
      return { exit: status, says: stdout.trim() };
    },
  };
}

describe('the gate of a pull request', () => {
  test('passes when the named check passed on HEAD; what was skipped is neutral', () => {
    const { gate } = stage();
    expect(gate()).toEqual({ exit: 0, says: '' });
    const skipped: Run = ['deploy', 'completed', 'skipped'];
    expect(gate({ runs: { HEAD: [GREEN, skipped, ['lint', 'completed', 'neutral']] } }).exit).toBe(0);
  });

  test.each<[string, Hub, string]>([
    ['no checks yet are not green', { runs: {} }, 'test has not passed'],
    ['nor are those of the last commit', { runs: { other: [GREEN] } }, 'test has not passed'],
    ['nor is another check', { runs: { HEAD: [['lint', 'completed', 'success']] } }, 'test has not passed'],
    [
      'nor a name that only begins so',
      { runs: { HEAD: [['test 2', 'completed', 'success']] } },
      'test has not',
    ],
    [
      'nor one that was skipped',
      { runs: { HEAD: [['test', 'completed', 'skipped']] } },
      'test has not passed',
    ],
    ['a check under way', { runs: { HEAD: [['test', 'in_progress', null]] } }, 'test has not passed'],
    ['another one under way', { runs: { HEAD: [GREEN, ['lint', 'queued', null]] } }, 'under way'],
    ['a push that GitHub has not seen', { pulls: [{ headRefOid: '0'.repeat(40) }] }, 'last push'],
    ['a merge that is not tried yet', { pulls: [{ mergeable: 'UNKNOWN' }] }, 'last push'],
    ['no connection', { isDown: true }, "can't be asked"],
  ])('not yet: %s', (_name, hub, words) => {
    expect(stage().gate(hub)).toEqual({ exit: 75, says: expect.stringContaining(words) });
  });

  test.each<[string, Hub, string]>([
    ['a failed check', { runs: { HEAD: [['test', 'completed', 'failure']] } }, 'CI failed'],
    ['one that failed beside it', { runs: { HEAD: [GREEN, ['lint', 'completed', 'timed_out']] } }, 'lint'],
    [
      'a failure while others run',
      {
        runs: {
          HEAD: [
            ['a', 'queued', null],
            ['b', 'completed', 'failure'],
          ],
        },
      },
      'CI failed',
    ],
    ['no pull request', { pulls: [] }, 'gh pr create'],
    [
      'a conflict, for which no workflow runs',
      { pulls: [{ mergeable: 'CONFLICTING' }], runs: {} },
      'merge its base',
    ],
    ['one that was closed', { pulls: [{ state: 'CLOSED' }] }, 'CLOSED'],
    ['one that was merged, so that nothing is watched for ever', { pulls: [{ state: 'MERGED' }] }, 'MERGED'],
  ])('work for the agent: %s', (_name, hub, words) => {
    expect(stage().gate(hub)).toEqual({ exit: 1, says: expect.stringContaining(words) });
  });

  test('work for the agent: not committed, not pushed', () => {
    const { gate, git, work } = stage();
    writeFileSync(join(work, 'new.txt'), 'x');
    expect(gate()).toEqual({ exit: 1, says: expect.stringContaining('not committed') });
    git('add', '.');
    git('commit', '-qm', 'second');
    expect(gate()).toEqual({ exit: 1, says: expect.stringContaining('git push origin feature') });
    git('push', '-q', 'origin', 'feature');
    expect(gate().exit).toBe(0);
    git('checkout', '-q', '--detach');
    expect(gate()).toEqual({ exit: 1, says: expect.stringContaining('No branch') });
  });
});
