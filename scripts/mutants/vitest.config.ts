// The tests for the mutants of a folder: its own tests, without those that start Redis, processes or a browser.

import { configDefaults, defineConfig } from 'vitest/config';
import gateway from '../../vitest.config.ts';

const folder = process.env['MUTANTS_FOLDER'];
const { resolve = {} } = gateway;

export default defineConfig({
  resolve,
  test: {
    include: [`${folder === 'doi-names' ? 'packages/doi-names/test' : `test/${folder}`}/**/*.test.ts`],
    exclude: [
      ...configDefaults.exclude,
      '**/*.{process,browser,redis,heap,stack}.test.ts',
      // They measure processor time, and instrumented code takes more.
      'packages/doi-names/test/linear.test.ts',
      '**/hostile-*.test.ts',
    ],
    globalSetup: 'test/support/page-bundles.ts',
    setupFiles: ['scripts/mutants/quick-failures.ts'],
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
