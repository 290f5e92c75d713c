// The manifests that Helm's template language renders from the chart.

import { beforeAll, describe, expect, test } from 'vitest';
import { heapOfWorker } from '../../src/cluster/heap-limit.ts';
import { parseConfig } from '../../src/config.ts';
import { type Rendered, renderChart } from './chart-files.ts';
import { SETS } from './chart-sets.ts';
import { readAlerts, textOf } from './deploy-files.ts';
import { without } from './installed-tools.ts';
import { type Manifest, manifestProblems } from './manifest-types.ts';

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly securityContext: unknown;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: unknown;
        readonly containers: readonly [Container];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

describe.skipIf(without('go', 'the chart'))('the chart', () => {
  let rendered: Record<keyof typeof SETS, Rendered>;
  // The first compilation of the renderer takes a few seconds.
  beforeAll(async () => {
    const results = await renderChart(Object.values(SETS));
    const named = Object.keys(SETS).map((name, at) => [name, results[at]]);
    rendered = Object.fromEntries(named) as typeof rendered;
  }, 120_000);

  const deploymentOf = ({ manifests }: Rendered) =>
    manifests.find(({ kind }) => kind === 'Deployment') as Deployment;
  const podOf = (one: Rendered) => deploymentOf(one).spec.template.spec;
  const environmentOf = (one: Rendered) =>
    Object.fromEntries(podOf(one).containers[0].env.map(({ name, value }) => [name, value]));
  const named = (one: Rendered) =>
    one.manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();

  test('has only fields that Kubernetes knows', () => {
    const { tooSmall: _, tooManyWorkers: __, ...usable } = rendered;
    expect(Object.values(usable).map(({ error }) => error)).toEqual([null, null, null, null, null]);
    const manifests = Object.values(usable).flatMap((one) => one.manifests);
    const deployment = deploymentOf(rendered.plain);
    const misspelt = { ...deployment, spec: { ...deployment.spec, replicaz: 1 } };
    expect(manifestProblems([...manifests, misspelt, { ...deployment, kind: 'Deploymint' }])).toEqual([
      expect.stringContaining('"replicaz"'),
      expect.stringContaining("'unknown_kind'"),
    ]);
  });

  test('has only the manifests for the set values', () => {
    expect(named(rendered.plain)).toEqual([
      'Deployment demo-doi-gateway',
      'PodDisruptionBudget demo-doi-gateway',
      'Service demo-doi-gateway',
    ]);
    expect(named(rendered.everything)).toEqual([
      'ConfigMap demo-doi-gateway-dashboard',
      'Deployment demo-doi-gateway',
      'HorizontalPodAutoscaler demo-doi-gateway',
      'Ingress demo-doi-gateway',
      'PodDisruptionBudget demo-doi-gateway',
      'PrometheusRule demo-doi-gateway',
      'Service demo-doi-gateway',
      'Service demo-doi-gateway-nowhere',
      'ServiceMonitor demo-doi-gateway',
    ]);
  });

  test('selects its pods by their labels', () => {
    const { selector, template } = deploymentOf(rendered.everything).spec;
    expect(template.metadata.labels).toMatchObject({ ...selector.matchLabels, team: 'library' });
    for (const { kind, metadata } of rendered.everything.manifests) {
      expect([kind, metadata.namespace, metadata.labels]).toMatchObject([kind, 'dois', selector.matchLabels]);
    }
  });

  test('sets a valid configuration of the gateway', () => {
    const { NODE_OPTIONS: _, API_KEYS_FILE, ...environment } = environmentOf(rendered.everything);
    expect(API_KEYS_FILE).toBe('/etc/doi-gateway/API_KEYS_FILE/api-keys.json');
    expect(parseConfig(environment)).toMatchObject({
      WORKERS: 2,
      SHUTDOWN_DRAIN_MS: 20_000,
      SHUTDOWN_TIMEOUT_MS: 25_000,
      MAX_LOOKUPS: 500,
      PERSISTED_OPERATIONS: '/etc/doi-gateway/PERSISTED_OPERATIONS/operations.json',
    });
  });

  test('refers to secrets, and mounts the files of variables', () => {
    const { containers, volumes = [] } = podOf(rendered.everything);
    const [{ env, volumeMounts = [] }] = containers;
    const url = env.find(({ name }) => name === 'REDIS_URL');
    expect(url).toEqual({
      name: 'REDIS_URL',
      valueFrom: { secretKeyRef: { name: 'doi', key: 'redis-url' } },
    });
    expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    expect(volumeMounts).toMatchObject([
      { mountPath: '/etc/doi-gateway/API_KEYS_FILE' },
      { mountPath: '/etc/doi-gateway/PERSISTED_OPERATIONS' },
    ]);
  });

  test('gives a pod enough time to drain and finish before Kubernetes kills the pod', () => {
    for (const one of [rendered.plain, rendered.everything]) {
      const { SHUTDOWN_DRAIN_MS, SHUTDOWN_TIMEOUT_MS } = environmentOf(one);
      const seconds = (Number(SHUTDOWN_DRAIN_MS) + Number(SHUTDOWN_TIMEOUT_MS)) / 1_000;
      expect(podOf(one).terminationGracePeriodSeconds).toBe(seconds + 10);
    }
    const deadline = parseConfig({}).OPERATION_DEADLINE_MS;
    expect(Number(environmentOf(rendered.plain)['SHUTDOWN_TIMEOUT_MS'])).toBeGreaterThanOrEqual(deadline);
  });

  test('computes the heap of each worker from the limit of memory', () => {
    const heapOf = (one: Rendered) => environmentOf(one)['NODE_OPTIONS'];
    // The same computation as in the gateway.
    const byGateway = (workers: number, memoryMiB: number, env = {}) =>
      `--max-old-space-size=${heapOfWorker({ config: parseConfig(env), workers, memoryMiB }).heapMiB}`;
    expect(heapOf(rendered.plain)).toBe('--max-old-space-size=576');
    expect(heapOf(rendered.plain)).toBe(byGateway(1, 1_024));
    expect(heapOf(rendered.everything)).toBe(byGateway(2, 2_048));
    // The heap leaves memory for two bodies of 100 MB, instead of 64 MiB.
    expect(heapOf(rendered.largeBodies)).toBe('--max-old-space-size=449');
    expect(heapOf(rendered.largeBodies)).toBe(byGateway(1, 1_024, SETS.largeBodies.env));
  });

  test('refuses a memory limit that is too small for the cache, and names the minimum', () => {
    expect(rendered.tooSmall.error).toContain('Give the pod 960Mi or more');
    expect(rendered.tooManyWorkers.error).toContain('Give the pod 2880Mi or more');
  });

  test('runs without privileges, on a read-only file system', () => {
    const { securityContext, containers } = podOf(rendered.plain);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('sets no number of pods beside an autoscaler', () => {
    expect(deploymentOf(rendered.plain).spec.replicas).toBe(2);
    expect(deploymentOf(rendered.everything).spec).not.toHaveProperty('replicas');
  });

  test('hides /metrics and /readyz from clients of the Ingress', () => {
    const ingress = rendered.everything.manifests.find(({ kind }) => kind === 'Ingress');
    const nowhere = { service: { name: 'demo-doi-gateway-nowhere' } };
    expect(ingress).toMatchObject({
      spec: {
        rules: [
          {
            host: 'doi.example.org',
            http: {
              paths: [
                { path: '/metrics', pathType: 'Prefix', backend: nowhere },
                { path: '/readyz', pathType: 'Prefix', backend: nowhere },
                { path: '/', pathType: 'Prefix', backend: { service: { name: 'demo-doi-gateway' } } },
              ],
            },
          },
        ],
      },
    });
    const service = rendered.everything.manifests.find(({ metadata }) => metadata.name.endsWith('nowhere'));
    expect(service).not.toHaveProperty('spec.selector');
  });

  test('contains the alerts and the dashboard unchanged', () => {
    const of = (wanted: string) => rendered.everything.manifests.find(({ kind }) => kind === wanted);
    const rules = readAlerts().map((rule) => ({
      ...rule,
      annotations: {
        ...rule.annotations,
        runbook_url: rule.annotations.runbook_url.replace('docs/runbook.md', 'https://wiki.example/runbook'),
      },
    }));
    expect(of('PrometheusRule')).toMatchObject({ spec: { groups: [{ rules }] } });
    expect(of('ConfigMap')).toMatchObject({
      data: { 'doi-gateway.json': textOf('deploy/grafana/doi-gateway.json').trim() },
    });
  });

  test('explains the first request after an installation', () => {
    expect(rendered.plain.notes).toContain('port-forward svc/demo-doi-gateway 4000:80');
    expect(rendered.plain.notes).toContain('Without REDIS_URL');
    expect(rendered.everything.notes).not.toContain('Without REDIS_URL');
  });
});
