// Stryker's configuration for `npm run mutants`; main.mjs sets the variables.

const { MUTANTS_FOLDER, MUTANTS_REPORT, MUTANTS_SANDBOX } = process.env;

export default {
  mutate: [`${MUTANTS_FOLDER === 'doi-names' ? 'packages/doi-names/src' : `src/${MUTANTS_FOLDER}`}/**/*.ts`],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  checkers: ['draw'],
  plugins: ['@stryker-mutator/vitest-runner', new URL('draw-mutants.mjs', import.meta.url).href],
  // tsc and Biome check the code itself, not the mutants.
  disableTypeChecks: false,
  concurrency: 2,
  timeoutMS: 60_000,
  tempDirName: MUTANTS_SANDBOX,
  ignorePatterns: ['release', 'coverage', 'dist', 'docs', 'examples', 'bench', 'deploy'],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: MUTANTS_REPORT },
  allowEmpty: false,
  thresholds: { break: null },
};
