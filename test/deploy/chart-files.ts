// The Helm chart: its files, its values, and the manifests that Helm renders.

import { existsSync, readdirSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { pathOf, textOf } from './deploy-files.ts';
import { runGo } from './installed-tools.ts';
import type { Manifest } from './manifest-types.ts';

const CHART = 'deploy/helm/doi-gateway';

export type Values = Readonly<Record<string, unknown>>;

export interface ChartMetadata {
  readonly apiVersion: string;
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
}

export const readMetadata = () => parse(textOf(`${CHART}/Chart.yaml`)) as ChartMetadata;
export const readDefaults = () => parse(textOf(`${CHART}/values.yaml`)) as Values;
export const readSchema = () => JSON.parse(textOf(`${CHART}/values.schema.json`)) as ValuesSchema;

export interface ValuesSchema {
  readonly properties: Readonly<Record<string, { readonly propertyNames?: { readonly pattern: string } }>>;
}

/** Values that replace values of the chart, as in `helm install --values`. Null removes a value. */
export function withDefaults(values: Values, defaults: Values = readDefaults()): Values {
  const merged = Object.entries(values).map(([name, value]) => {
    const own = defaults[name];
    return [name, isMap(value) && isMap(own) ? withDefaults(value, own) : value];
  });
  const all = { ...defaults, ...Object.fromEntries(merged) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The manifests and notes of one set of values, or an error. */
export interface Rendered {
  readonly manifests: readonly Manifest[];
  readonly notes: string;
  readonly error: string | null;
}

/** Renders the chart once for each set of values, as the release `demo` in the namespace `dois`. */
export async function renderChart(sets: readonly Values[]): Promise<Rendered[]> {
  const { name: Name, version: Version, appVersion: AppVersion } = readMetadata();
  const chart = {
    metadata: { Name, Version, AppVersion },
    templates: textsIn('templates', ''),
    files: textsIn('files', 'files/'),
  };
  const tasks = sets.map((values) => ({
    chart,
    release: 'demo',
    namespace: 'dois',
    values: withDefaults(values),
  }));
  const results = JSON.parse(await runGo(pathOf('test/deploy/render-chart.go'), JSON.stringify(tasks)));
  return (results as { manifests?: Record<string, string>; error?: string }[]).map(read);
}

function read({
  manifests = {},
  error = '',
}: {
  manifests?: Record<string, string>;
  error?: string;
}): Rendered {
  const { 'NOTES.txt': notes = '', ...files } = manifests;
  return {
    manifests: Object.entries(files).flatMap(([name, text]) => documentsOf(name, text)),
    notes,
    error: error === '' ? null : error,
  };
}

/** Throws if a file is not valid YAML, or has a key twice. */
function documentsOf(name: string, text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw new Error(`${name}: ${problem.message}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

function textsIn(folder: string, prefix: string): Record<string, string> {
  const names = readdirSync(pathOf(`${CHART}/${folder}`)).filter((name) =>
    existsSync(pathOf(`${CHART}/${folder}/${name}`)),
  );
  return Object.fromEntries(names.map((name) => [prefix + name, textOf(`${CHART}/${folder}/${name}`)]));
}
