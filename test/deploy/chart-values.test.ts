// The values that an operator can set in the chart, and the values that the schema refuses.

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/app/limits.ts';
import { parseConfig, VARIABLES } from '../../src/config.ts';
import { JOB_VARIABLES } from '../../src/config-variables/job-variables.ts';
import { readDefaults, readMetadata, readSchema, type Values, withDefaults } from './chart-files.ts';
import { textOf } from './deploy-files.ts';

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(readSchema());

/** The places where the schema refuses values. */
function refused(values: Values): string[] {
  validate(withDefaults(values));
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

/**
 * Variables that the chart sets from other values; the variables of jobs, for which it has no shared volume; and the
 * address for operators, since the ServiceMonitor fetches from the port of the Service.
 */
const OWN = [
  'PORT',
  'HOST',
  'OPS_ADDRESS',
  'WORKERS',
  'SHUTDOWN_DRAIN_MS',
  'SHUTDOWN_TIMEOUT_MS',
  ...Object.keys(JOB_VARIABLES),
];

/** Variables that must come from a Secret. */
const SECRET = ['REDIS_URL', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** Read by OpenTelemetry's SDK, and named in docs/operating.md. */
const OPEN_TELEMETRY = [...textOf('docs/operating.md').matchAll(/`(OTEL_[A-Z_]+)=/g)].map(
  ([, name = '']) => name,
);

const namesIn = (value: string) =>
  (readSchema().properties[value]?.propertyNames?.pattern ?? '').replace(/^\^\(|\)\$$/g, '').split('|');

test('the default values are valid', () => {
  expect(refused({})).toEqual([]);
});

test('operators can set each variable of the gateway, and no other', () => {
  const settable = [...Object.keys(VARIABLES), ...OPEN_TELEMETRY].filter((name) => !OWN.includes(name));
  expect(new Set(namesIn('env'))).toEqual(new Set(settable.filter((name) => !SECRET.includes(name))));
  // The chart computes the heap from these two.
  const known = ['CACHE_MAX_BYTES', 'MAX_BODY_BYTES'];
  expect(new Set(namesIn('envFromSecrets'))).toEqual(
    new Set(settable.filter((name) => !known.includes(name))),
  );
});

test('each value has a default and a rule', () => {
  const { global: _, ...rules } = readSchema().properties;
  expect(Object.keys(readDefaults())).toEqual(Object.keys(rules));
});

test.each<[string, Values, string]>([
  ['an unknown value', { replica: 3 }, ' additionalProperties'],
  ['an unknown variable', { env: { DIRECTORY_TIMEOUT: '1' } }, '/env pattern'],
  ['a number as a variable', { env: { MAX_LOOKUPS: 100 } }, '/env/MAX_LOOKUPS type'],
  ['a variable that the chart sets', { env: { PORT: '80' } }, '/env pattern'],
  ['the options of Node', { env: { NODE_OPTIONS: '--inspect' } }, '/env pattern'],
  ['a URL with a password in clear', { env: { REDIS_URL: 'redis://:secret@cache' } }, '/env pattern'],
  ['a secret in clear', { envFromSecrets: { REDIS_URL: 'redis://cache' } }, '/envFromSecrets/REDIS_URL type'],
  [
    'a file from two places',
    { files: { API_KEYS_FILE: { secret: 'a', configMap: 'b', key: 'c' } } },
    '/files/API_KEYS_FILE oneOf',
  ],
  [
    'a file for a variable without a file',
    { files: { CONTACT: { secret: 'a', key: 'b' } } },
    '/files pattern',
  ],
  ['no limit of memory', { resources: { limits: { memory: null } } }, '/resources/limits required'],
  [
    'a limit in bytes',
    { resources: { limits: { memory: '1000000000' } } },
    '/resources/limits/memory pattern',
  ],
  ['an Ingress for every host', { ingress: { enabled: true } }, '/ingress/host minLength'],
])('%s is refused', (_, values, problem) => {
  expect(refused(values)).toContain(problem);
});

test('the chart has the version of the gateway', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(readMetadata()).toMatchObject({
    apiVersion: 'v2',
    name: 'doi-gateway',
    version,
    appVersion: version,
  });
});

test('the chart computes the heap from the defaults of the gateway', () => {
  const template = textOf('deploy/helm/doi-gateway/templates/_memory.tpl');
  expect(template).toContain(`default "${VARIABLES.CACHE_MAX_BYTES.default}"`);
  expect(2 * limitsOf(parseConfig({})).responseBytes).toBeLessThanOrEqual(192 * 1_048_576);
  expect(2 * Number(VARIABLES.MAX_BODY_BYTES.default)).toBeLessThanOrEqual(64 * 1_048_576);
});
