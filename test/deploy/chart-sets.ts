// Values that operators might set in the chart.

import type { Values } from './chart-files.ts';

const EVERYTHING: Values = {
  image: { repository: 'registry.example/doi-gateway', tag: '1.0.0-3' },
  imagePullSecrets: [{ name: 'registry' }],
  workers: 2,
  env: {
    DOI_DIRECTORY_URL: 'https://doi.org',
    CONTACT: 'you@example.org',
    MAX_LOOKUPS: '500',
    PERSISTED_ONLY: 'yes',
  },
  envFromSecrets: { REDIS_URL: { name: 'doi', key: 'redis-url' } },
  files: {
    API_KEYS_FILE: { secret: 'doi', key: 'api-keys.json' },
    PERSISTED_OPERATIONS: { configMap: 'operations', key: 'operations.json' },
  },
  resources: { requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '2Gi' } },
  shutdown: { drainSeconds: 20, finishSeconds: 25 },
  service: { type: 'LoadBalancer', annotations: { a: 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'doi.example.org',
    tlsSecret: 'tls',
    annotations: { a: 'b' },
  },
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: {
    enabled: true,
    labels: { release: 'prometheus' },
    runbookUrl: 'https://wiki.example/runbook',
  },
  dashboard: { enabled: true },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'library' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'only', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

/** Sets by their purpose. Helm cannot render the last two. */
export const SETS = {
  plain: {},
  everything: EVERYTHING,
  largeBodies: { env: { MAX_BODY_BYTES: '100000000', CACHE_MAX_BYTES: '64000000' } },
  // Names that YAML would not read as texts.
  likeNumbers: {
    envFromSecrets: { REDIS_URL: { name: '1', key: 'true' } },
    files: {
      API_KEYS_FILE: { secret: '2', key: '1.0' },
      PERSISTED_OPERATIONS: { configMap: '3', key: 'null' },
    },
    ingress: { enabled: true, host: '4', className: '5', tlsSecret: '6' },
  },
  pinned: { podDisruptionBudget: { maxUnavailable: '25%' }, image: { pullPolicy: 'Always' } },
  tooSmall: { resources: { limits: { memory: '512Mi' } } },
  tooManyWorkers: { workers: 3 },
} satisfies Record<string, Values>;
