/** Nothing that a project ships runs before its person agreed to exactly that (design §10). */
import { outermostOf } from '#law/loop.ts';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resumeLoop } from '#engine/steer/control.ts';
import { trust as trustAsPerson } from '#engine/trust/trust.ts';
import { configured, put, trust } from './configured.ts';
import { DONE, Stage, toPerson } from './stage.ts';

const CONFIG = 'dacapo.config.mjs';
const TELLTALE = `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default { checks: { tests: 'true' } };`;

function resume(stage: Stage): void {
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  resumeLoop(
    open,
    { by: 'terminal', session: 's1', process: 100, prompt: null, iterations: null },
    stage.runtime(),
  );
  open.close();
}

describe('a start', () => {
  it('in a project with an untrusted config is refused with the next step, and runs nothing of it', async () => {
    const stage = new Stage();
    put(stage, CONFIG, TELLTALE);
    const answer = await stage.command('start', 'Do it.');
    expect(answer.is).toBe('close');
    expect(toPerson(answer)).toContain('dacapo.config.mjs is not trusted yet');
    expect(toPerson(answer)).toContain(
      'run dacapo trust in a terminal of your own, or start with --config none',
    );
    expect(existsSync(join(stage.project, 'ran'))).toBe(false);
    expect(stage.loops()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('by a link to the project finds what was trusted', async () => {
    const stage = configured(`{ checks: { tests: 'true' } }`);
    const link = join(stage.home.dir, '..', 'link');
    symlinkSync(stage.project, link);
    const loop = await stage.start('Do it.', { project: link });
    expect(loop.config?.file).toBe(CONFIG);
    await stage.stop(DONE, { from: { project: link } });
    expect(stage.status()).toBe('completed');
  });

  it('without it is possible', async () => {
    const stage = new Stage();
    put(stage, CONFIG, TELLTALE);
    const loop = await stage.start('Do it. --config none');
    expect(loop.config).toBeNull();
    expect(existsSync(join(stage.project, 'ran'))).toBe(false);
  });

  it('after a change is refused, and says which file', async () => {
    const stage = configured(`{ hooks: ['./hooks/size.mjs'] }`);
    put(stage, 'hooks/size.mjs', `import { most } from './most.mjs'; export default () => most;`);
    put(stage, 'hooks/most.mjs', `export const most = { action: 'complete', reason: 'small' };`);
    trust(stage, CONFIG, ['hooks/size.mjs', 'hooks/most.mjs']);
    put(stage, 'hooks/most.mjs', `export const most = { action: 'complete', reason: 'whatever' };`);
    const answer = toPerson(await stage.command('start', 'Do it.'));
    expect(answer).toContain('hooks/most.mjs has changed since dacapo.config.mjs was trusted');
  });

  it('what a person types is agreed', async () => {
    const stage = new Stage();
    await stage.start('Do it. --check true');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['{ check: {} }', 'config.check is not a field of the config. Did you mean checks?'],
    ['{ checks: { tests: 3 } }', 'config.checks.tests is 3. It must be a command'],
    ['{ checks: { a: "true", b: "true" } }', 'runs the same command as another check'],
    ['{}', 'config has neither a check nor a hook'],
    ['{ hooks: [{ type: "maxfiles" }] }', 'config.hooks[0].type is "maxfiles"'],
    ['{ checks: { a: "true" }, checksTimeout: "soon" }', 'config.checksTimeout is "soon"'],
    ['{ hooks: [{ hook: () => 1, nme: "x" }] }', 'Did you mean name?'],
  ])('with the config %s is refused: %s', async (config, why) => {
    const stage = configured(config);
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain(why);
  });

  it('with two configs asks which one is meant', async () => {
    const stage = configured('{ checks: { a: "true" } }');
    put(stage, 'dacapo.config.json', '{"checks": {"b": "true"}}');
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain('there are several configs here');
    trust(stage, 'dacapo.config.json');
    const loop = await stage.start('Do it. --config dacapo.config.json');
    expect(loop.config?.file).toBe('dacapo.config.json');
  });

  it.runIf(Number(process.versions.node.split('.')[0]) < 22)(
    'with a TypeScript config that this Node can’t read names the remedy',
    async () => {
      const stage = new Stage();
      put(stage, 'dacapo.config.ts', 'export default { checks: { a: "true" } };');
      trust(stage, 'dacapo.config.ts');
      const answer = toPerson(await stage.command('start', 'Do it.'));
      expect(answer).toMatch(
        /does not read TypeScript. Use Node 22.18 or later .* or write .*dacapo.config.mjs/,
      );
    },
  );

  it('with defineConfig from a package that is not installed names the remedy', async () => {
    const stage = new Stage();
    put(
      stage,
      CONFIG,
      `import { defineConfig } from 'dacapo'; export default defineConfig({ checks: { a: 'true' } });`,
    );
    trust(stage);
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain('`npm install --save-dev FOLDER`');
  });

  it('with a syntax error names the line', async () => {
    const stage = configured(`{\n  hooks: [ }`);
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain('(dacapo.config.mjs, line 2)');
  });

  it('with a hook module that can’t be loaded is refused, and not found out at the first stop', async () => {
    const stage = new Stage();
    put(stage, 'package.json', '{ "type": "module" }');
    put(stage, 'stop.js', 'module.exports = () => ({ allowExit: true });');
    put(stage, CONFIG, `export default { hooks: [{ stopJs: './stop.js' }] };`);
    trust(stage, CONFIG, ['stop.js']);
    expect(toPerson(await stage.command('start', 'Do it.'))).toContain('module is not defined');
    expect(stage.loops()).toEqual([]);
  });

  it('a byte order mark before the JSON does no harm', async () => {
    const stage = configured('\uFEFF{ "checks": { "tests": "true" } }\r\n', 'dacapo.config.json');
    expect(outermostOf(await stage.start('Do it.')).gates).toMatchObject([{ command: 'true' }]);
  });

  it('a CommonJS config does as well', async () => {
    const stage = new Stage();
    put(stage, 'dacapo.config.js', `module.exports = { checks: { tests: 'true' }, parallel: true };`);
    trust(stage, 'dacapo.config.js');
    const loop = await stage.start('Do it.');
    expect(loop.limits.checking.parallel).toBeGreaterThan(1);
    expect(outermostOf(loop).gates).toMatchObject([{ kind: 'check', name: 'tests', command: 'true' }]);
  });
});

describe('a config that changes during a loop', () => {
  it('escalates at the next stop and runs nothing of it; after trust and resume the loop goes on', async () => {
    const stage = configured(
      `{ hooks: [{ name: 'no', hook: () => ({ action: 'continue', reason: 'no' }) }] }`,
    );
    await stage.start('Do it.');
    expect((await stage.stop('One.')).is).toBe('continue');
    put(
      stage,
      CONFIG,
      `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default { hooks: [() => ({ action: 'complete', reason: 'yes' })] };`,
    );
    const ended = await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
    expect(toPerson(ended)).toContain(
      'dacapo.config.mjs has changed since dacapo.config.mjs was trusted (an edit, or tampering). Look at it, then run dacapo trust in a terminal of your own, then dacapo resume',
    );
    expect(existsSync(join(stage.project, 'ran'))).toBe(false);

    trust(stage);
    resume(stage);
    await stage.prompt('go on');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['deleted', (stage: Stage) => put(stage, CONFIG, '')],
    ['no longer trusted', (stage: Stage) => stage.store.trust.drop({ project: stage.project, file: CONFIG })],
  ])('or is %s: the same', async (_how, act) => {
    const stage = configured(`{ checks: { tests: 'true' } }`);
    await stage.start('Do it.');
    act(stage);
    await stage.stop();
    expect(stage.status()).toBe('escalated');
  });

  it('by a check that has just run: nothing of it is run either', async () => {
    const stage = configured(
      `{ checks: { sly: 'echo "export default { hooks: [() => ({ action: \\'complete\\', reason: \\'x\\' })] }" > dacapo.config.mjs' }, hooks: [() => ({ action: 'continue', reason: 'no' })] }`,
    );
    await stage.start('Do it.');
    expect(toPerson(await stage.stop())).toContain('dacapo.config.mjs has changed since');
    expect(stage.status()).toBe('escalated');
  });

  it('a module in a folder with a space, after a comment with an apostrophe, is pinned as well', async () => {
    const stage = new Stage();
    put(stage, 'my hooks/more rules.mjs', `export const n = 1;`);
    put(stage, 'my hooks/review.mjs', `import './more rules.mjs'; export default () => 1;`);
    put(stage, CONFIG, `// It's ours, don't ask.\nexport default { hooks: ['./my hooks/review.mjs'] };`);
    const { project } = stage;
    const trusted = await trustAsPerson({ project, config: null }, stage.runtime());
    expect(trusted.ok && trusted.pinned.files.map(({ file }) => file)).toEqual([
      CONFIG,
      'my hooks/more rules.mjs',
      'my hooks/review.mjs',
    ]);
  });

  it('a hook module that the agent rewrites is found out', async () => {
    const stage = configured(`{ hooks: [{ stopJs: 'stop.cjs' }] }`);
    put(stage, 'stop.cjs', `module.exports = () => ({ allowExit: false })`);
    trust(stage, CONFIG, ['stop.cjs']);
    await stage.start('Do it. --completion-promise COMPLETE');
    expect((await stage.stop(DONE)).is).toBe('continue');
    put(stage, 'stop.cjs', `module.exports = () => ({ allowExit: true })`);
    expect(toPerson(await stage.stop(`Now. ${DONE}`))).toContain('stop.cjs has changed since');
  });
});
