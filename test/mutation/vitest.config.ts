/** The tests of the core alone: they are pure, so that thousands of mutants can be run against them. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/core/**/*.test.ts'],
    // It starts programs and hears whole stories: what it shows, the others show faster.
    exclude: ['test/core/seed-001.test.ts'],
    setupFiles: ['test/mutation/setup.ts'],
    // A mutant is switched on in a module that is loaded already: nothing need be loaded anew.
    isolate: false,
  },
});
