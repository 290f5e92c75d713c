import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const DOI_NAMES = fileURLToPath(new URL('packages/doi-names/src', import.meta.url));

// The name of a test file says what its tests need beyond the process that they run in.
const STARTS_PROCESSES = '{test,packages/*/test}/**/*.process.test.ts';
const STARTS_CHROMIUM = '{test,packages/*/test}/**/*.browser.test.ts';
const STARTS_REDIS = 'test/**/*.redis.test.ts';
const MEASURES_MEMORY = ['test/**/*.heap.test.ts', 'test/**/*.stack.test.ts'];
const BUNDLES_PAGES = 'test/support/page-bundles.ts';
const STARTS_SERVICES = [STARTS_CHROMIUM, STARTS_REDIS];

// A test may wait until another process starts.
const TIMEOUT_MS = 60_000;

export default defineConfig({
  // Vite would take graphql's index.mjs for our sources while packages load its index.js: two realms.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      { find: /^doi-names$/, replacement: `${DOI_NAMES}/index.ts` },
      { find: /^doi-names\/(.*)$/, replacement: `${DOI_NAMES}/$1.ts` },
    ],
  },
  test: {
    // Tests often wait: for timers, sockets and other processes. One worker more than processors keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    // Vite transforms a file once for all projects and runs, until the file changes.
    experimental: { fsModuleCache: true },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // What is waited for comes within milliseconds, but for a machine that others keep busy.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{test,packages/*/test}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, STARTS_PROCESSES, ...STARTS_SERVICES, ...MEASURES_MEMORY],
          globalSetup: BUNDLES_PAGES,
          setupFiles: ['test/support/seeded-laws.ts', 'test/support/real-timers.ts'],
          // A worker takes one file after the other and imports the gateway once: a test leaves nothing behind.
          isolate: false,
          // Tests drop most of what they make: with a young generation that is large from the start, V8 moves less of it.
          execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          testTimeout: TIMEOUT_MS,
          include: STARTS_SERVICES,
          isolate: false,
          globalSetup: ['test/support/chromium-server.ts', BUNDLES_PAGES],
        },
      },
      // In a process of their own, which holds nothing of the others.
      { extends: true, test: { name: 'memory', testTimeout: TIMEOUT_MS, include: MEASURES_MEMORY } },
      {
        extends: true,
        test: {
          name: 'process',
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          include: [STARTS_PROCESSES],
          isolate: false,
          globalSetup: 'test/support/compiled-gateway.ts',
        },
      },
    ],
    // The process itself and its cluster are tested by starting them, where no coverage is collected.
    coverage: {
      provider: 'v8',
      include: ['src/**', 'packages/*/src/**'],
      exclude: ['src/main.ts', 'src/cluster/primary.ts', 'src/cluster/worker.ts'],
      reporter: ['text', 'html'],
    },
  },
});
