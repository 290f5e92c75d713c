// The configuration as a whole: contradictions, typing errors, notices, and its document.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TABLE_PAGES } from '../scripts/write-tables.ts';
import {
  configNotices,
  type Environment,
  parseConfig,
  removedVariables,
  unknownVariables,
  VARIABLES,
} from '../src/config.ts';
import { usesAgencyApis } from '../src/config-variables/metadata-variables.ts';
import { REMOVED_VARIABLES } from '../src/config-variables/removed-variables.ts';
import type { Variable } from '../src/config-variables/variable-types.ts';
import { configErrors } from './support/config-errors.ts';
import { testTable } from './support/test-table.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

describe('the configuration', () => {
  test('is frozen and has only the variables of the table', () => {
    const config = parseConfig({ PATH: '/bin', SECRET: 'x', __proto__: 'x', PORT: '80' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.keys(config)).toEqual(Object.keys(VARIABLES));
  });

  test('ignores an empty variable, because compose files set unused variables to an empty text', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(parseConfig(empty)).toEqual(parseConfig({}));
  });

  test('reports all wrong variables at once, with name, value and reason', () => {
    const environment = {
      ...{ PORT: 'abc', HOST: 'localhost', DOI_DIRECTORY_URL: 'doi.org', CONTACT: 'ops' },
      ...{ MAX_BODY_BYTES: '1', LOG_LEVEL: 'loud' },
    };
    expect(configErrors(environment).split('\n')).toEqual([
      'The configuration cannot be used:',
      '  PORT="abc": must be a whole number',
      expect.stringMatching(/^ {2}DOI_DIRECTORY_URL="doi\.org": must be an http or https URL/),
      '  CONTACT="ops": must be a mail address',
      '  MAX_BODY_BYTES="1": must be from 1000 to 100000000',
      expect.stringMatching(/^ {2}LOG_LEVEL="loud": /),
    ]);
  });

  const JOBS = { JOBS_REDIS_URL: 'redis://queue', JOBS_DIR: '/jobs' };

  testTable<[Environment, message: string]>([
    [{ PUBLIC_ACCESS: 'no' }, 'PUBLIC_ACCESS="no": no client has access without API_KEYS_FILE'],
    [{ PUBLIC_ACCESS: 'no', API_KEYS_FILE: 'keys.json' }, ''],
    [{ JOBS_DIR: '/jobs' }, 'JOBS_REDIS_URL="": set both JOBS_REDIS_URL'],
    [{ JOBS_REDIS_URL: 'redis://queue' }, 'JOBS_DIR="": set both JOBS_REDIS_URL'],
    [JOBS, ''],
    [{ ROLE: 'worker' }, 'ROLE="worker": a worker needs JOBS_REDIS_URL'],
    [{ ...JOBS, ROLE: 'worker' }, ''],
    // Jobs must leave a part of the rate to other requests.
    [{ ...JOBS, DIRECTORY_RPS: '100' }, 'must be less than DIRECTORY_RPS (100)'],
    [{ ...JOBS, DIRECTORY_RPS: '101' }, ''],
    [{ DIRECTORY_RPS: '100' }, ''],
  ])('rejects variables that contradict each other', (environment, message) => {
    if (message === '') expect(configErrors(environment)).toBe('');
    else expect(configErrors(environment)).toContain(message);
  });
});

describe('an unknown variable', () => {
  testTable([
    ['MAX_LOOKUP', 'MAX_LOOKUPS'],
    ['DOI_DIRECTORY_URI', 'DOI_DIRECTORY_URL'],
    ['DIRECTORYCONNECTIONS', 'DIRECTORY_CONNECTIONS'],
    ['CACHE_MAXBYTES', 'CACHE_MAX_BYTES'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['PERSISTED_OPERATION_FILE', 'PERSISTED_OPERATIONS'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['WORKER', 'WORKERS'],
    ['Redis_Url', 'REDIS_URL'],
    ['port', 'PORT'],
  ])('is reported with the variable that it resembles', (name, suggestion) => {
    expect(unknownVariables({ [name]: 'x', PATH: '/bin' })).toEqual([{ name, suggestion }]);
  });

  test('of another program is not reported', () => {
    const names =
      'PATH HOME POST HOSTS HOSTNAME PORTS PWD USER SHELL LANG TERM TZ CI EDITOR LOGNAME LS_COLORS CONTENT REDIS_HOST REDIS_PORT ' +
      'REDIS_TLS_URL CACHE_DIR MAX_MEMORY PUBLIC_IP PUBLIC_DIR LOG_FILE LOG_FORMAT NODE_ENV NODE_OPTIONS WEB_CONCURRENCY ' +
      'npm_config_cache npm_package_name DIRENV_DIR XDG_CACHE_HOME SSH_AUTH_SOCK KUBERNETES_PORT DEBUG ' +
      'DOI_GATEWAY_PORT DATABASE_URL LC_ALL COLORTERM NO_COLOR FORCE_COLOR HTTP_PROXY http_proxy https_proxy no_proxy ALL_PROXY __proto__';
    const all = [...names.split(' '), ...Object.keys(VARIABLES)];
    expect(unknownVariables(Object.fromEntries(all.map((name) => [name, 'x'])))).toEqual([]);
  });
});

describe('a removed variable', () => {
  const names = Object.keys(REMOVED_VARIABLES);

  test('is ignored, and a message reports the variable unless it is empty', () => {
    expect(removedVariables({ DIRECTORY_RETRIES: '3', MAX_CONNECTIONS: '', PORT: '80' })).toEqual([
      'The gateway no longer reads DIRECTORY_RETRIES. The value is always 2 attempts after the first.',
    ]);
    const environment = Object.fromEntries(names.map((name) => [name, 'any text']));
    expect(removedVariables(environment)).toHaveLength(names.length);
    expect(unknownVariables(environment)).toEqual([]);
    expect(parseConfig(environment)).toEqual(parseConfig({}));
  });

  test('does not exist, and its replacement exists', () => {
    expect(names.filter((name) => Object.hasOwn(VARIABLES, name))).toEqual([]);
    const texts = Object.values(REMOVED_VARIABLES);
    const replacements = texts.flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
    expect(replacements.filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([]);
  });
});

describe('a notice at the start', () => {
  const LIVE = { DOI_DIRECTORY_URL: 'https://doi.org', CONTACT: 'ops@example.org' };
  const noticesOf = (environment: Environment) => configNotices(parseConfig(environment));

  testTable<[string, Environment]>([
    ['the defaults', {}],
    ['the live system with CONTACT', LIVE],
    ['another directory without CONTACT', { DOI_DIRECTORY_URL: 'https://notdoi.org,http://localhost:1' }],
    ['a shared cache before a directory', { ...LIVE, REDIS_URL: 'redis://localhost' }],
    ['a deadline for the embedded directory', { OPERATION_DEADLINE_MS: '1000' }],
    ['a proxy that is not used', { HTTPS_PROXY: 'http://proxy.example:3128' }],
  ])('does not come for usual configurations', (_, environment) => {
    expect(noticesOf(environment)).toEqual([]);
  });

  testTable<[Environment, RegExp]>([
    [{ REDIS_URL: 'redis://localhost' }, /^REDIS_URL has no effect/],
    [{ DOI_DIRECTORY_URL: 'https://doi.org' }, /^Requests go to the live DOI system without CONTACT/],
    [
      { DOI_DIRECTORY_URL: 'http://a:1,https://dx.doi.org/' },
      /^Requests go to the live DOI system without CONT/,
    ],
  ])('warns of a cache without effect and of the live system without CONTACT', (environment, text) => {
    expect(noticesOf(environment)).toEqual([{ level: 'warn', text: expect.stringMatching(text) }]);
  });

  test('names the proxy without its password', () => {
    expect(noticesOf({ ...LIVE, HTTPS_PROXY: 'http://me:secret@proxy.example:3128' })).toEqual([
      {
        level: 'info',
        text: 'Requests over https go through the proxy http://proxy.example:3128. The gateway does not check the IP addresses that the proxy connects to.',
      },
    ]);
  });
});

test('docs/configuration.md is generated from the tables', () => {
  const path = 'docs/configuration.md';
  expect(readFileSync(resolve(root, path), 'utf8'), 'run `npm run tables`').toBe(TABLE_PAGES[path]);
  const documented = [...(TABLE_PAGES[path] ?? '').matchAll(/^\| `([A-Z_]+)` \| (?:unset|the|`)/gm)];
  expect(documented.map(([, name]) => name)).toEqual(Object.keys(VARIABLES));
});

test('at most 48 variables exist, and sentences say what each variable means and when to change it', () => {
  expect(Object.keys(VARIABLES).length).toBeLessThanOrEqual(48);
  const texts = Object.values<Variable>(VARIABLES).flatMap(({ meaning, changeWhen }) => [
    meaning,
    changeWhen,
  ]);
  expect(texts.filter((text) => !/^[A-Z].*\.$/.test(text) || text.includes('|'))).toEqual([]);
});

testTable<[boolean, Environment]>([
  [false, {}],
  [false, { METADATA_API: 'yes' }],
  [true, { DOI_DIRECTORY_URL: 'https://doi.org' }],
  [true, { DOI_DIRECTORY_URL: 'https://dx.doi.org,https://hdl.handle.net' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA_API: 'no' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA: 'no' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA: 'no', METADATA_API: 'yes' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org,https://doi.example.org' }],
  [true, { DOI_DIRECTORY_URL: 'https://doi.example.org', METADATA_API: 'yes' }],
  [true, { DOI_DIRECTORY_URL: 'http://127.0.0.1:1', CROSSREF_API_URL: 'http://127.0.0.1:2' }],
  [true, { DOI_DIRECTORY_URL: 'http://127.0.0.1:1', DATACITE_API_URL: 'http://127.0.0.1:2' }],
])(
  'the APIs of the agencies are used for the live system, or if a variable says so',
  (isUsed, environment) => {
    expect(usesAgencyApis(parseConfig(environment))).toBe(isUsed);
  },
);
