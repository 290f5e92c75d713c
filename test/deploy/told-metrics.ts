// What a gateway tells at /metrics, and what of a query it does not tell.

import { createMetrics } from '../../src/metrics.ts';
import { type Matcher, selectorsOf } from './promql.ts';

/** Labels that Prometheus puts on every series when it fetches it. */
const TARGET_LABELS = ['job', 'instance'];

interface Series {
  readonly help: string;
  /** label → values that were seen */
  readonly labels: Map<string, Set<string>>;
}

/** By the name of the series: of a histogram `_bucket`, `_sum` and `_count`. */
export type ToldMetrics = ReadonlyMap<string, Series>;

/** `text` is in Prometheus' format. `up` is Prometheus' own. */
export function readMetrics(text: string): ToldMetrics {
  const told = new Map<string, Series>([['up', { help: '', labels: new Map() }]]);
  const helps = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  for (const [name, help] of helps) told.set(name, { help, labels: declaredLabels(name) });
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const help = helps.get(name) ?? helps.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? '';
    const series = told.get(name) ?? { help, labels: new Map<string, Set<string>>() };
    told.set(name, series);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      series.labels.set(label, (series.labels.get(label) ?? new Set()).add(value));
    }
  }
  return told;
}

/** Labels that a counter has even before it has counted anything. */
function declaredLabels(name: string): Map<string, Set<string>> {
  const metric = createMetrics().registry.getSingleMetric(name) as { labelNames?: string[] } | undefined;
  return new Map((metric?.labelNames ?? []).map((label) => [label, new Set()]));
}

/** Metrics, labels and values of labels that a query asks for and nobody tells; `[]` where all is well. */
export function untold(query: string, told: ToldMetrics): string[] {
  return selectorsOf(query).flatMap(({ metric, matchers, groupedBy }) => {
    const series = told.get(metric);
    if (series === undefined) return [metric];
    const labels = [...TARGET_LABELS, ...series.labels.keys()];
    const asked = [...matchers.map(({ label }) => label), ...groupedBy];
    const unknown = asked.filter((label) => !labels.includes(label)).map((label) => `${metric}{${label}}`);
    const missed = matchers.filter((matcher) => !matches(series, matcher));
    return [...unknown, ...missed.map(({ label, value }) => `${metric}{${label}="${value}"}`)];
  });
}

/** A value counts that was seen, or that the metric's help names. */
function matches({ help, labels }: Series, { label, operator, value }: Matcher): boolean {
  if (TARGET_LABELS.includes(label) || operator.startsWith('!')) return true;
  const named: readonly string[] = help.match(/\w+/g) ?? [];
  return value.split('|').every((one) => labels.get(label)?.has(one) || named.includes(one));
}
