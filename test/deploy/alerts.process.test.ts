// Prometheus accepts the alerts, and each alert fires at the right time.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pathOf, readAlerts, textOf } from './deploy-files.ts';
import { promtool, without } from './installed-tools.ts';

const SERIES = 'test/deploy/alert-series.yaml';

interface SeriesTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

test('the series make each alert fire', () => {
  const { tests } = parse(textOf(SERIES)) as { tests: SeriesTest[] };
  const fired = tests
    .flatMap(({ alert_rule_test }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  expect(new Set(fired)).toEqual(new Set(readAlerts().map(({ alert }) => alert)));
});

describe.skipIf(without('promtool', 'alerts'))('promtool', () => {
  test('accepts the rules', async () => {
    expect(await promtool('check', 'rules', pathOf('deploy/prometheus/alerts.yaml'))).toContain(
      `SUCCESS: ${readAlerts().length} rules found`,
    );
  });

  test('sees each alert fire at the right time, with its summary', async () => {
    expect(await promtool('test', 'rules', pathOf(SERIES))).toContain('SUCCESS');
  });
});
