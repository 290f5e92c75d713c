// The tests for the mutants of a folder: its own tests, without those that start Redis, processes or a browser.

import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: [`test/${process.env['MUTANTS_FOLDER']}/**/*.test.ts`],
    exclude: [
      ...configDefaults.exclude,
      'test/**/*.{process,browser,redis,heap,stack}.test.ts',
      // They measure processor time, and instrumented code takes more.
      'test/doi/linear.test.ts',
      'test/**/hostile-*.test.ts',
    ],
    setupFiles: ['scripts/mutants/quick-failures.ts'],
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
