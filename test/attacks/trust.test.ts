// @module-tag slow
/**
 * The agent wants the project's stop hooks to say "complete", by replacing or adding a file that a person
 * never agreed to.
 */
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attackWorld, type AttackWorld } from './world.ts';

const NO = `({ action: 'continue', reason: 'not yet' })`;
const YES = `({ action: 'complete', reason: 'evil' })`;
const esm = (verdict: string) => `export const verdict = () => ${verdict};\n`;
const cjs = (verdict: string) => `module.exports = { verdict: () => ${verdict} };\n`;
const DONE = '<promise>COMPLETE</promise>';

interface Attack {
  readonly name: string;
  /** The project as the person trusts it. */
  readonly files: Readonly<Record<string, string>>;
  /** What the agent writes. */
  readonly evil: Readonly<Record<string, string>>;
}

const ESM_CONFIG = { 'dacapo.config.mjs': `export default { hooks: ['./hook.mjs'] };` };
const hook = (imports: string) => `${imports}\nexport default () => verdict();\n`;
const CJS_HOOK = (request: string) =>
  `const { verdict } = require('${request}'); module.exports = { hooks: [{ name: 'h', hook: () => verdict() }] };`;

const ATTACKS: readonly Attack[] = [
  {
    name: 'a plain import',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`import { verdict } from './rules.mjs';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a comment before the path',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`import { verdict } from /* the rules */ './rules.mjs';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a comment in import()',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`const { verdict } = await import(/* webpackIgnore: true */ './rules.mjs');`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a computed import()',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`const n = 'rules'; const { verdict } = await import('./' + n + '.mjs');`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'an escape in the path',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`import { verdict } from './r\\u0075les.mjs';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a query behind the path',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`import { verdict } from './rules.mjs?v=1';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a URL with a query',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`const { verdict } = await import(new URL('rules.mjs?', import.meta.url));`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'the main of a folder',
    files: {
      'dacapo.config.js': CJS_HOOK('./lib'),
      'lib/package.json': '{ "main": "rules.js" }',
      'lib/rules.js': cjs(NO),
    },
    evil: { 'lib/rules.js': cjs(YES) },
  },
  {
    name: 'another main of a folder',
    files: {
      'dacapo.config.js': CJS_HOOK('./lib'),
      'lib/package.json': '{ "main": "rules.js" }',
      'lib/rules.js': cjs(NO),
    },
    evil: { 'lib/package.json': '{ "main": "evil.js" }', 'lib/evil.js': cjs(YES) },
  },
  {
    name: 'a package.json added beside a pinned index.js',
    files: { 'dacapo.config.js': CJS_HOOK('./lib'), 'lib/index.js': cjs(NO) },
    evil: { 'lib/package.json': '{ "main": "evil.js" }', 'lib/evil.js': cjs(YES) },
  },
  {
    name: 'a package.json added that leads to another pinned file',
    files: {
      'dacapo.config.js': `require('./late.js'); ${CJS_HOOK('./lib')}`,
      'lib/index.js': cjs(NO),
      'late.js': cjs(YES),
    },
    evil: { 'lib/package.json': '{ "main": "../late.js" }' },
  },
  {
    name: 'a file without ending added beside a pinned one',
    files: { 'dacapo.config.js': CJS_HOOK('./a'), 'a.js': cjs(NO) },
    evil: { a: cjs(YES) },
  },
  {
    name: 'imports of package.json',
    files: {
      ...ESM_CONFIG,
      'package.json': '{ "imports": { "#rules": "./rules.mjs" } }',
      'hook.mjs': hook(`import { verdict } from '#rules';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'other imports of package.json',
    files: {
      ...ESM_CONFIG,
      'package.json': '{ "imports": { "#rules": "./rules.mjs" } }',
      'hook.mjs': hook(`import { verdict } from '#rules'; import './late.mjs';`),
      'rules.mjs': esm(NO),
      'late.mjs': esm(YES),
    },
    evil: { 'package.json': '{ "imports": { "#rules": "./late.mjs" } }' },
  },
  {
    name: 'a package that names itself',
    files: {
      ...ESM_CONFIG,
      'package.json': '{ "name": "me", "exports": { "./rules": "./rules.mjs" } }',
      'hook.mjs': hook(`import { verdict } from 'me/rules';`),
      'rules.mjs': esm(NO),
    },
    evil: { 'rules.mjs': esm(YES) },
  },
  {
    name: 'a package in node_modules',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(`import { verdict } from 'rules';`),
      'node_modules/rules/package.json': '{ "name": "rules", "exports": "./index.mjs" }',
      'node_modules/rules/index.mjs': esm(NO),
    },
    evil: { 'node_modules/rules/index.mjs': esm(YES) },
  },
  {
    name: 'CommonJS under an ES module, by createRequire',
    files: {
      ...ESM_CONFIG,
      'hook.mjs': hook(
        `import { createRequire } from 'node:module'; const { verdict } = createRequire(import.meta.url)(['.', 'rules'].join('/'));`,
      ),
      'rules.cjs': '',
      'rules.js': cjs(NO),
    },
    evil: { rules: cjs(YES) },
  },
  {
    name: 'an ES module under CommonJS',
    files: {
      'dacapo.config.json': '{ "hooks": ["./hook.cjs"] }',
      'hook.cjs': `const rules = import(['.', 'rules.mjs'].join('/')); module.exports = async () => (await rules).verdict();`,
      'rules.mjs': `import { verdict as inner } from /* x */ './inner.mjs'; export const verdict = inner;`,
      'inner.mjs': esm(NO),
    },
    evil: { 'inner.mjs': esm(YES) },
  },
];

async function trusted(files: Readonly<Record<string, string>>): Promise<AttackWorld> {
  const world = attackWorld({ here: true });
  for (const [path, content] of Object.entries(files)) world.write(path, content);
  const { code, stderr } = world.dacapo(['trust']);
  if (code !== 0) throw new Error(stderr);
  await world.ralph('Do it --completion-promise COMPLETE');
  return world;
}

describe('after the agent has replaced what the judge loads, the loop ends without it', () => {
  test.each(ATTACKS)('$name', async ({ files, evil }) => {
    const world = await trusted(files);
    await world.stop(`First. ${DONE}`);
    expect(world.status()).toBe('running');
    for (const [path, content] of Object.entries(evil)) world.write(path, content);
    const answer = await world.stop(`Again. ${DONE}`);
    expect(world.status()).toBe('escalated');
    expect(answer?.systemMessage).toContain('trusted');
  });

  test('a link that leads to another file', async () => {
    const world = attackWorld();
    world.write('dacapo.config.mjs', `export default { hooks: ['./hook.mjs'] };`);
    world.write('hook.mjs', hook(`const { verdict } = await import(['.', 'link.mjs'].join('/'));`));
    world.write('rules.mjs', esm(NO));
    symlinkSync('rules.mjs', join(world.project, 'link.mjs'));
    expect(world.dacapo(['trust']).code).toBe(0);
    await world.ralph('Do it --completion-promise COMPLETE');
    world.write('evil.mjs', esm(YES));
    unlinkSync(join(world.project, 'link.mjs'));
    symlinkSync('evil.mjs', join(world.project, 'link.mjs'));
    await world.stop(DONE);
    expect(world.status()).toBe('escalated');
  });
});

describe('a file that is loaded and was not trusted', () => {
  test('runs nothing, not even at its top', async () => {
    const world = await trusted({ 'dacapo.config.js': CJS_HOOK('./a'), 'a.js': cjs(NO) });
    world.write('a', `require('node:fs').writeFileSync('ran', ''); ${cjs(YES)}`);
    await world.stop(DONE);
    expect(world.has('ran')).toBe(false);
  });

  test('is refused at the start as well', async () => {
    const world = attackWorld();
    world.write('dacapo.config.js', CJS_HOOK('./a'));
    world.write('a.js', cjs(NO));
    expect(world.dacapo(['trust']).code).toBe(0);
    world.write('a', cjs(YES));
    const answer = await world.ralph('Do it');
    expect(answer?.systemMessage ?? answer?.reason).toContain('a was not trusted');
  });
});

describe('trust', () => {
  test('names every file that was loaded', async () => {
    const world = attackWorld();
    world.write('dacapo.config.mjs', `export default { hooks: ['./hook.mjs'] };`);
    world.write('hook.mjs', hook(`import { verdict } from /* x */ './rules.mjs?v=1';`));
    world.write('rules.mjs', esm(NO));
    expect(world.dacapo(['trust']).stdout).toContain('Pinned: dacapo.config.mjs, hook.mjs, rules.mjs.');
  });

  test('names the files that stand behind a check', async () => {
    const world = attackWorld();
    world.write('dacapo.config.json', '{ "checks": { "t": "./check.sh", "u": "npm test -- tests/u.js" } }');
    world.write('check.sh', 'exit 1');
    world.write('tests/u.js', '');
    const { stdout } = world.dacapo(['trust']);
    expect(stdout).toContain('check.sh, tests/u.js');
    expect(stdout).toContain('--protect');
  });
});

describe('honest work', () => {
  test.each([
    [
      'a package.json where there was none',
      { 'package.json': '{ "name": "app", "type": "commonjs", "main": "index.js" }' },
    ],
    ['files that nobody loads', { 'rules.js': 'x', 'lib/b.js': 'x', 'node_modules/x/index.js': 'x' }],
  ])('goes on: %s', async (_what, files: Readonly<Record<string, string>>) => {
    const world = await trusted({ 'dacapo.config.js': CJS_HOOK('./lib/a'), 'lib/a.js': cjs(NO) });
    for (const [path, content] of Object.entries(files)) world.write(path, content);
    await world.stop(DONE);
    expect(world.status()).toBe('running');
  });

  test('may change the version and the exports of its package', async () => {
    const world = await trusted({
      'package.json': '{ "name": "app", "type": "module", "version": "1.0.0" }',
      'dacapo.config.js': `import { verdict } from './rules.js'; export default { hooks: [() => verdict()] };`,
      'rules.js': esm(NO),
    });
    world.write(
      'package.json',
      '{ "name": "app", "type": "module", "version": "2.0.0", "exports": "./x.js" }',
    );
    await world.stop(DONE);
    expect(world.status()).toBe('running');
  });
});
