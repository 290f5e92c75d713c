import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite would take graphql's index.mjs for our sources while packages load its index.js: two realms.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // The process itself and its cluster are tested by starting them, where no coverage is collected.
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/main.ts', 'src/cluster/primary.ts', 'src/cluster/worker.ts'],
      reporter: ['text', 'html'],
    },
  },
});
