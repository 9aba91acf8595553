/**
 * A test runner for Stryker that runs the tests of the law in one process: they are pure, so that a mutant costs
 * milliseconds, and all of the law minutes. Stryker's own runner for vitest takes an hour.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { collectTests, getFn } from '@vitest/runner';
import { build } from 'esbuild';

const TESTS = ['test/base', 'test/law', 'test/telling', 'test/input'];
/** They touch files or start programs: what they show of the law, the others show faster. */
const LEFT_OUT = /^test\/(base\/(files|process)|input\/config|telling\/story\/stats)/;
const BUNDLE = '.bundle';
const TIMES = `${BUNDLE}/times.json`;
const TEST_MS = 20_000;
// Stryker's numbers for how a test ended.
const PASSED = 0;
const FAILED = 1;

class InProcess {
  /** Where the instrumented code looks for the mutant that is switched on. */
  #stryker = (globalThis.__stryker__ ??= {});
  #tests = new Map();
  #times = null;

  /**
   * Mutants are switched on while tests run, in modules that are loaded already: nothing need be loaded anew.
   */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const sources = TESTS.flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
    ).filter((path) => path.endsWith('.test.ts') && !LEFT_OUT.test(path));
    const files = await collectTests(await bundled(sources), {
      config: {
        root: process.cwd(),
        setupFiles: [],
        sequence: { shuffle: false, concurrent: false, seed: 1, hooks: 'stack', setupFiles: 'list' },
        testTimeout: TEST_MS,
        hookTimeout: TEST_MS,
        retry: 0,
        allowOnly: true,
        tags: [],
      },
      importFile: (path) => import(pathToFileURL(path).href),
    });
    for (const [k, file] of files.entries()) this.#add(file, sources[k], []);
  }

  #add(task, source, names) {
    const [error] = task.result?.errors ?? [];
    if (error) throw new Error(`${source}: ${error.message}\n${error.stack}`);
    if (task.type !== 'test') {
      const under = task.filepath ? names : [...names, task.name];
      for (const inner of task.tasks) this.#add(inner, source, under);
    } else if (task.mode === 'run' || task.mode === 'queued') {
      const name = [...names, task.name].join(' ');
      const id = `${source}#${name}`;
      this.#tests.set(id, { id, name, fileName: resolve(source), run: getFn(task) });
    }
  }

  async dryRun() {
    const results = [];
    for (const test of this.#tests.values()) {
      this.#stryker.currentTestId = test.id;
      results.push(await outcomeOf(test));
    }
    this.#stryker.currentTestId = undefined;
    // The mutants may be run in another process than this.
    writeFileSync(
      TIMES,
      JSON.stringify(Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]))),
    );
    return { status: 'complete', tests: results, mutantCoverage: this.#stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    this.#times ??= JSON.parse(readFileSync(TIMES, 'utf8'));
    const quickFirst = [...(testFilter ?? this.#tests.keys())].sort(
      (a, b) => this.#times[a] - this.#times[b],
    );
    Object.assign(this.#stryker, { hitCount: 0, hitLimit, activeMutant: activeMutant.id });
    try {
      let nrOfTests = 0;
      for (const id of quickFirst) {
        const { status, failureMessage } = await outcomeOf(this.#tests.get(id));
        nrOfTests++;
        if (this.#stryker.hitCount > hitLimit) return { status: 'timeout', reason: 'it ran for ever' };
        if (status === FAILED) return { status: 'killed', killedBy: [id], failureMessage, nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    } finally {
      Object.assign(this.#stryker, { hitCount: undefined, activeMutant: undefined });
    }
  }
}

/** In few files that share what is mutated: loaded once. */
async function bundled(sources) {
  await build({
    absWorkingDir: process.cwd(),
    entryPoints: sources,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: BUNDLE,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    alias: { vitest: resolve('test/mutation/vitest.mjs') },
    banner: {
      js: 'import { createRequire as __from } from "node:module"; const require = __from(import.meta.url);',
    },
    logLevel: 'error',
  });
  return sources.map((path) => resolve(BUNDLE, path.replace(/\.ts$/, '.mjs')));
}

async function outcomeOf({ id, name, fileName, run }) {
  const began = performance.now();
  const told = (more) => ({ id, name, fileName, timeSpentMs: performance.now() - began, ...more });
  try {
    await run();
    return told({ status: PASSED });
  } catch (error) {
    return told({ status: FAILED, failureMessage: String(error?.message ?? error).slice(0, 300) });
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcess }];
