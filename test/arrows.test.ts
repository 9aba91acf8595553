// The arrows of the design are held by dependency-cruiser, the purity of core by the linter as well.
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
  'package.json': '{ "type": "module", "devDependencies": { "some-library": "1.0.0" } }',
  'node_modules/some-library/package.json':
    '{ "name": "some-library", "version": "1.0.0", "exports": "./index.js" }',
  'node_modules/some-library/index.js': 'export const library = 1;',
  'test/model.ts': 'export const model = 1;',
  'src/core/loop.ts': `export type Loop = { id: string };`,
  'src/core/law.ts': `import type { Loop } from './loop.ts'; export const law = (loop: Loop) => loop.id;`,
  'src/text/say.ts': `import { law } from '../core/law.ts'; export const say = law;`,
  'src/flags/table.ts': `import { law } from '../core/law.ts'; export const table = law;`,
  'src/process/group.ts': `import 'node:fs'; import { law } from '../core/law.ts'; export const group = law;`,
  'src/files/read.ts': `import 'node:fs'; import { law } from '../core/law.ts'; export const read = law;`,
  'src/lists/items.ts': `import { table } from '../flags/table.ts'; export const items = table;`,
  'src/store/store.ts': `import 'node:fs'; import type { Loop } from '../core/loop.ts'; export type Store = Loop[];`,
  'src/store/file/store.ts': `import type { Store } from '../store.ts'; export const fileStore = [] as Store;`,
  'src/hosts/host.ts': `import { say } from '../text/say.ts'; import { group } from '../process/group.ts'; export const host = [say, group];`,
  'src/hosts/claude-code/read.ts': `import { host } from '../host.ts'; export const claude = host;`,
  'src/git/git.ts': `import { group } from '../process/group.ts'; import { read } from '../files/read.ts'; export const git = [group, read];`,
  'src/views/markdown.ts': `import type { Store } from '../store/store.ts'; import { items } from '../lists/items.ts'; import { git } from '../git/git.ts'; export const view = [items, git] as unknown as Store;`,
  'src/proofs/promise/markdown.ts': `import { library } from 'some-library'; export const tokens = library;`,
  'src/proofs/tags.ts': `import { tokens } from './promise/markdown.ts'; import { view } from '../views/markdown.ts'; export const tags = [tokens, view];`,
  'src/guard/hear.ts': `import { tags } from '../proofs/tags.ts'; export const guard = tags;`,
  'src/sinks/sink.ts': `import type { Store } from '../store/store.ts'; export type Sink = Store;`,
  'src/operations/start.ts': `import { guard } from '../guard/hear.ts'; export const start = guard;`,
  'src/hearing/hear.ts': `import { start } from '../operations/start.ts'; export const hear = start;`,
  'src/claims/claim.ts': `import { hear } from '../hearing/hear.ts'; export const claim = hear;`,
  'src/hook/main.ts': `import '../store/file/store.ts'; import { hear } from '../hearing/hear.ts'; import { table } from '../hosts/registry.ts'; export const main = [hear, table];`,
  'src/hosts/registry.ts': `import { claude } from './claude-code/read.ts'; export const table = [claude];`,
  'src/fresh/drive.ts': `import { hear } from '../hearing/hear.ts'; export const drive = hear;`,
  'src/stop-hooks/registry.ts': `import { hear } from '../hearing/hear.ts'; export const registry = hear;`,
  'src/sinks/process-runtime.ts': `import '../store/file/store.ts';`,
  'src/library/say.ts': `import '../sinks/process-runtime.ts'; import { claim } from '../claims/claim.ts'; export const say = claim;`,
  'src/live/card.ts': `import { drive } from '../fresh/drive.ts'; export const card = drive;`,
  'src/tasks/task.ts': `import { registry } from '../stop-hooks/registry.ts'; export const task = registry;`,
  'src/mcp/server.ts': `import { library } from 'some-library'; import { task } from '../tasks/task.ts'; export const server = [library, task];`,
  'src/screen/live.ts': `import { card } from '../live/card.ts'; import { drive } from '../fresh/drive.ts'; export const live = [card, drive];`,
  'src/demo/demo.ts': `import { hear } from '../hearing/hear.ts'; export const demo = hear;`,
  'src/cli/main.ts': `import { library } from 'some-library'; import { demo } from '../demo/demo.ts'; import { live } from '../screen/live.ts'; import { registry } from '../stop-hooks/registry.ts'; import { server } from '../mcp/server.ts'; export const cli = [library, demo, live, registry, server];`,
};

// One forbidden module each, and the rule that must name it.
const FORBIDDEN = [
  [
    'core-arrow',
    'src/core/bad.ts',
    `import type { Store } from '../store/store.ts'; export type Bad = Store;`,
  ],
  ['core-arrow', 'src/core/bad-words.ts', `import '../text/say.ts';`],
  ['core-is-pure', 'src/core/bad-node.ts', `import 'node:fs';`],
  ['core-is-pure', 'src/core/bad-lazy.ts', `export const bad = () => import('node:fs');`],
  ['core-is-pure', 'src/core/bad-package.ts', `import 'some-library';`],
  ['text-is-pure', 'src/text/bad-node.ts', `import 'node:fs';`],
  ['flags-is-pure', 'src/flags/bad-node.ts', `import 'node:path';`],
  ['text-arrow', 'src/text/bad.ts', `import '../flags/table.ts';`],
  ['flags-arrow', 'src/flags/bad.ts', `import '../text/say.ts';`],
  ['process-arrow', 'src/process/bad.ts', `import '../hosts/host.ts';`],
  ['files-arrow', 'src/files/bad.ts', `import '../store/store.ts';`],
  ['lists-arrow', 'src/lists/bad.ts', `import '../process/group.ts';`],
  ['store-arrow', 'src/store/bad.ts', `import '../views/markdown.ts';`],
  ['store-port', 'src/views/bad-adapter.ts', `import '../store/file/store.ts';`],
  ['store-port', 'src/library/bad-adapter.ts', `import '../store/file/store.ts';`],
  ['hosts-arrow', 'src/hosts/claude-code/bad.ts', `export * from '../../hearing/hear.ts';`],
  ['host-port', 'src/cli/bad-adapter.ts', `import '../hosts/claude-code/read.ts';`],
  ['host-port', 'src/views/bad-host.ts', `import type { claude } from '../hosts/claude-code/read.ts';`],
  ['git-arrow', 'src/git/bad.ts', `import '../hosts/host.ts';`],
  ['views-arrow', 'src/views/bad.ts', `import { tags } from '../proofs/tags.ts'; export const bad = tags;`],
  ['proofs-arrow', 'src/proofs/bad.ts', `export const bad = () => import('../guard/hear.ts');`],
  ['guard-arrow', 'src/guard/bad.ts', `import '../operations/start.ts';`],
  ['sinks-arrow', 'src/sinks/bad.ts', `import '../guard/hear.ts';`],
  ['operations-arrow', 'src/operations/bad.ts', `import '../hearing/hear.ts';`],
  ['hearing-arrow', 'src/hearing/bad.ts', `import '../hook/main.ts';`],
  ['hearing-arrow', 'src/hearing/bad-claim.ts', `import '../claims/claim.ts';`],
  ['claims-arrow', 'src/claims/bad.ts', `import '../hook/main.ts';`],
  ['hook-arrow', 'src/hook/bad.ts', `import '../demo/demo.ts';`],
  ['fresh-arrow', 'src/fresh/bad.ts', `import '../screen/live.ts';`],
  ['stop-hooks-arrow', 'src/stop-hooks/bad.ts', `import '../fresh/drive.ts';`],
  ['tasks-arrow', 'src/tasks/bad.ts', `import '../mcp/server.ts';`],
  ['mcp-arrow', 'src/mcp/bad.ts', `import '../hook/main.ts';`],
  ['library-arrow', 'src/library/bad.ts', `import '../fresh/drive.ts';`],
  ['live-arrow', 'src/live/bad.ts', `import '../screen/live.ts';`],
  ['screen-arrow', 'src/screen/bad.ts', `import '../demo/demo.ts';`],
  ['cli-arrow', 'src/cli/bad.ts', `import '../hook/main.ts';`],
  ['ui-arrow', 'src/ui/server/bad.ts', `import '../../demo/demo.ts';`],
  ['demo-arrow', 'src/demo/bad.ts', `import '../hook/main.ts';`],
  ['cli-is-on-top', 'src/index.ts', `export { cli } from './cli/main.ts';`],
  ['known-folder', 'src/utils/bad.ts', `import '../core/law.ts';`],
  ['hook-without-packages', 'src/hook/bad-package.ts', `import 'some-library';`],
  ['hook-without-packages', 'src/views/bad-package.ts', `export const bad = () => import('some-library');`],
  ['src-alone', 'src/demo/bad-test.ts', `import '../../test/model.ts';`],
  ['resolvable', 'src/hook/bad-name.ts', `import './absent.ts';`],
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

// What core may not do, and the rule of the linter that says so.
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
  '../../core/law.ts',
  '../../../core/law.ts',
  '../../../core/words/phrases.ts',
  '../../../claims/claim.ts',
  '../../../test/model.ts',
];

describe('core is pure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-pure-'));
  let found: Map<string, string[]>;

  beforeAll(async () => {
    const bad = Object.fromEntries(IMPURE.map(([, text], n) => [`src/core/bad-${n}.ts`, text]));
    const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace(
      '"typeAware": true',
      '"typeAware": false',
    );
    plant(folder, {
      '.oxlintrc.json': config,
      'scripts/oxlint-clock.mjs': readFileSync(join(root, 'scripts/oxlint-clock.mjs'), 'utf8'),
      'src/core/good.ts': `export const good = (now: string) => new Date(Date.parse(now)).toISOString();`,
      'src/store/good.ts': `import 'node:fs'; export const good = () => Date.now();`,
      'src/ui/page/good.tsx': `import type { Card } from '../wire.ts'; import { h } from 'preact'; export const good = (card: Card) => h('p', card);`,
      'src/ui/page/parts/good.tsx': `import type { Card } from '../../wire.ts'; import { b } from '../good.tsx'; import { sayUsd } from '../../../core/words/figures.ts'; export const good = (card: Card) => b(card, sayUsd(1));`,
      ...Object.fromEntries(
        OUT_OF_THE_PAGE.map((from, n) => [`src/ui/page/bad-${n}.tsx`, `import '${from}';`]),
      ),
      ...bad,
    });
    found = await problems(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(IMPURE.map(([rule, text], n) => ({ rule, text, path: `src/core/bad-${n}.ts` })))(
    '$rule: $text',
    ({ rule, path }) => {
      expect(found.get(path)).toContain(rule);
    },
  );

  test.each(OUT_OF_THE_PAGE.map((from, n) => ({ from, path: `src/ui/page/bad-${n}.tsx` })))(
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
