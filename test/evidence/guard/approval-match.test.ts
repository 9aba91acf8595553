/**
 * Which calls need an approval: permission rules of the host, also inside compound commands and in other
 * spellings.
 */
import { describe, expect, it } from 'vitest';
import { approvalRule } from '#evidence/guard/approval-match.ts';
import { CLAUDE_CODE_NAME } from '#hosts/claude-code/names.ts';
import { actsOfCall } from '#hosts/tools/tools.ts';
import { ruleTools } from '#hosts/tables/rules.ts';
import { cpuMs } from '../../cpu.ts';

const PROJECT = '/project';
const TOOLS = ruleTools('claude-code');
const GROUND = { project: PROJECT, foldCase: false, behindLinks: (path: string) => path };

function bash(rule: string, command: string): string | null {
  const acts = actsOfCall({ tool_name: 'Bash', tool_input: { command }, cwd: PROJECT }, CLAUDE_CODE_NAME, {});
  return approvalRule(
    [rule],
    { tool: 'Bash', tools: TOOLS, acts: acts },
    GROUND,
    new Map([['HOME', '/home/me']]),
  );
}

function file(rule: string, path: string, tool = 'Write'): string | null {
  const acts = actsOfCall(
    {
      tool_name: tool,
      tool_input: { file_path: path, ...(tool === 'Write' ? { content: '' } : { old_string: 'a' }) },
      cwd: PROJECT,
    },
    CLAUDE_CODE_NAME,
    {},
  );
  return approvalRule([rule], { tool: tool, tools: TOOLS, acts: acts }, GROUND, new Map());
}

/** The lines that this rule lets through. */
const letThrough = (rule: string, lines: readonly string[]) =>
  lines.filter((line) => bash(rule, line) === null);

const PUSH = 'Bash(git push *)';

/** Every one needs an approval. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  'a plain line': [
    'git push',
    'git push origin main',
    'npm test && git push',
    'git add -A && git commit -m "x" && git push || true',
    'git  push   origin',
    'g\\it push',
    '"git" push',
    'git push > out.txt 2>&1 &',
    'git -C ../other push',
    'git -c user.name=x push origin',
    'git --git-dir .git --work-tree . push',
    '/usr/bin/git push',
    '/usr/lib/git-core/git-push origin',
    'GIT.exe push',
    'GIT_SSH=x git push',
  ],
  'lines that bash does not join': [
    '# a note \\\ngit push',
    'echo \\\\\ngit push',
    'echo a \\\r\ngit push',
    '# a note\\\ngit push',
    'npm test && \\\ngit push',
    'git pu\\\nsh',
  ],
  'a program in front': [
    'sudo --user me git push',
    'env A=b git push',
    "env -S 'git push'",
    'env -S"git push"',
    "env --split-string='git push'",
    'timeout 60 git push',
    "flock /tmp/l -c 'git push'",
    'npm exec -- git push',
    "npx -c 'git push'",
    'poetry run git push',
    'systemd-run git push',
    'ls | entr git push',
    "nodemon --exec 'git push'",
    'git submodule foreach git push',
    "git rebase -x 'git push' HEAD~1",
    'tar --checkpoint-action=exec="git push" cf a b',
    "sed '1e git push' a",
    'dacapo ready y --check "git push"',
    'dacapo run y --check=git\\ push',
  ],
  'more than plain commands': [
    '(cd sub && git push)',
    'echo $(git push)',
    'echo `git push`',
    'if true; then git push; fi',
    'for r in a b; do git push $r; done',
    'p() { git push; }; p',
    "alias gp='git push'; gp",
    'git config alias.p push && git p',
    "git -c alias.p='!git push' p",
    "git -c core.pager='git push' log",
    "GIT_PAGER='git push' git log",
    'coproc git push',
    'G=git; $G push',
    "cmd='git push'; $cmd",
    'cmd=(git push); ${cmd[@]}',
  ],
  'words that only the shell knows': [
    'git${IFS}push',
    'git push$IFS-f',
    'git $(echo push)',
    '$(which git) push',
    'git ${x:-push}',
    'git pu$@sh',
    'git pu${x}sh',
    'git $x',
    'git p?sh',
    '/usr/bin/gi? push',
    'git {push,origin}',
    "git $'\\x70ush'",
    'read c <<< "git push"; $c',
    'read x <<< push; git $x',
  ],
  'text that a program runs': [
    'bash -c "git push"',
    'eval "git push"',
    "echo 'git push' | sh",
    'echo git push | sh',
    "printf 'git %s' push | sh",
    'echo push | xargs git',
    'xargs -I{} git {} <<< push',
    'parallel git ::: push',
    'find . -name x -exec git push {} \\;',
    'cat <<EOF | bash\ngit push\nEOF',
    "bash <<'EOF'\ngit push\nEOF",
    '. <(echo git push)',
    `awk 'BEGIN{system("git push")}'`,
    "vim -c '!git push' -c q",
    "make -f - <<< 'a:; git push'",
    `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
    `node -e "require('child_process').execFileSync('git',['push'])"`,
  ],
};

describe('a rule about commands', () => {
  it.each(Object.entries(HELD))('holds %s', (_what, lines) => expect(letThrough(PUSH, lines)).toEqual([]));

  // docs/approvals.md says so: name such commands too.
  it.each([
    'git send-pack',
    'git subtree push -P a b',
    'npm run release',
    './push.sh',
    'gh api -X POST repos/a/b/merges',
  ])('does not know that %j pushes', (line) => expect(bash(PUSH, line)).toBeNull());

  it.each([
    'git pull',
    'git stash push',
    'git add push',
    'gitpush',
    'npm run pushing',
    'git commit -m "git push later"',
    `git commit -m "$(cat <<'EOF'\nDon't git push\nEOF\n)"`,
    "cat > NOTES.md <<'EOF'\ngit push\nEOF",
    'echo git push >> NOTES.md',
    '# later: git push\nnpm test',
    'grep -rn "git push" docs',
    'git -C "$dir" status',
    'git checkout $branch',
    'for f in *.ts; do git add $f; done',
    '$PYTHON -m pytest',
    'docker build -t push .',
    'find . -name "*.js" -exec node --check {} \\;',
    'cat a | xargs -n1 echo',
  ])('lets %j through', (line) => expect(bash(PUSH, line)).toBeNull());

  it.each([
    ['Bash', 'ls', true],
    ['Bash(*)', 'ls', true],
    ['Bash(npm publish)', 'npm publish', true],
    ['Bash(npm publish)', 'npm publish --tag x', false],
    ['Bash(npm publish:*)', 'cd a && npm publish --tag x', true],
    ['Bash(npm publish *)', 'npm install stripe', false],
    ['Bash(npm run deploy*)', 'npm run deploy:prod', true],
    ['Bash(*--force*)', 'npm i && git push --force', true],
    ['Bash(*--force*)', 'for r in a; do git push --force $r; done', true],
    ['Bash(npx vercel *)', 'cd web && npx vercel --prod', true],
    ['Bash(sudo *)', 'npm test && sudo rm x', true],
    ['Bash(ls *)', 'lsof', false],
  ])('%s and %j: %s', (rule, line, fits) => expect(bash(rule, line)).toBe(fits ? rule : null));
});

describe('a rule about files', () => {
  it.each([
    ['Write(deploy/**)', 'deploy/a.yml', true],
    ['Write(deploy/**)', '/project/deploy/sub/a.yml', true],
    ['Write(deploy/**)', 'src/../deploy/a.yml', true],
    ['Write(deploy/**)', 'src/deploy.ts', false],
    ['Write(/deploy/**)', 'deploy/a.yml', true],
    ['Write(./deploy/**)', 'deploy/a.yml', true],
    ['Write(deploy)', 'deploy/a.yml', true],
    ['Write(.env)', 'sub/.env', true],
    ['Write(*.pem)', 'keys/a.pem', true],
    ['Write(//etc/**)', '/etc/hosts', true],
    ['Write', 'anything.ts', true],
  ])('%s and %s: %s', (rule, path, fits) => expect(file(rule, path)).toBe(fits ? rule : null));

  it('is about every tool that writes files, and about the shell', () => {
    const rule = 'Write(deploy/**)';
    expect(file(rule, 'deploy/a.yml', 'Edit')).toBe(rule);
    const lines = [
      'echo x > deploy/a.yml',
      'npm test && cp a.yml deploy/',
      'cd deploy && echo x > a.yml',
      'cp --target-directory=deploy a',
      'git mv a deploy/a',
      'rm -rf deploy',
      'rm -rf .',
      'rm -rf d*',
      'sed -i s/a/b/ deploy/a.yml',
      'for f in a; do cp $f deploy/$f; done',
      'cd deploy && for f in a; do touch $f; done',
      'sh -c "echo x > deploy/a"',
      'echo deploy/a | xargs touch',
      `python3 -c "open('deploy/a', 'w')"`,
      `node -e "require('fs').writeFileSync('deploy/a', '')"`,
    ];
    expect(letThrough(rule, lines)).toEqual([]);
  });

  it.each([
    'cat deploy/a.yml',
    'sh -c "cat deploy/a"',
    'rm -rf dist',
    'echo x > src/deploy.ts',
    'touch *.md',
  ])('lets %j through', (line) => expect(bash('Write(deploy/**)', line)).toBeNull());
});

describe('a rule about a tool of a server', () => {
  it.each([
    ['mcp__bank', 'mcp__bank__pay', true],
    ['mcp__bank__pay', 'mcp__bank__pay', true],
    ['mcp__*pay*', 'mcp__bank__pay', true],
    ['mcp__bank', 'mcp__banking__pay', false],
  ])('%s and %s: %s', (rule, tool, fits) => {
    expect(approvalRule([rule], { tool: tool, tools: TOOLS, acts: [] }, GROUND, new Map())).toBe(
      fits ? rule : null,
    );
  });
});

describe('the starter list', () => {
  it('asks before what can not be taken back, with options between the words', () => {
    const lines = [
      'npm test && git push',
      'git send-pack',
      'git subtree push -P a b',
      'npm publish --access public',
      'npm -w a publish',
      'npm --prefix web run deploy',
      'kubectl -n prod delete pod x',
      'terraform -chdir=x apply',
      'make -C x deploy',
      'gh -R a/b pr merge 1',
      'cargo +nightly publish',
      'docker image push a',
      'yarn workspace a publish',
      'aws --profile p s3 rm s3://x',
      './deploy.sh prod',
      'vercel --prod',
      'dacapo run x --check vercel',
      'rm -rf /tmp/other',
      'cd .. && rm -rf other',
      'rm -rf ~/notes',
      'for f in ~/notes/*; do rm $f; done',
      'find /var/data -name "*.log" -delete',
      'stripe charges create --amount 100',
      'curl https://api.stripe.com/v1/charges -d amount=100',
    ];
    expect(letThrough('starter', lines)).toEqual([]);
  });

  it.each([
    'npm test',
    'git commit -m x',
    'rm -rf node_modules',
    'ls /tmp',
    'cp /tmp/a .',
    'npm run build',
    'npm install stripe',
    'kubectl get pods -n prod',
    'docker ps',
    'gh pr view 1',
    'for f in a b; do rm $f 2>/dev/null; done',
    'tmp=$(mktemp -d); npm pack --pack-destination "$tmp"; rm -rf "$tmp"',
  ])('lets %j through', (line) => expect(bash('starter', line)).toBeNull());

  it('knows tools that pay', () => {
    expect(
      approvalRule(
        ['starter'],
        { tool: 'mcp__stripe__create_charge', tools: TOOLS, acts: [] },
        GROUND,
        new Map(),
      ),
    ).not.toBeNull();
  });
});

it.each([
  'xargs a | '.repeat(5_000),
  `${'sh -c "'.repeat(2_000)}git push`,
  `git ${'-x '.repeat(40_000)}`,
  'git '.repeat(30_000),
  `bash -c "${'eval x | xargs '.repeat(3_000)}"`,
  '$HOME '.repeat(20_000),
  `"$(cat <<'E'\n`.repeat(8_000),
  'cd a && '.repeat(12_000),
])('a line that is made to be slow is judged in time (%#)', async (line) => {
  const took = await cpuMs(() => {
    bash('starter', line);
    bash('Bash(*a*b*c*d*e*)', line);
  });
  expect(took).toBeLessThan(3_000);
});

describe('rules in words for every host', () => {
  it.each([
    ['shell(git push *)', 'npm test && git push', true],
    ['shell(git push *)', 'npm test', false],
    ['shell', 'ls', true],
    ['write(deploy/**)', 'echo x > deploy/a.yaml', true],
    ['tool(*push*)', 'git push', false],
  ])('%s and the line %s', (rule, line, fits) => {
    expect(bash(rule, line)).toBe(fits ? rule : null);
  });

  it.each([
    ['write(deploy/**)', 'deploy/a.yaml', true],
    ['write(deploy/**)', 'src/a.ts', false],
    ['write', 'src/a.ts', true],
    ['shell(*)', 'src/a.ts', false],
  ])('%s and a write to %s', (rule, path, fits) => {
    for (const tool of ['Write', 'Edit']) expect(file(rule, path, tool)).toBe(fits ? rule : null);
  });

  it.each([
    ['tool(*bank*)', 'mcp__bank__pay', true],
    ['tool', 'mcp__bank__pay', true],
    ['tool(*bank*)', 'mcp__shop__list', false],
    ['tool(*)', 'Read', false],
  ])('%s and the tool %s', (rule, tool, fits) => {
    expect(approvalRule([rule], { tool: tool, tools: TOOLS, acts: [] }, GROUND, new Map())).toBe(
      fits ? rule : null,
    );
  });
});
