// The dashboard and the alerts ask for nothing that the gateway does not tell: metrics, labels and their values.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startDirectoryServer } from '../support/directory-server.ts';
import { postQuery, start, startUp } from '../support/gateway-process.ts';
import { readAlerts, readDashboard } from './deploy-files.ts';
import { selectorsOf } from './promql.ts';
import { readMetrics, type ToldMetrics, untold } from './told-metrics.ts';

/** The metrics of a gateway that has met a directory in trouble. */
async function metricsOf(workers: string): Promise<ToldMetrics> {
  const server = await startDirectoryServer((request, response) => {
    response.writeHead(request.url?.includes('429') ? 429 : 500).end();
  });
  onTestFinished(() => server.close());
  const { url } = await startUp(start({ WORKERS: workers, DOI_DIRECTORY_URL: server.url.href }));
  await Promise.all([
    postQuery(url, '{ doi(input: "10.5555/500") { exists } }'),
    fetch(`${url}/api/handles/10.5555/500/2`),
    fetch(`${url}/api/handles/10.5555/429`),
  ]);
  // A request is counted when its answer is over, and the client may have it a moment before.
  const text = await vi.waitUntil(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return metrics.includes('face="handles",status="5xx"') && metrics;
  }, 15_000);
  return readMetrics(text);
}

const { panels, templating } = readDashboard();
const queries = [
  ...readAlerts().map(({ alert, expr, annotations }) => ({ of: alert, expr, told: annotations.summary })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      // Grafana's own variable, which PromQL does not know.
      expr: expr.replaceAll('$__rate_interval', '5m'),
      told: legendFormat,
    })),
  ),
];

/** Labels in a legend (`{{face}}`) or a summary (`{{ $labels.face }}`). */
const labelsShown = (text: string) =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z]\w*)\s*\}\}/gi)].map(([, label = '']) => label);

/** A label that is shown has to be one that the query keeps. */
const lost = (expr: string, text: string) =>
  labelsShown(text).filter((label) => {
    const grouped = selectorsOf(expr).flatMap(({ groupedBy }) => groupedBy);
    return grouped.length > 0 ? !grouped.includes(label) : !['job', 'instance'].includes(label);
  });

describe('what a query asks for', () => {
  const told = readMetrics(
    '# HELP a_total Things by kind (x).\n# TYPE a_total counter\na_total{kind="y"} 1\n',
  );

  test.each([
    ['sum by (kind, job) (rate(a_total{kind=~"x|y", instance="z"}[5m])) > 0.5', []],
    ['rate(b_total[5m])', ['b_total']],
    ['a_total{sort="z"}', ['a_total{sort}', 'a_total{sort="z"}']],
    ['sum(a_total) by (sort)', ['a_total{sort}']],
    ['a_total{kind="z"}', ['a_total{kind="z"}']],
    ['a_total{kind!="z"}', []],
    ['up == 0 and on (sort) a_total', ['up{sort}', 'a_total{sort}']],
  ])('%s', (query, problems) => {
    expect(untold(query, told)).toEqual(problems);
  });

  test.each(['sum by (', 'rate(a_total[$five])', '{__name__="a_total"}'])(
    '%s is no query that can be checked',
    (query) => {
      expect(() => untold(query, told)).toThrow(query);
    },
  );
});

describe('the dashboard and the alerts', () => {
  test('ask for what a gateway of one and of two workers reports', async () => {
    expect(queries.length).toBeGreaterThan(30);
    for (const reported of await Promise.all(['1', '2'].map(metricsOf))) {
      const problems = queries.map(({ of, expr }) => [of, untold(expr, reported)] as const);
      expect(problems.filter(([, missing]) => missing.length > 0)).toEqual([]);
      const [, metric = ''] = /^label_values\((\w+), job\)$/.exec(variable('job')) ?? [];
      expect([...reported.keys()]).toContain(metric);
    }
  });

  test('show no label that their query drops', () => {
    const problems = queries.map(({ of, expr, told }) => [of, lost(expr, told)] as const);
    expect(problems.filter(([, labels]) => labels.length > 0)).toEqual([]);
  });

  test('ask for the processes of the job alone', () => {
    const own = queries
      .flatMap(({ expr }) => selectorsOf(expr))
      .filter(({ metric }) => !/^doi_/.test(metric));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter(({ matchers }) => !matchers.some(({ label }) => label === 'job'))).toEqual([]);
  });
});

function variable(name: string): string {
  const { query } = templating.list.find((one) => one.name === name) ?? {};
  return (query as { query?: string } | undefined)?.query ?? '';
}
