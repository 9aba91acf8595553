// @module-tag postgres
// @module-tag jq
/** The workflows for GitHub Actions: their steps run as a runner would, with stand-ins for npm and the agent. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitLine, openRecipeStage, readYaml, writeProgram, type RecipeStage } from './recipe-stage.ts';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>
  >;
}

const readWorkflow = (name: string) => readYaml(`github-actions/${name}.yml`)[0] as Workflow;

/** Runs the steps of a job one after the other, with these secrets, until one fails. */
function runJob(
  { stage, env }: RecipeStage,
  steps: readonly Step[],
  secrets: Record<string, string>,
  cwd: string,
) {
  const temporary = join(stage.root, 'runner');
  mkdirSync(temporary, { recursive: true });
  const output = join(temporary, 'output');
  writeFileSync(output, '');
  let said = '';
  for (const { run, env: own = {} } of steps) {
    if (run === undefined) continue;
    const values = Object.entries(own).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ secrets\.(\w+) \}\}/, (_, key: string) => secrets[key] ?? ''),
    ]);
    const all = { ...env, ...Object.fromEntries(values), RUNNER_TEMP: temporary, GITHUB_OUTPUT: output };
    // As a runner starts bash.
    const step = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], { cwd, env: all, encoding: 'utf8' });
    said += step.stdout + step.stderr;
    if (step.status !== 0) return { code: step.status, said, output: readFileSync(output, 'utf8') };
  }
  return { code: 0, said, output: readFileSync(output, 'utf8') };
}

test(
  'a matrix has a place for each loop that is due, and each place works on one',
  { timeout: 120_000 },
  async () => {
    const recipe = await openRecipeStage();
    const { stage } = recipe;
    writeProgram(stage, 'npm', 'exit 0');
    const { count, work } = readWorkflow('fleet').jobs;
    const secrets = { FLEET_READER_URL: stage.url, FLEET_WORKER_URL: stage.url, ANTHROPIC_API_KEY: 'key' };
    const places = () => runJob(recipe, count?.steps ?? [], secrets, stage.root).output.trim();
    const place = () => runJob(recipe, work?.steps ?? [], secrets, stage.root);
    expect(places()).toBe('places=[]');
    const id = await stage.submit('Work.\ndo: echo x >> x.txt', '--check', 'test -e x.txt');
    await stage.copy(id, 24);
    expect(JSON.parse(places().replace('places=', ''))).toEqual(Array.from({ length: 20 }, (_, k) => k));
    await stage.sql(`delete from dacapo.loop where id <> '${id}'`);
    const done = place();
    expect(done.code).toBe(0);
    expect(exitLine(done.said)).toMatchObject({ code: 0, loop: id, status: 'completed' });
    expect(existsSync(join(stage.root, 'runner/url'))).toBe(false);
    const idle = place();
    expect([idle.code, exitLine(idle.said)]).toMatchObject([0, { code: 69 }]);
    // The worker leaves before the job is killed.
    const [, hours, grace] = /--max-time (\d+)h --grace (\d+)m/.exec(work?.steps.at(-1)?.run ?? '') ?? [];
    expect(Number(hours) * 60 + Number(grace)).toBeLessThan(work?.['timeout-minutes'] ?? 0);
  },
);

test('a red pull request is proven green, and a green one needs no agent', { timeout: 60_000 }, async () => {
  const recipe = await openRecipeStage();
  const { stage } = recipe;
  const work = join(stage.root, 'work');
  execFileSync('git', ['-C', work, 'remote', 'add', 'origin', stage.repo], { env: stage.env });
  execFileSync('git', ['-C', work, 'push', '-q', '-u', 'origin', 'HEAD:main'], { env: stage.env });
  writeProgram(stage, 'npm', '[ "$1" != test ] || test -e green');
  const { proven } = readWorkflow('check').jobs;
  const check = (doing: string) => {
    const steps = (proven?.steps ?? []).map((step) => ({ ...step, env: { ...step.env, HOST_DO: doing } }));
    return runJob(recipe, steps, { ANTHROPIC_API_KEY: 'key' }, work).code;
  };
  expect(check('touch green')).toBe(0);
  expect(stage.git('ls-remote', 'origin', 'refs/heads/main')).toContain(stage.git('rev-parse', 'HEAD'));
  expect(stage.git('ls-files')).toContain('green');
  const passes = stage.passes().length;
  expect(check('exit 1')).toBe(0);
  expect(stage.passes()).toHaveLength(passes);
});
