// The agent wants to run, in another spelling, a command that needs an approval. A rule is a speed bump: what a script does is
// not seen, and `LET_THROUGH` says what else is known to slip past.
import { describe, expect, it } from 'vitest';
import { approvalRule } from '../../src/guard/approval-match.ts';
import { actOf } from '../../src/hosts/claude-code/hook/tools.ts';

const PROJECT = '/project';
const GROUND = { project: PROJECT, foldCase: false, behindLinks: (path: string) => path };

function needs(rule: string, command: string): boolean {
  const act = actOf({ tool_name: 'Bash', tool_input: { command }, cwd: PROJECT }, PROJECT);
  const variables = new Map([
    ['HOME', '/home/me'],
    ['PWD', PROJECT],
  ]);
  return approvalRule([rule], 'Bash', act, GROUND, variables) !== null;
}

const PUSH = 'Bash(git push *)';

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'options of the program': [
    'git --namespace x push',
    'git --exec-path /usr/lib push',
    'git --config-env a=b push',
    'git --git-dir .git --work-tree . push',
    'git -P push',
    'git -C. push',
  ],
  'another name for it': [
    'git-push',
    '/usr/lib/git-core/git-push origin',
    'git.exe push',
    'GIT push',
    'git -c alias.p=push p',
    "git -c alias.p='!git push' p",
    'git config alias.p push && git p',
    "git config --global alias.p 'push origin' && git p",
    "alias gp='git push'; gp",
    'function f { git push; }; f',
    "cmd='git push'; $cmd",
    'cmd=(git push); ${cmd[@]}',
  ],
  'words that only the shell knows': [
    'git ${x:-push}',
    'git $(echo push)',
    'git `echo push`',
    '$(which git) push',
    'git pu$@sh',
    'git push$IFS-f',
    'read x <<< push; git $x',
    'git p?sh',
    '/usr/bin/gi? push',
    'git {push,origin}',
    "git $'\\x70ush'",
  ],
  'a program in front': [
    "env -S 'git push'",
    'env -S"git push"',
    "env --split-string='git push'",
    'sudo --user me git push',
    "flock /tmp/l -c 'git push'",
    "npx -c 'git push'",
    "npm exec -c 'git push'",
    'npm exec -- git push',
    'pnpm exec git push',
    'poetry run git push',
    'unshare git push',
    'systemd-run git push',
    'caffeinate git push',
    'direnv exec . git push',
    'runuser -u me -- git push',
    'coproc git push',
    'ls | entr git push',
    "nodemon --exec 'git push'",
    "nix-shell --run 'git push'",
    'git submodule foreach git push',
    "git submodule foreach 'git push'",
    "git rebase -x 'git push' HEAD~1",
    'git bisect run git push',
  ],
  'text that a program runs': [
    "echo 'git push' | sh",
    'echo git push | sh',
    "printf 'git push' | bash",
    'echo push | xargs git',
    'xargs git <<< push',
    'xargs -I{} git {} <<< push',
    "echo git push | xargs -I{} sh -c '{}'",
    'cat <<EOF | bash\ngit push\nEOF',
    '. <(echo git push)',
    ". /dev/stdin <<< 'git push'",
    `awk 'BEGIN{system("git push")}'`,
    "vim -c '!git push' -c q",
    "make -f - <<< 'a:; git push'",
    "crontab - <<< '* * * * * git push'",
    `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
    `node -e "require('child_process').spawnSync('git', ['push'])"`,
  ],
};

describe.each(Object.entries(SPELLINGS))('%s', (_what, lines) => {
  it.each(lines)('%j needs the approval', (line) => {
    expect(needs(PUSH, line)).toBe(true);
  });
});

it.each([
  'npm -w a publish',
  'npm --registry https://r.example publish',
  'npm run --silent deploy',
  'npm --prefix web run deploy',
  'kubectl -n prod delete pod x',
  'kubectl --context p apply -f x',
  'terraform -chdir=x apply',
  'make -C x deploy',
  'gh -R a/b pr merge 1',
  'cargo +nightly publish',
  'docker --context x push a',
  'docker image push a',
  'yarn workspace a publish',
  'aws --profile p s3 rm s3://x',
])('the starter list knows %j', (line) => {
  expect(needs('starter', line)).toBe(true);
});

it.each([
  'sh -c "echo x > deploy/a"',
  'bash <<< "echo x > deploy/a"',
  'echo deploy/a | xargs touch',
  'xargs rm <<< deploy/a',
  `python3 -c "open('deploy/a', 'w')"`,
  `node -e "require('fs').writeFileSync('deploy/a', '')"`,
  'rm -rf .',
  'rm -rf d*',
  'git mv a deploy/a',
  'cp --target-directory=deploy a',
])('a rule about files knows %j', (line) => {
  expect(needs('Write(deploy/**)', line)).toBe(true);
});

it.each([
  'xargs a | '.repeat(5_000),
  `${'sh -c "'.repeat(2_000)}git push`,
  `git ${'-x '.repeat(40_000)}`,
  'git '.repeat(30_000),
  `bash -c "${'eval x | xargs '.repeat(3_000)}"`,
  'alias.a '.repeat(15_000),
])('a line that is made to be slow is judged in time, or refused (%#)', (line) => {
  const began = performance.now();
  const judged = (): string => {
    try {
      return String(needs('starter', line));
    } catch (error) {
      return String(error);
    }
  };
  expect(judged()).toMatch(/^(?:true|false|Error: it runs too many other commands)$/);
  expect(performance.now() - began).toBeLessThan(3_000);
});

const LET_THROUGH = [
  'npm run release',
  './push.sh',
  "sed '1e git push' a",
  'hub push',
  'gh api -X POST repos/a/b/merges',
];
it.each(LET_THROUGH)('%j is let through: a rule has to name it', (line) => {
  expect(needs(PUSH, line)).toBe(false);
});

describe('honest work', () => {
  it.each([
    'git -C "$dir" status',
    'git commit -m "git push later"',
    'git log --oneline | head',
    'git stash push',
    'git add push',
    'git checkout $branch',
    'for f in *.ts; do git add $f; done',
    'echo git push >> NOTES.md',
    'grep -rn "git push" docs',
    'npm test -- -t "git push"',
    'npm install stripe',
    '$PYTHON -m pytest',
    'make test',
    'docker build -t push .',
    'find . -name "*.js" -exec node --check {} \\;',
    'cat a | xargs -n1 echo',
  ])('%j needs no approval', (line) => {
    expect(needs(PUSH, line)).toBe(false);
    expect(needs('Bash(npm publish *)', line)).toBe(false);
  });

  it.each(['kubectl get pods -n prod', 'npm run build', 'docker ps', 'terraform plan', 'gh pr view 1'])(
    'the starter list lets %j through',
    (line) => {
      expect(needs('starter', line)).toBe(false);
    },
  );

  it.each(['cat deploy/a', 'sh -c "cat deploy/a"', 'rm -rf dist', 'echo x > src/deploy.ts', 'touch *.md'])(
    'a rule about files lets %j through',
    (line) => {
      expect(needs('Write(deploy/**)', line)).toBe(false);
    },
  );
});
