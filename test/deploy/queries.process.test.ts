// The dashboard and the alerts use only metrics, labels and values that the gateway reports.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startDirectoryServer } from '../support/directory-server.ts';
import { postQuery, start, startUp } from '../support/gateway-process.ts';
import { readAlerts, readDashboard } from './deploy-files.ts';
import { selectorsOf } from './promql.ts';
import { type ReportedMetrics, readMetrics, unreported } from './reported-metrics.ts';

/** The metrics of a gateway after failures of its directory. */
async function metricsOf(workers: string): Promise<ReportedMetrics> {
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
  // The gateway counts a request at the end of its response, a moment after the client has it.
  const text = await vi.waitUntil(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return metrics.includes('face="handles",status="5xx"') && metrics;
  }, 15_000);
  return readMetrics(text);
}

const { panels, templating } = readDashboard();
const queries = [
  ...readAlerts().map(({ alert, expr, annotations }) => ({ of: alert, expr, shown: annotations.summary })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      // Grafana's own variable, which PromQL does not know.
      expr: expr.replaceAll('$__rate_interval', '5m'),
      shown: legendFormat,
    })),
  ),
];

/** Labels in a legend (`{{face}}`) or a summary (`{{ $labels.face }}`). */
const labelsShown = (text: string) =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z]\w*)\s*\}\}/gi)].map(([, label = '']) => label);

/** The shown labels that the query does not keep. */
const lost = (expr: string, text: string) =>
  labelsShown(text).filter((label) => {
    const grouped = selectorsOf(expr).flatMap(({ groupedBy }) => groupedBy);
    return grouped.length > 0 ? !grouped.includes(label) : !['job', 'instance'].includes(label);
  });

describe('the check of a query finds unknown metrics, labels and values', () => {
  const reported = readMetrics(
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
    expect(unreported(query, reported)).toEqual(problems);
  });

  test.each(['sum by (', 'rate(a_total[$five])', '{__name__="a_total"}'])('throws for %s', (query) => {
    expect(() => unreported(query, reported)).toThrow(query);
  });
});

describe('the dashboard and the alerts', () => {
  test('use only metrics, labels and values that a gateway reports, with one worker and with two workers', async () => {
    expect(queries.length).toBeGreaterThan(30);
    for (const reported of await Promise.all(['1', '2'].map(metricsOf))) {
      const problems = queries.map(({ of, expr }) => [of, unreported(expr, reported)] as const);
      expect(problems.filter(([, missing]) => missing.length > 0)).toEqual([]);
      const [, metric = ''] = /^label_values\((\w+), job\)$/.exec(variable('job')) ?? [];
      expect([...reported.keys()]).toContain(metric);
    }
  });

  test('show only labels that their query keeps', () => {
    const problems = queries.map(({ of, expr, shown }) => [of, lost(expr, shown)] as const);
    expect(problems.filter(([, labels]) => labels.length > 0)).toEqual([]);
  });

  test('select a job for each metric that other programs report too', () => {
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
