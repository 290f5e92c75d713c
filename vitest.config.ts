import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What the name of a file says of its tests: they start Chromium, Redis or processes of the gateway's own. */
const STARTS_OTHERS = ['test/**/*.{browser,redis,process}.test.ts'];

/** They measure the heap, so nothing else may have lived in their process. */
const MEASURES_MEMORY = ['test/**/*memory.test.ts'];

export default defineConfig({
  // Vite would take graphql's index.mjs for our sources while packages load its index.js: two realms.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Vitest itself leaves one processor free, which of two is half.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: [...STARTS_OTHERS, ...MEASURES_MEMORY],
          // One worker runs many files, and imports the gateway once for all of them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'others', include: [...STARTS_OTHERS, ...MEASURES_MEMORY] },
      },
    ],
    // The process itself and its cluster are tested by starting them, where no coverage is collected.
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/main.ts', 'src/cluster/primary.ts', 'src/cluster/worker.ts'],
      reporter: ['text', 'html'],
    },
  },
});
