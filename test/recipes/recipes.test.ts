// @module-tag slow
/**
 * The commands of docs/recipes.md, as they stand there, with stand-ins for the agent and for the programs of
 * others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLI } from '../surfaces/cli/box.ts';
import { warmHome } from '../warm.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');

/** The commands under a heading. */
function recipes(heading: string): string[] {
  const [, section = ''] = PAGE.split(new RegExp(`^## ${heading}\n`, 'm'));
  const [own = ''] = section.split(/^## /m);
  return [...own.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block.trim());
}

test('every block of commands on the page has its test here, and each recipe fits on one screen', () => {
  const sections = PAGE.split(/^## /m).slice(1);
  const names = sections.map((section) => section.split('\n')[0] ?? '');
  const TESTED = ['Pull request and CI', 'Trackers', 'Sandbox', 'Phases', 'Several repositories'];
  expect(names.filter((name) => recipes(name).length > 0)).toEqual(TESTED);
  for (const name of TESTED) expect(recipes(name)).toHaveLength(1);
  expect(PAGE.match(/^```\w+$/gm)).toHaveLength(TESTED.length + 1);
  for (const section of sections) expect(section.split('\n').length).toBeLessThan(40);
});

function stage(programs: Readonly<Record<string, string>> = {}, parent = tmpdir()) {
  const root = realpathSync(mkdtempSync(join(parent, 'dc-recipe-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const [work, bin] = [join(root, 'work'), join(root, 'bin')];
  for (const folder of [work, bin]) mkdirSync(folder);
  const stands = {
    claude: `exec '${process.execPath}' '${ROOT}/test/fleet/host.mjs' "$@"`,
    dacapo: `exec '${process.execPath}' '${CLI}' "$@"`,
    npm: 'test -e green',
    ...programs,
  };
  for (const [name, script] of Object.entries(stands))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: root,
    DACAPO_HOME: join(root, 'dacapo'),
    HOST_DIR: root,
    IS_SANDBOX: '1',
    GIT_CONFIG_GLOBAL: join(root, 'gitconfig'),
  };
  warmHome(env.DACAPO_HOME);
  writeFileSync(env.GIT_CONFIG_GLOBAL, '[user]\n\tname = T\n\temail = t@example.org\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, env, encoding: 'utf8' }).trim();
  git('init', '-qb', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const sh = (script: string, more: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
      cwd: work,
      env: { ...env, ...more },
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { exit: status, says: stdout + stderr };
  };
  return {
    root,
    work,
    git,
    sh,
    loops: () => JSON.parse(sh('dacapo list --all --json').says) as { status: string }[],
  };
}

describe('trackers', () => {
  const [simple = ''] = recipes('Trackers');
  const lists = [...PAGE.matchAll(/^\| (\w+) \| `((?:gh|bd|jira|linear) [^`]*)`/gm)].map(
    ([, name = '', command = '']) => [name, command.replaceAll(String.raw`\|`, '|')] as const,
  );
  // What each command line prints.
  const TWO = [
    { number: 7, id: 'bd-7', key: 'AB-7', identifier: 'LIN-7', title: 'Seven', fields: { summary: 'Seven' } },
    { number: 8, id: 'bd-8', key: 'AB-8', identifier: 'LIN-8', title: 'Eight', fields: { summary: 'Eight' } },
  ];
  const printing = (value: unknown) => `cat <<'E'\n${JSON.stringify(value)}\nE`;
  const all = (script: string) => ({ gh: script, bd: script, jira: script, linear: script });
  const DONE = 'echo x >> log; touch green; echo "$PROMPT" | grep -oE "Seven|Eight" | head -1 >> items';

  test.each(lists)('%s: each item gets a turn', (_name, command) => {
    const { sh, work } = stage(all(printing(TWO)));
    const line = simple.replace(/--items-from "[^"]*"/, `--items-from '${command}'`);
    const run = sh(`${line} --pause 0`, {
      HOST_DO: DONE,
      HOST_SAYS: '<issue-complete>DONE</issue-complete>',
    });
    expect(run).toMatchObject({ exit: 0 });
    expect(readFileSync(join(work, 'items'), 'utf8').split('\n').filter(Boolean)).toEqual(['Seven', 'Eight']);
  });

  test.each([
    ['an empty list', printing([]), 'no open item'],
    ['a command that fails', 'echo "gh: not logged in" >&2; exit 4', 'not logged in'],
  ])('%s is an error, and never means that all is done', (_name, script, words) => {
    const { sh, loops } = stage(all(script));
    const run = sh(simple);
    expect(run.exit).not.toBe(0);
    expect(run.says).toContain(words);
    expect(loops().filter(({ status }) => status === 'completed')).toEqual([]);
  });
});

test('a pull request: while CI runs, no agent is called and no iteration is counted', () => {
  const [recipe = ''] = recipes('Pull request and CI');
  // CI is under way when it is asked first, and green from then on.
  const gh = `case "$1 $2" in
'pr list') echo "OPEN MERGEABLE $(git rev-parse HEAD)" ;;
*) echo >> ../asked; [ "$(wc -l < ../asked)" -gt 2 ] && echo 'completed success test' || echo 'in_progress null test' ;;
esac`;
  const { sh, work, root, git } = stage({ gh });
  copyFileSync(join(ROOT, 'examples/pull-request-gate.sh'), join(work, 'pull-request-gate.sh'));
  git('init', '-q', '--bare', join(root, 'origin.git'));
  git('remote', 'add', 'origin', join(root, 'origin.git'));
  writeFileSync(join(work, '.gitignore'), '.claude\n');
  git('add', '.');
  git('commit', '-qm', 'gate');
  const HOST_DO = 'touch green; git add green; git commit -qm green; git push -q origin main';
  const run = sh(recipe.replace('--recheck 60s', '--recheck 1s'), { HOST_DO });
  expect(run).toMatchObject({ exit: 0 });
  expect(run.says).toContain('not yet');
  expect(readFileSync(join(root, 'passes.jsonl'), 'utf8').match(/"is":"begins"/g)).toHaveLength(1);
});

test.each([...PAGE.matchAll(/Needs: `([^`]*)`/g)].map(([, flags = '']) => flags.replaceAll(/\s+/g, ' ')))(
  'a prompt that worked: dacapo run takes %s',
  (flags) => {
    const { sh, work } = stage({ npm: 'echo " ok 120"; test "$1" = run || test -e green' });
    writeFileSync(join(work, 'PLAN.md'), '- [ ] one\n');
    expect(sh(`dacapo run "Work." ${flags} --dry-run`)).toMatchObject({ exit: 0 });
  },
);

test('the tracker is told of each proven item, once', () => {
  const config = /```json\n([^`]*"item"[^`]*)```/.exec(PAGE)?.[1] ?? '';
  const [list = ''] = recipes('Trackers');
  const items = [
    { number: 7, title: 'Seven' },
    { number: 8, title: 'Eight' },
  ];
  const gh = `case "$2" in list) echo '${JSON.stringify(items)}' ;; *) echo "$PWD $@" >> ../told ;; esac`;
  const { sh, work, root } = stage({ gh });
  mkdirSync(join(root, 'dacapo'), { recursive: true });
  writeFileSync(join(root, 'dacapo/config.json'), config);
  const HOST_SAYS = '<issue-complete>DONE</issue-complete>';
  expect(sh(`${list} --pause 0`, { HOST_DO: 'echo x >> log; touch green', HOST_SAYS })).toMatchObject({
    exit: 0,
  });
  const told = () =>
    sh('for k in $(seq 100); do [ "$(wc -l < ../told)" = 2 ] && break; sleep 0.1; done; sort ../told').says;
  const line = (n: number) => `${work} issue comment ${n} --body Fixed and tested, not merged yet.\n`;
  expect(told()).toBe(line(7) + line(8));
});

describe('a sandbox', () => {
  const [recipe = ''] = recipes('Sandbox');

  test(
    'the agent writes its work tree and nothing else; the checks run outside',
    { tags: ['bubblewrap'] },
    () => {
      const outside = mkdtempSync('/var/tmp/dc-outside-');
      onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
      // The sandbox has a /dev of its own, where the tests may be.
      const { sh, work, git } = stage({}, '/tmp');
      copyFileSync(join(ROOT, 'examples/claude-in-a-sandbox.sh'), join(work, 'claude-in-a-sandbox.sh'));
      git('add', '.');
      git('commit', '-qm', 'sandbox');
      const run = sh(`${recipe} --check "touch ${outside}/check" --commit --pause 0`, {
        HOST_DO: `touch green; touch ${outside}/agent`,
        DACAPO_CLAUDE: '',
      });
      expect(run).toMatchObject({ exit: 0 });
      expect(sh(`ls ${outside}`).says).toBe('check\n');
      expect(sh('git log --all --format=%s --name-only | grep green').exit).toBe(0);
    },
  );

  test('without the sandbox nothing starts', () => {
    const { sh, work, git, root } = stage();
    copyFileSync(join(ROOT, 'examples/claude-in-a-sandbox.sh'), join(work, 'claude-in-a-sandbox.sh'));
    git('add', '.');
    git('commit', '-qm', 'sandbox');
    // All programs but the sandbox.
    const only = join(root, 'only');
    mkdirSync(only);
    sh(`for p in node sh git mkdir ls cat env; do ln -s "$(command -v $p)" ${only}/; done`);
    const run = sh(recipe, {
      PATH: `${root}/bin:${only}`,
      HOST_DO: 'touch green',
    });
    expect(run.exit).not.toBe(0);
    expect(run.says).toContain('claude-in-a-sandbox.sh does not report its version');
    expect(sh(`ls ${root}/passes.jsonl`).exit).not.toBe(0);
  });
});

test('phases: each has its own gate, and one that is not proven stops the rest', () => {
  const [recipe = ''] = recipes('Phases');
  const fast = (script: string) => script.replaceAll(/ (--check "grep)/g, ' --pause 0 $1');
  const works = stage();
  const HOST_DO = `case "$PROMPT" in
*"Write PLAN.md"*) echo '- [ ] one' > PLAN.md ;;
*"Work through PLAN.md"*) touch green; sed -i 's/\\[ \\]/[x]/' PLAN.md ;;
*"Review the branch"*) echo 'nothing is missing' > REVIEW.md ;;
esac`;
  expect(works.sh(fast(recipe), { HOST_DO })).toMatchObject({ exit: 0 });
  expect(works.loops().map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  const fails = stage();
  const idle = fails.sh(fast(recipe).replace(' --commit &&', ' --max-iterations 1 --commit &&'), {
    HOST_DO: 'true',
  });
  expect(idle.exit).not.toBe(0);
  expect(fails.loops()).toHaveLength(1);
});

test('several repositories: one loop above them', () => {
  const [recipe = ''] = recipes('Several repositories');
  const { sh, work } = stage();
  for (const name of ['service', 'client']) {
    mkdirSync(join(work, name));
    writeFileSync(join(work, name, 'Makefile'), 'test:\n\ttest -e renamed\n');
    execFileSync('git', ['init', '-q'], { cwd: join(work, name) });
  }
  const HOST_DO = 'if [ -e service/renamed ]; then touch client/renamed; else touch service/renamed; fi';
  expect(sh(`${recipe} --pause 0`, { HOST_DO })).toMatchObject({ exit: 0 });
});
