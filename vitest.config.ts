import { defineConfig } from 'vitest/config';

const slow = ['test/e2e/**/*.test.ts', 'test/stories/**/*.test.ts'];

// .ci/run wants the counts as data.
const json = process.env['DACAPO_TEST_RESULTS'];

export default defineConfig({
  test: {
    globalSetup: './test/build.ts',
    reporters: json ? ['default', ['json', { outputFile: json }]] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: slow,
          testTimeout: 20_000,
          // By default one core stays idle, which on two cores doubles the time.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: slow,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Each runs a real host: more at once on two cores only makes them time out.
          maxWorkers: 2,
          // On a busy machine a real host can be late. `.ci/run` names each test that needed this.
          retry: json ? 1 : 0,
          // Stories run side by side: they start no host, and wait more than they compute.
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
