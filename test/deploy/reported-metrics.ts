// The metrics that a gateway reports at /metrics, and the parts of a query that it does not report.

import { createMetrics } from '../../src/metrics.ts';
import { type Matcher, selectorsOf } from './promql.ts';

/** Labels that Prometheus puts on every series when it fetches it. */
const TARGET_LABELS = ['job', 'instance'];

interface Series {
  readonly help: string;
  /** label → values in /metrics */
  readonly labels: Map<string, Set<string>>;
}

/** The key is the name of the series. A histogram has the series `_bucket`, `_sum` and `_count`. */
export type ReportedMetrics = ReadonlyMap<string, Series>;

/** `text` is in Prometheus' format. `up` is Prometheus' own. */
export function readMetrics(text: string): ReportedMetrics {
  const reported = new Map<string, Series>([['up', { help: '', labels: new Map() }]]);
  const helps = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  for (const [name, help] of helps) reported.set(name, { help, labels: declaredLabels(name) });
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const help = helps.get(name) ?? helps.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? '';
    const series = reported.get(name) ?? { help, labels: new Map<string, Set<string>>() };
    reported.set(name, series);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      series.labels.set(label, (series.labels.get(label) ?? new Set()).add(value));
    }
  }
  return reported;
}

/** The labels of a counter that has not counted yet. */
function declaredLabels(name: string): Map<string, Set<string>> {
  const metric = createMetrics().registry.getSingleMetric(name) as { labelNames?: string[] } | undefined;
  return new Map((metric?.labelNames ?? []).map((label) => [label, new Set()]));
}

/** The metrics, labels and values in a query that no gateway reports. */
export function unreported(query: string, reported: ReportedMetrics): string[] {
  return selectorsOf(query).flatMap(({ metric, matchers, groupedBy }) => {
    const series = reported.get(metric);
    if (series === undefined) return [metric];
    const labels = [...TARGET_LABELS, ...series.labels.keys()];
    const used = [...matchers.map(({ label }) => label), ...groupedBy];
    const unknown = used.filter((label) => !labels.includes(label)).map((label) => `${metric}{${label}}`);
    const missed = matchers.filter((matcher) => !matches(series, matcher));
    return [...unknown, ...missed.map(({ label, value }) => `${metric}{${label}="${value}"}`)];
  });
}

/** Whether the gateway reported the value, or the help of the metric names it. */
function matches({ help, labels }: Series, { label, operator, value }: Matcher): boolean {
  if (TARGET_LABELS.includes(label) || operator.startsWith('!')) return true;
  const named: readonly string[] = help.match(/\w+/g) ?? [];
  return value.split('|').every((one) => labels.get(label)?.has(one) || named.includes(one));
}
