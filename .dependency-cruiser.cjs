// Which file may import which: run by `npm run lint`. docs/decisions/0003-layout-and-arrows.md says why.

// Outermost first. A folder imports itself and what comes after it, never what comes before.
const layers = [
  'main',
  'tools/cli',
  'cluster',
  'app',
  'jobs',
  'tools/mcp',
  'http',
  'tools/bulk',
  'tools/gateway-client',
  'graphql',
  'schema',
  'loaders',
  'cache',
  'upstream',
  'directory',
  'works',
  'handle',
];

// packages/doi-names/src/parse.ts and src/main.ts are both found by their layer's name.
const inside = (names) => `^src/(${names.join('|')})(/|[.]ts$)`;

const arrows = layers.slice(1).map((layer, i) => {
  const before = layers.slice(0, i + 1);
  return {
    name: `${layer.replace('/', '-')}-imports-inwards`,
    comment: `Arrows go ${layers.join(' -> ')}, never back.`,
    severity: 'error',
    from: { path: inside([layer]) },
    to: { path: inside(before) },
  };
});

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'known-place',
      comment:
        'A source file belongs to one of the layers, or is errors.ts, config.ts, log.ts, trouble-log.ts, metrics.ts, safe-text.ts, time.ts, slices.ts, fair-queue.ts, tag-heap.ts, or in metrics/, tracing/ or memory/.',
      severity: 'error',
      from: {},
      to: {
        path: '^src/',
        pathNot: inside([
          ...layers,
          'errors',
          'edit-distance',
          'config',
          'config-variables',
          'log',
          'trouble-log',
          'safe-text',
          'time',
          'abortable',
          'turns',
          'fair-queue',
          'slices',
          'lifetimes',
          'tag-heap',
          'metrics',
          'tracing',
          'memory',
        ]),
      },
    },
    {
      name: 'trouble-log-knows-log-and-time',
      comment: 'It may be used by all.',
      severity: 'error',
      from: { path: inside(['trouble-log']) },
      to: { path: '^src/', pathNot: inside(['log', 'time']) },
    },
    {
      name: 'errors-and-log-stand-alone',
      comment: 'They may be used by all, so they import nothing of ours but how text is made harmless.',
      severity: 'error',
      from: {
        path: inside([
          'errors',
          'log',
          'safe-text',
          'time',
          'abortable',
          'turns',
          'slices',
          'fair-queue',
          'tag-heap',
        ]),
      },
      to: {
        path: '^src/',
        pathNot: inside(['safe-text', 'time', 'abortable', 'turns', 'fair-queue', 'tag-heap']),
      },
    },
    {
      name: 'metrics-stand-alone',
      comment: 'They may be used by all, so they import nothing of ours but their own parts.',
      severity: 'error',
      from: { path: inside(['metrics']) },
      to: { path: '^src/', pathNot: inside(['metrics']) },
    },
    {
      name: 'config-knows-errors-only',
      comment:
        'config.ts turns the environment into a Config by its table of variables and knows no other part, but for the list of hosts that is a default.',
      severity: 'error',
      from: { path: inside(['config', 'config-variables']) },
      to: {
        path: '^src/',
        pathNot: [
          inside(['errors', 'edit-distance', 'config-variables']),
          '^src/upstream/agencies/agency-limits[.]ts$',
        ],
      },
    },
    {
      name: 'config-log-and-metrics-as-type',
      comment:
        'main and app make the configuration, the log and the metrics and hand them on; all others see types.',
      severity: 'error',
      from: { path: '^src/', pathNot: inside(['main', 'tools/cli', 'app', 'config-variables', 'metrics']) },
      to: { path: inside(['config', 'log', 'metrics']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tracing-knows-the-log-only',
      comment: 'Its port may be used by all.',
      severity: 'error',
      from: { path: inside(['tracing']) },
      to: { path: '^src/', pathNot: inside(['log', 'tracing']) },
    },
    {
      name: 'memory-stands-alone',
      comment: 'The memory account may be used by all.',
      severity: 'error',
      from: { path: inside(['memory']) },
      to: { path: '^src/', pathNot: inside(['errors', 'time', 'turns', 'trouble-log', 'memory']) },
    },
    {
      name: 'open-telemetry-behind-its-port',
      comment: 'OpenTelemetry is loaded where there is a collector: one file knows it, and one loads that.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/open-telemetry[.]ts$' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'open-telemetry-when-it-is-needed',
      comment: 'Without a collector it costs neither time nor memory.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/tracing/open-telemetry[.]ts$', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'doi-is-pure',
      comment: 'packages/doi-names/src needs no package and nothing of Node.',
      severity: 'error',
      from: { path: '^packages/doi-names/src/' },
      to: { pathNot: '^packages/doi-names/src/' },
    },
    {
      name: 'doi-names-by-its-entries',
      comment: 'The gateway imports the package as its users do.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/', pathNot: '^packages/doi-names/src/(index|lookalikes|parts)[.]ts$' },
    },
    {
      name: 'executor-knows-no-data',
      comment: 'The executor declares what it needs: ItemSources in remembered-items.ts.',
      severity: 'error',
      from: { path: '^src/graphql/[^/]+[.]ts$' },
      to: { path: '^(src/(handle|directory|cache|loaders|upstream|works)|packages)/' },
    },
    {
      name: 'undici-in-proxy',
      comment: 'Only the proxy directory speaks HTTP to the outside.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/upstream/' },
      to: { path: '^node_modules/undici/' },
    },
    {
      name: 'yoga-behind-its-door',
      comment: 'Yoga serves what the direct path does not: one file makes it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/graphql/incremental/yoga[.]ts$' },
      to: { path: '^node_modules/(graphql-yoga|@graphql-yoga/plugin-)' },
    },
    {
      name: 'loaded-when-it-is-needed',
      comment:
        'Yoga, the jobs, the live system and the counts of clients take longer to load than all other files.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: [
          '^src/graphql/incremental/yoga[.]ts$',
          '^src/app/live-directory[.]ts$',
          '^src/http/request/clients/client-budgets[.]ts$',
          '^src/jobs/jobs[.]ts$',
        ],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'mcp-behind-its-door',
      comment: 'Three files know the SDK of the Model Context Protocol.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tools/mcp/(mcp-server|serve-stdio)[.]ts$' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'mcp-when-it-is-needed',
      comment: 'A gateway without agents loads none of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tools/(mcp/(mcp-endpoint|serve-stdio)|cli/mcp-command)[.]ts$' },
      to: {
        path: '^src/tools/(mcp/(mcp-server|serve-stdio)|cli/mcp-command)[.]ts$',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'loaded-with-the-live-system',
      comment: 'The packages that only a live system or counted clients need come with those alone.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/upstream/',
          '^src/cache/redis-(connection|memory|probe|tier)[.]ts$',
          '^src/http/request/clients/client-budgets[.]ts$',
          '^src/jobs/look-up-rate[.]ts$',
        ],
      },
      to: {
        path: '^node_modules/(undici|ioredis|rate-limiter-flexible)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'bullmq-in-the-queue',
      comment: 'One file knows the queue’s package.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/jobs/queue/chunk-queue[.]ts$' },
      to: { path: '^node_modules/bullmq/' },
    },
    {
      name: 'loaders-as-type',
      comment: 'The schema gets its loaders from the context: it sees their types alone.',
      severity: 'error',
      from: { path: '^src/schema/' },
      to: { path: '^src/loaders/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'process-is-global',
      comment: 'A named import of node:process would hide who exits and who reads the environment.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(node:)?process$' },
    },
    {
      name: 'cluster-in-main',
      comment: 'No part that serves requests knows whether it is the only process.',
      severity: 'error',
      from: { path: '^src/', pathNot: inside(['main', 'cluster']) },
      to: { path: '^(node:)?cluster$' },
    },
    {
      name: 'no-barrels',
      comment: 'Import a value from the file that makes it. Types may be re-exported.',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '^packages/doi-names/src/(index|parts)[.]ts$' },
      to: { dependencyTypes: ['export'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'No file leads back to itself, not even by types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'run-time-packages',
      comment: 'What src runs with is in "dependencies": the image holds nothing else.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'The imported file or package is not there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'src-stands-alone',
      comment: 'Tests, scripts, benches and examples use src, not the other way round.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench|examples)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // As Node finds packages: by "exports", not by "main".
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
