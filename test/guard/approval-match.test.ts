/** Which calls need an approval: permission rules of the host, also inside compound commands. */
import { describe, expect, it } from 'vitest';
import { approvalRule } from '../../src/guard/approval-match.ts';
import { actOf } from '../../src/hosts/claude-code/hook/tools.ts';

const PROJECT = '/project';
const GROUND = { project: PROJECT, foldCase: false, behindLinks: (path: string) => path };

function bash(rule: string | readonly string[], command: string): string | null {
  const act = actOf({ tool_name: 'Bash', tool_input: { command }, cwd: PROJECT }, PROJECT);
  return approvalRule([rule].flat(), 'Bash', act, GROUND, new Map([['HOME', '/home/me']]));
}

function file(rule: string, path: string, tool = 'Write'): string | null {
  const act = actOf({ tool_name: tool, tool_input: { file_path: path, content: '' }, cwd: PROJECT }, PROJECT);
  return approvalRule([rule], tool, act, GROUND, new Map());
}

describe('a rule about commands', () => {
  const PUSH = 'Bash(git push *)';

  it.each([
    'git push',
    'git push origin main',
    'npm test && git push',
    'npm test; git push -f',
    'git add -A && git commit -m "x" && git push || true',
    '(cd sub && git push)',
    'echo $(git push)',
    'echo `git push`',
    'if true; then git push; fi',
    'for r in a b; do git push $r; done',
    'sudo git push',
    'GIT_SSH=x git push',
    'env A=b git push',
    'timeout 60 git push',
    'git -C ../other push',
    'git -c user.name=x push origin',
    '/usr/bin/git push',
    'G=git; $G push',
    'bash -c "git push"',
    "sh -c 'npm test && git push'",
    'eval "git push"',
    'echo origin | xargs git push',
    'find . -name x -exec git push {} \\;',
    'bash <<EOF\nnpm test\ngit push\nEOF',
    `python3 -c "import os; os.system('git push')"`,
    `node -e "require('child_process').execSync('git push')"`,
    'p() { git push; }; p',
    'git  push   origin',
    'g\\it push',
    '"git" push',
    'git push > out.txt 2>&1 &',
    'nohup git push &',
    'npm test && \\\ngit push',
  ])('fits %j', (line) => {
    expect(bash(PUSH, line)).toBe(PUSH);
  });

  it.each([
    'git pull',
    'git status',
    'echo "git push later" > TODO.md',
    'npm run pushing',
    'gitpush',
    'git stash push',
  ])('does not fit %j', (line) => {
    expect(bash(PUSH, line)).toBeNull();
  });

  it.each([
    ['Bash', 'ls', true],
    ['Bash(*)', 'ls', true],
    ['Bash(npm publish)', 'npm publish', true],
    ['Bash(npm publish)', 'npm publish --tag x', false],
    ['Bash(npm publish:*)', 'cd a && npm publish --tag x', true],
    ['Bash(npm run deploy*)', 'npm run deploy:prod', true],
    ['Bash(*--force*)', 'npm i && git push --force', true],
    ['Bash(npx vercel *)', 'cd web && npx vercel --prod', true],
    ['Bash(sudo *)', 'npm test && sudo rm x', true],
    ['Bash(ls *)', 'lsof', false],
  ])('%s and %j: %s', (rule, line, fits) => {
    expect(bash(rule, line)).toBe(fits ? rule : null);
  });
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
  ])('%s and %s: %s', (rule, path, fits) => {
    expect(file(rule, path)).toBe(fits ? rule : null);
  });

  it('is about every tool that writes files, and about the shell', () => {
    const rule = 'Write(deploy/**)';
    expect(file(rule, 'deploy/a.yml', 'Edit')).toBe(rule);
    for (const line of [
      'echo x > deploy/a.yml',
      'npm test && cp a.yml deploy/',
      'cd deploy && echo x > a.yml',
      'rm -rf deploy',
      'sed -i s/a/b/ deploy/a.yml',
    ])
      expect([line, bash(rule, line)]).toEqual([line, rule]);
    expect(bash(rule, 'cat deploy/a.yml')).toBeNull();
  });
});

describe('a rule about a tool of a server', () => {
  it.each([
    ['mcp__bank', 'mcp__bank__pay', true],
    ['mcp__bank__pay', 'mcp__bank__pay', true],
    ['mcp__*pay*', 'mcp__bank__pay', true],
    ['mcp__bank', 'mcp__banking__pay', false],
  ])('%s and %s: %s', (rule, tool, fits) => {
    expect(approvalRule([rule], tool, null, GROUND, new Map())).toBe(fits ? rule : null);
  });
});

describe('the starter list', () => {
  it.each([
    'npm test && git push',
    'npm publish --access public',
    'cargo publish',
    'docker push me/app',
    'terraform apply -auto-approve',
    'kubectl delete ns prod',
    'npm run deploy',
    './deploy.sh prod',
    'vercel --prod',
    'rm -rf /tmp/other',
    'rm -rf ../other',
    'cd .. && rm -rf other',
    'rm -rf ~/notes',
    'find /var/data -name "*.log" -delete',
    'stripe charges create --amount 100',
    'curl https://api.stripe.com/v1/charges -d amount=100',
  ])('asks before %j', (line) => {
    expect(bash('starter', line)).not.toBeNull();
  });

  it.each([
    'npm test',
    'git commit -m x',
    'rm -rf node_modules',
    'rm dist/a.js',
    'ls /tmp',
    'cp /tmp/a .',
    'npm run build',
  ])('lets %j through', (line) => {
    expect(bash('starter', line)).toBeNull();
  });

  it('knows tools that pay', () => {
    expect(approvalRule(['starter'], 'mcp__stripe__create_charge', null, GROUND, new Map())).not.toBeNull();
  });
});

it('takes no longer for a long and hostile line', () => {
  const started = performance.now();
  bash('starter', `bash -c "${'bash -c x '.repeat(2_000)}"`);
  bash('Bash(*a*b*c*d*e*)', 'abcd'.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
