// The arrows of the design are held by dependency-cruiser, the purity of the law by the linter as well.
// Here each rule is made to bite, in a tree of our own.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const CLEAN = {
  'package.json':
    '{ "type": "module", "imports": { "#*": "./src/*" }, "devDependencies": { "some-library": "1.0.0" } }',
  'node_modules/some-library/package.json':
    '{ "name": "some-library", "version": "1.0.0", "exports": "./index.js" }',
  'node_modules/some-library/index.js': 'export const library = 1;',
  'test/model.ts': 'export const model = 1;',
  'src/base/shape.ts': `export type Shape = string;`,
  'src/base/files/read.ts': `import 'node:fs'; import type { Shape } from '../shape.ts'; export type Read = Shape;`,
  'src/law/loop.ts': `import type { Shape } from '#base/shape.ts'; export type Loop = { id: Shape };`,
  'src/law/fold/index.ts': `import type { Loop } from '../loop.ts'; import '../fold/inner.ts'; export type Fold = Loop;`,
  'src/law/fold/inner.ts': `import type { Loop } from '../loop.ts'; export type Inner = Loop;`,
  'src/telling/say.ts': `import type { Fold } from '#law/fold/index.ts'; export const say = (loop: Fold) => loop.id;`,
  'src/input/table.ts': `import type { Loop } from '#law/loop.ts'; export const table = (loop: Loop) => loop.id;`,
  'src/store/store.ts': `import 'node:fs'; import type { Loop } from '#law/loop.ts'; export type Store = Loop[];`,
  'src/store/file/store.ts': `import type { Store } from '../store.ts'; export const fileStore = [] as Store;`,
  'src/hosts/port/host.ts': `import { say } from '#telling/say.ts'; import type { Read } from '#base/files/read.ts'; export const host = [say] as unknown as Read;`,
  'src/hosts/claude-code/read.ts': `import { host } from '../port/host.ts'; export const claude = host;`,
  'src/hosts/tables/registry.ts': `import { claude } from '../claude-code/read.ts'; export const hosts = [claude];`,
  'src/evidence/git/git.ts': `import type { Store } from '#store/store.ts'; export const git = [] as Store;`,
  'src/evidence/lists/items.ts': `import { table } from '#input/table.ts'; export const items = table;`,
  'src/evidence/views/view.ts': `import { items } from '../lists/items.ts'; import { git } from '../git/git.ts'; import { host } from '#hosts/port/host.ts'; export const view = [items, git, host];`,
  'src/evidence/proofs/promise/markdown.ts': `import { library } from 'some-library'; export const tokens = library;`,
  'src/evidence/proofs/tags.ts': `import { tokens } from './promise/markdown.ts'; import { view } from '../views/view.ts'; export const tags = [tokens, view];`,
  'src/evidence/guard/judge.ts': `import { tags } from '../proofs/tags.ts'; export const guard = tags;`,
  'src/engine/process-runtime.ts': `import '#store/file/store.ts'; import { notice } from './notices/sink.ts'; export const runtime = notice;`,
  'src/engine/notices/sink.ts': `import type { Store } from '#store/store.ts'; export const notice = [] as Store;`,
  'src/engine/look/find.ts': `import type { Store } from '#store/store.ts'; export const find = [] as Store;`,
  'src/engine/begin/start.ts': `import { guard } from '#evidence/guard/judge.ts'; import { find } from '../look/find.ts'; import { hosts } from '#hosts/tables/registry.ts'; export const start = [guard, find, hosts];`,
  'src/engine/hearing/hear.ts': `import { start } from '../begin/start.ts'; export const hear = start;`,
  'src/engine/hearing/answer.ts': `import { start } from '../begin/start.ts'; export const answer = start;`,
  'src/engine/driver/drive.ts': `import { hear } from '../hearing/hear.ts'; import { answer } from '../hearing/answer.ts'; export const drive = [hear, answer];`,
  'src/fleet/record.ts': `import { library } from 'some-library'; import { drive } from '#engine/driver/drive.ts'; export const record = [library, drive];`,
  'src/surfaces/stop-hooks/chains.ts': `import { table } from '#input/table.ts'; export const chains = table;`,
  'src/surfaces/screen/live.ts': `import { drive } from '#engine/driver/drive.ts'; export const live = drive;`,
  'src/surfaces/page/server/serve.ts': `import { live } from '../../screen/live.ts'; export const serve = live;`,
  'src/surfaces/mcp/server.ts': `import { library } from 'some-library'; import { chains } from '../stop-hooks/chains.ts'; export const server = [library, chains];`,
  'src/surfaces/cli/program.ts': `import '#store/file/store.ts'; import { record } from '#fleet/record.ts'; import { serve } from '../page/server/serve.ts'; import { server } from '../mcp/server.ts'; export const program = [record, serve, server];`,
  'src/programs/cli.ts': `import '#surfaces/cli/program.ts'; import '#engine/process-runtime.ts';`,
};

// One forbidden module each, and the rule that must name it.
const FORBIDDEN = [
  ['base-arrow', 'src/base/bad.ts', `import type { Loop } from '#law/loop.ts'; export type Bad = Loop;`],
  ['law-arrow', 'src/law/bad.ts', `import type { Store } from '#store/store.ts'; export type Bad = Store;`],
  ['law-arrow', 'src/law/bad-climb.ts', `import '../telling/say.ts';`],
  ['law-is-pure', 'src/law/bad-node.ts', `import 'node:fs';`],
  ['law-is-pure', 'src/law/bad-lazy.ts', `export const bad = () => import('node:fs');`],
  ['law-is-pure', 'src/law/bad-package.ts', `import 'some-library';`],
  [
    'pure-base',
    'src/law/bad-base.ts',
    `import type { Read } from '#base/files/read.ts'; export type Bad = Read;`,
  ],
  ['telling-is-pure', 'src/telling/bad-node.ts', `import 'node:fs';`],
  ['input-is-pure', 'src/input/bad-node.ts', `import 'node:path';`],
  ['telling-arrow', 'src/telling/bad.ts', `import '#input/table.ts';`],
  ['input-arrow', 'src/input/bad.ts', `import '#store/store.ts';`],
  ['store-arrow', 'src/store/bad.ts', `import '#hosts/port/host.ts';`],
  ['hosts-arrow', 'src/hosts/claude-code/bad.ts', `export * from '#engine/hearing/hear.ts';`],
  ['evidence-arrow', 'src/evidence/git/bad.ts', `import '#engine/look/find.ts';`],
  ['engine-arrow', 'src/engine/driver/bad.ts', `import '#fleet/record.ts';`],
  ['fleet-arrow', 'src/fleet/bad.ts', `import '#surfaces/screen/live.ts';`],
  ['surfaces-arrow', 'src/surfaces/demo/bad.ts', `import '#programs/cli.ts';`],
  ['law-door', 'src/telling/bad-door.ts', `import '#law/fold/inner.ts';`],
  ['hosts-door', 'src/surfaces/cli/bad-adapter.ts', `import '#hosts/claude-code/read.ts';`],
  [
    'hosts-door',
    'src/evidence/views/bad-host.ts',
    `import type { claude } from '#hosts/claude-code/read.ts'; export type Bad = typeof claude;`,
  ],
  ['engine-door', 'src/fleet/bad-door.ts', `import '#engine/hearing/answer.ts';`],
  ['surfaces-door', 'src/programs/bad-door.ts', `import '#surfaces/screen/live.ts';`],
  ['evidence-rooms', 'src/evidence/git/bad-room.ts', `import '../lists/items.ts';`],
  ['evidence-rooms', 'src/evidence/proofs/bad.ts', `export const bad = () => import('../guard/judge.ts');`],
  ['engine-rooms', 'src/engine/begin/bad.ts', `import '../hearing/hear.ts';`],
  ['engine-rooms', 'src/engine/look/bad.ts', `import '../begin/start.ts';`],
  ['surfaces-rooms', 'src/surfaces/screen/bad.ts', `import '../page/server/serve.ts';`],
  ['surfaces-rooms', 'src/surfaces/library/bad.ts', `import '../cli/program.ts';`],
  ['store-adapters', 'src/evidence/views/bad-adapter.ts', `import '#store/file/store.ts';`],
  ['store-adapters', 'src/surfaces/library/bad-adapter.ts', `import '#store/file/store.ts';`],
  ['known-floor', 'src/utils/bad.ts', `import '#law/loop.ts';`],
  ['hook-without-packages', 'src/programs/bad-package.ts', `import 'some-library';`],
  [
    'hook-without-packages',
    'src/evidence/views/bad-package.ts',
    `export const bad = () => import('some-library');`,
  ],
  ['src-alone', 'src/surfaces/demo/bad-test.ts', `import '../../../test/model.ts';`],
  ['resolvable', 'src/programs/bad-name.ts', `import './absent.ts';`],
  ['no-orphans', 'src/store/bad-orphan.ts', `export const forgotten = 1;`],
] as const;

const CYCLE = {
  'src/store/one.ts': `import { two } from './two.ts'; export const one = () => two;`,
  'src/store/two.ts': `import { one } from './one.ts'; export const two = () => one;`,
};

describe('the arrows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-arrows-'));
  let found: Map<string, string[]>;

  beforeAll(async () => {
    const bad = Object.fromEntries(FORBIDDEN.map(([, path, text]) => [path, text]));
    found = await violations(plant(join(folder, 'bad'), { ...CLEAN, ...CYCLE, ...bad }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(FORBIDDEN)('%s is held: %s', (rule, path) => {
    expect(found.get(path)).toContain(rule);
  });

  test('no-cycles is held', () => {
    expect(found.get('src/store/one.ts')).toEqual(['no-cycles']);
  });

  test('only what is forbidden is named', () => {
    const named = [...found.keys()].filter((path) => !(path in CYCLE));
    expect(named.toSorted()).toEqual(FORBIDDEN.map(([, path]) => path).toSorted());
  });

  test('a tree that keeps them passes', async () => {
    expect(await violations(plant(join(folder, 'clean'), CLEAN))).toEqual(new Map());
  }, 120_000);

  test('our own tree keeps them', async () => {
    expect(await violations(root)).toEqual(new Map());
  }, 120_000);
});

// What the law may not do, and the rule of the linter that says so.
const IMPURE = [
  ['no-restricted-imports', `import 'node:fs';`],
  ['no-restricted-imports', `export const bad = () => import('some-library');`],
  ['no-restricted-globals', `export const bad = process.pid;`],
  ['no-restricted-globals', `export const bad = globalThis;`],
  ['no-restricted-globals', `export const bad = () => setTimeout(() => {}, 1);`],
  ['no-restricted-globals', `export const bad = require('node:fs');`],
  ['no-restricted-properties', `export const bad = Date.now();`],
  ['no-restricted-properties', `export const { random } = Math;`],
  ['no-clock', `export const bad = new Date();`],
  ['no-console', `console.log('bad');`],
] as const;

// The page runs in a browser. dependency-cruiser reads no JSX, so the linter keeps it to itself.
const OUT_OF_THE_PAGE = [
  'node:fs',
  '../server/serve.ts',
  '../../server/serve.ts',
  '../../law/loop.ts',
  '#law/loop.ts',
  '#law/words/phrases.ts',
  '#engine/claims/claim.ts',
  '../../../test/model.ts',
];

describe('the law is pure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-pure-'));
  let found: Map<string, string[]>;

  beforeAll(async () => {
    const bad = Object.fromEntries(IMPURE.map(([, text], n) => [`src/law/bad-${n}.ts`, text]));
    const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace(
      '"typeAware": true',
      '"typeAware": false',
    );
    plant(folder, {
      '.oxlintrc.json': config,
      'scripts/check/oxlint-clock.mjs': readFileSync(join(root, 'scripts/check/oxlint-clock.mjs'), 'utf8'),
      'src/law/good.ts': `export const good = (now: string) => new Date(Date.parse(now)).toISOString();`,
      'src/store/good.ts': `import 'node:fs'; export const good = () => Date.now();`,
      'src/surfaces/page/browser/good.tsx': `import type { Card } from '../wire.ts'; import { h } from 'preact'; export const good = (card: Card) => h('p', card);`,
      'src/surfaces/page/browser/parts/good.tsx': `import type { Card } from '../../wire.ts'; import { b } from '../good.tsx'; import { sayUsd } from '#law/words/figures.ts'; export const good = (card: Card) => b(card, sayUsd(1));`,
      ...Object.fromEntries(
        OUT_OF_THE_PAGE.map((from, n) => [`src/surfaces/page/browser/bad-${n}.tsx`, `import '${from}';`]),
      ),
      ...bad,
    });
    found = await problems(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(IMPURE.map(([rule, text], n) => ({ rule, text, path: `src/law/bad-${n}.ts` })))(
    '$rule: $text',
    ({ rule, path }) => {
      expect(found.get(path)).toContain(rule);
    },
  );

  test.each(OUT_OF_THE_PAGE.map((from, n) => ({ from, path: `src/surfaces/page/browser/bad-${n}.tsx` })))(
    'the page does not import $from',
    ({ path }) => {
      expect(found.get(path)).toContain('no-restricted-imports');
    },
  );

  test('only what is forbidden is named', () => {
    expect([...found.keys()].filter((path) => path.includes('good'))).toEqual([]);
  });
});

/** Which rules of the linter each module breaks. */
async function problems(cwd: string): Promise<Map<string, string[]>> {
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', 'src'];
  // It exits with 1 when it finds something: its words are what counts.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const report = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  const rules = new Map<string, string[]>();
  for (const { filename, code } of report.diagnostics) {
    const rule = /\((.+)\)/.exec(code)?.[1] ?? code;
    rules.set(filename, [...(rules.get(filename) ?? []), rule]);
  }
  return rules;
}

/** Which rules of dependency-cruiser each module breaks. */
async function violations(cwd: string): Promise<Map<string, string[]>> {
  const args = [cruiser, 'src', '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'];
  // The exit code of this output is 0 whatever was found.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 64 << 20 });
  const report = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  const rules = new Map<string, string[]>();
  for (const { from, rule } of report.summary.violations) {
    rules.set(from, [...new Set([...(rules.get(from) ?? []), rule.name])]);
  }
  return rules;
}

function plant(folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
