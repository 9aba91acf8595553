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
          // A process and its imports for each file take as long as most tests. So a module that tests share must keep nothing:
          // what it opens it closes with onTestFinished, since its own afterEach would count for the first file only.
          isolate: false,
          // For the tests and the code under test: git knows nobody's settings but those of the test.
          env: {
            XDG_CONFIG_HOME: '/no-such-folder',
            GIT_CONFIG_GLOBAL: '/dev/null',
            GIT_CONFIG_NOSYSTEM: '1',
          },
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
          // Stories run side by side: they start no host, and wait more than they compute.
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
