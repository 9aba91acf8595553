// What the package exports, and what its entry pulls in.

import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, expectTypeOf, test } from 'vitest';
import * as entry from '#surfaces/library/index.ts';
import type { AgentContext, DeclaredHook } from '#surfaces/stop-hooks/index.ts';

// What waits for its call is not loaded with the entry.
const later: Plugin = {
  name: 'later',
  setup: (given) =>
    given.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

const root = resolve(import.meta.dirname, '../../..');

test('the public names are these: another one is a promise to keep', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'HookSpecError',
    'abstain',
    'allOf',
    'anyOf',
    'block',
    'cancelLoop',
    'checkpointAt',
    'checkpointEvery',
    'claim',
    'createRegistry',
    'defaultHook',
    'defineConfig',
    'endPass',
    'evaluatePromises',
    'followJournal',
    'fromSpec',
    'fromStopJs',
    'listLoops',
    'loopStatus',
    'maxFiles',
    'maxIterations',
    'note',
    'promiseHook',
    'pushFrame',
    'realWork',
    'runValidationRules',
    'security',
    'startLoop',
    'tdd',
    'toSpec',
    'validationHook',
    'when',
  ]);
});

test('the types of a hook are exported by both entries', () => {
  expectTypeOf<AgentContext>().toEqualTypeOf<entry.AgentContext>();
  expectTypeOf<DeclaredHook>().toEqualTypeOf<entry.DeclaredHook>();
  expectTypeOf(entry.tdd).returns.toEqualTypeOf<DeclaredHook>();
});

test('what the entry loads at once is the stop hooks and a part of the pure floors: no file, no process, no package', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/surfaces/library/index.ts'],
    bundle: true,
    format: 'esm',
    // For a browser nothing of Node resolves.
    platform: 'browser',
    metafile: true,
    write: false,
    plugins: [later],
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path !== 'src/surfaces/library/index.ts');
  expect(
    inputs.filter(
      (path) =>
        !/^src\/((surfaces\/stop-hooks|base(?!\/files|\/process)|law|input)\/|evidence\/views\/state-folder\.ts$)/.test(
          path,
        ),
    ),
  ).toEqual([]);
});
