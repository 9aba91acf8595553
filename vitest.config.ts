import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { NEEDS, TIER, taggedFiles } from './scripts/test/tiers.mjs';

const otherHosts = ['test/e2e/hosts/**/*.test.ts'];
const real = ['test/e2e/**/*.test.ts', 'test/stories/**/*.test.ts'];

// The filter by tags (scripts/test/test.mjs) would still start a process for a file of which nothing is left.
const leftOut =
  process.env[TIER] === 'quick'
    ? taggedFiles(import.meta.dirname).flatMap(({ file, whole }) => (whole.length > 0 ? [file] : []))
    : [];

// No test leaves this machine. Where this is set, each Node that they start would read all certificates, for 40 ms.
delete process.env['NODE_EXTRA_CA_CERTS'];

// .ci/run wants the counts as data.
const json = process.env['DACAPO_TEST_RESULTS'];

// On a busy machine a real host, a database or a process can be late. `.ci/run` names each test that needed this.
const retry = json ? 1 : 0;

/**
 * Vitest begins with large files, or with those that took long the last time; one that it has no time of may come last. The
 * stories, the slowest hosts, the browser and what waits for a host take longest: begun last, they would leave a core idle.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const slowest =
      /\/test\/(?:stories\/|e2e\/(?:hosts\/(?:acp|canaries\/canaries|gemini|qwen)\.|windows\/|page\/page\.|run\/(?:faults|stopping)\.|session\/limits\.))/;
    const isFirst = ({ moduleId }: TestSpecification) => slowest.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/** A real program is in each of these. */
const endToEnd = { testTimeout: 60_000, hookTimeout: 60_000, retry };

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    tags: NEEDS.map(({ tag, is }) => ({ name: tag, description: `needs ${is}` })),
    globalSetup: './test/build.ts',
    reporters: json ? ['default', ['json', { outputFile: json }]] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...real, ...leftOut],
          testTimeout: 20_000,
          // Some build first. On a busy machine that takes long, and only a hang must fail.
          hookTimeout: 120_000,
          // A process and its imports for each file take as long as most tests. So a module that tests share must keep nothing:
          // what it opens it closes with onTestFinished, since its own afterEach would count for the first file only.
          isolate: false,
          // For the tests and the code under test: git knows nobody's settings but those of the test.
          env: {
            XDG_CONFIG_HOME: '/no-such-folder',
            GIT_CONFIG_GLOBAL: '/dev/null',
            GIT_CONFIG_NOSYSTEM: '1',
          },
          // Some of these wait too, for a timeout or a lock. By default Vitest even leaves one core idle.
          maxWorkers: 2 * availableParallelism(),
          retry,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...endToEnd,
          name: 'hosts',
          include: otherHosts,
          exclude: leftOut,
          // Most of them compute for seconds before they answer: more than three on two cores only time out.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...endToEnd,
          name: 'e2e',
          include: real,
          exclude: [...otherHosts, ...leftOut],
          // A run of Claude Code takes 0.4 s of a core. For the rest, these wait: for it, for screens, for time.
          maxWorkers: 4,
          // Stories run side by side: they start no host, and wait more than they compute.
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
