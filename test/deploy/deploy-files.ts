// The files of deploy/, read.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const textOf = (path: string) => readFileSync(pathOf(path), 'utf8');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<'summary' | 'runbook_url', string>>;
}

export function readAlerts(): readonly Alert[] {
  const { groups } = parse(textOf('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}

export function readDashboard(): Dashboard {
  return JSON.parse(textOf('deploy/grafana/doi-gateway.json')) as Dashboard;
}
