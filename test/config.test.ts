// The environment, read as a whole: what is good, what is not, and what a person is told.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TABLE_PAGES } from '../scripts/write-tables.ts';
import {
  ConfigError,
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
import { KNOWN_METADATA_HOSTS } from '../src/upstream/agencies/agency-limits.ts';
import { testTable } from './support/test-table.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the person who starts the gateway reads. */
function complaint(environment: Environment): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'nothing to complain of';
}

describe('an empty environment', () => {
  test('gives every variable its default', () => {
    expect(parseConfig({})).toEqual({
      PORT: 4000,
      HOST: '127.0.0.1',
      OPS_ADDRESS: null,
      DOI_DIRECTORY_URL: null,
      DOI_DIRECTORY_FILE: resolve(root, 'data/sample-directory.jsonl'),
      DOI_AGENCIES_FILE: resolve(root, 'data/prefix-agencies.json'),
      CONTACT: null,
      HTTPS_PROXY: null,
      NO_PROXY: null,
      PUBLIC_URL: null,
      COUNTRY_HEADER: null,
      LOCAL_SERVICES: null,
      DIRECTORY_CONNECTIONS: 64,
      DIRECTORY_RPS: null,
      CACHE_MAX_BYTES: 268_435_456,
      REDIS_URL: null,
      METADATA_API: null,
      MATCHING: true,
      CROSSREF_API_URL: null,
      CROSSREF_PLUS_TOKEN: null,
      DATACITE_API_URL: null,
      METADATA: true,
      METADATA_HOSTS: new Set(KNOWN_METADATA_HOSTS),
      DOI_METADATA_FILE: resolve(root, 'data/sample-metadata.jsonl'),
      MAX_METADATA: 1_000,
      MAX_LOOKUPS: 2_000,
      MAX_BODY_BYTES: 1_048_576,
      OPERATION_DEADLINE_MS: 30_000,
      TRUSTED_PROXIES: null,
      CLIENT_LOOKUPS_PER_SECOND: null,
      API_KEYS_FILE: null,
      PUBLIC_ACCESS: true,
      JOBS_REDIS_URL: null,
      JOBS_DIR: null,
      ROLE: 'both',
      JOBS_LOOKUPS_PER_SECOND: 100,
      MAX_JOB_BYTES: 536_870_912,
      JOBS_MAX_BYTES: 42_949_672_960,
      JOBS_KEEP_HOURS: 72,
      PERSISTED_OPERATIONS: null,
      PERSISTED_ONLY: false,
      INTROSPECTION: true,
      WORKERS: 1,
      SHUTDOWN_DRAIN_MS: 2_000,
      SHUTDOWN_TIMEOUT_MS: 10_000,
      LOG_LEVEL: 'info',
      ACCESS_LOG: 'no',
      OTEL_EXPORTER_OTLP_ENDPOINT: null,
    });
  });

  test('is the same as one whose variables are all empty, as a compose file sets them', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(parseConfig(empty)).toEqual(parseConfig({}));
  });
});

describe('a configuration', () => {
  test('is frozen', () => {
    expect(Object.isFrozen(parseConfig({}))).toBe(true);
  });

  test('holds the variables of the table and nothing else of the environment', () => {
    const config = parseConfig({ PATH: '/bin', SECRET: 'x', __proto__: 'x', PORT: '80' });
    expect(Object.keys(config)).toEqual(Object.keys(VARIABLES));
  });
});

const NOT_WHOLE = [
  'abc',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  ' 1000',
  '1000 ',
  '1_000',
  '1,000',
  '１０００',
  'NaN',
  'Infinity',
];

testTable([
  ['PORT', 0, 65_535],
  ['DIRECTORY_CONNECTIONS', 1, 1_024],
  ['MAX_METADATA', 1, 100_000],
  ['DIRECTORY_RPS', 1, 100_000],
  ['CLIENT_LOOKUPS_PER_SECOND', 1, 100_000],
  ['MAX_BODY_BYTES', 1_000, 100_000_000],
  ['SHUTDOWN_DRAIN_MS', 0, 600_000],
  ['SHUTDOWN_TIMEOUT_MS', 0, 600_000],
] as const)('%s is a whole number from %d to %d', (name, min, max) => {
  expect(parseConfig({ [name]: String(min) })[name]).toBe(min);
  expect(parseConfig({ [name]: String(max) })[name]).toBe(max);
  for (const text of [String(max + 1), '9'.repeat(400), ...(min > 0 ? [String(min - 1)] : [])])
    expect(complaint({ [name]: text })).toContain(`${name}="${text}": must be from ${min} to ${max}`);
  for (const text of NOT_WHOLE)
    expect(complaint({ [name]: text })).toContain(`${name}="${text}": must be a whole number`);
});

describe('WORKERS', () => {
  testTable([
    ['1', 1],
    ['256', 256],
    ['auto', 'auto'],
  ])('may be %s', (text, count) => {
    expect(parseConfig({ WORKERS: text }).WORKERS).toBe(count);
  });

  testTable(['0', '257', '-1', '1.5', 'AUTO', 'many', ' 2'])('may not be "%s"', (text) => {
    expect(complaint({ WORKERS: text })).toContain(
      `WORKERS="${text}": must be a whole number from 1 to 256, or auto`,
    );
  });
});

describe('OPS_ADDRESS', () => {
  testTable([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9_464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
  ])('may be %s', (text, address) => {
    expect(parseConfig({ OPS_ADDRESS: text }).OPS_ADDRESS).toEqual(address);
  });

  testTable([
    '9464',
    ':9464',
    '127.0.0.1',
    '127.0.0.1:',
    'a:65536',
    '::1:80',
    '[a]:80',
    'http://a:80',
    'a:80/x',
  ])('may not be "%s"', (text) => {
    expect(complaint({ OPS_ADDRESS: text })).toContain(
      `OPS_ADDRESS="${text}": must be an address and a port, such as 127.0.0.1:9464 or [::]:9464`,
    );
  });
});

describe('TRUSTED_PROXIES', () => {
  test('is addresses and ranges of both kinds', () => {
    expect(parseConfig({ TRUSTED_PROXIES: '192.0.2.1, 10.0.0.0/8,fd00::/8, ::1' }).TRUSTED_PROXIES).toEqual([
      { address: '192.0.2.1', bits: 32, family: 'ipv4' },
      { address: '10.0.0.0', bits: 8, family: 'ipv4' },
      { address: 'fd00::', bits: 8, family: 'ipv6' },
      { address: '::1', bits: 128, family: 'ipv6' },
    ]);
  });

  testTable([
    'loopback',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    'fe80::1%eth0',
    '10.0.0.1 10.0.0.2',
  ])('is not "%s"', (text) => {
    expect(complaint({ TRUSTED_PROXIES: text })).toContain(
      `TRUSTED_PROXIES="${text}": must be IP addresses or ranges such as 10.0.0.0/8`,
    );
  });
});

describe('clients', () => {
  testTable<[string, Environment]>([
    ['PUBLIC_ACCESS="no": no client has access without API_KEYS_FILE', { PUBLIC_ACCESS: 'no' }],
  ])('every row', (told, environment) => {
    expect(complaint(environment)).toContain(told);
  });

  test('may be closed to all that have no key', () => {
    expect(parseConfig({ PUBLIC_ACCESS: 'no', API_KEYS_FILE: 'keys.json' }).PUBLIC_ACCESS).toBe(false);
  });
});

describe('LOG_LEVEL', () => {
  testTable(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])('may be %s', (level) => {
    expect(parseConfig({ LOG_LEVEL: level }).LOG_LEVEL).toBe(level);
  });

  testTable(['loud', 'INFO', '30'])('may not be %s, and the complaint lists what it may be', (level) => {
    expect(complaint({ LOG_LEVEL: level })).toMatch(new RegExp(`LOG_LEVEL="${level}": .*trace.*silent`));
  });
});

describe.each(['METADATA', 'PERSISTED_ONLY', 'INTROSPECTION'])('%s', (name) => {
  testTable(['true', 'YES', '1', 'on'])('may not be %s', (text) => {
    expect(complaint({ [name]: text })).toContain(`${name}="${text}": must be yes or no`);
  });
});

describe('DOI_DIRECTORY_URL', () => {
  testTable([
    ['https://doi.org', 'https://doi.org/'],
    ['https://doi.org/', 'https://doi.org/'],
    ['http://localhost:8000', 'http://localhost:8000/'],
    ['http://[::1]:8000/proxy/', 'http://[::1]:8000/proxy/'],
    ['HTTPS://DOI.ORG', 'https://doi.org/'],
  ])('may be %s', (text, href) => {
    expect(parseConfig({ DOI_DIRECTORY_URL: text }).DOI_DIRECTORY_URL).toEqual([new URL(href)]);
  });

  testTable(['https://doi.org,http://localhost:8000/proxy', 'https://doi.org , http://localhost:8000/proxy'])(
    'may be several, which are tried in order: %s',
    (text) => {
      const hrefs = parseConfig({ DOI_DIRECTORY_URL: text }).DOI_DIRECTORY_URL?.map(({ href }) => href);
      expect(hrefs).toEqual(['https://doi.org/', 'http://localhost:8000/proxy']);
    },
  );

  testTable([
    ['doi.org', 'no scheme'],
    ['//doi.org', 'no scheme'],
    ['localhost:8000', 'a host that reads as a scheme'],
    ['ftp://doi.org', 'another scheme'],
    ['file:///etc/passwd', 'another scheme'],
    ['https://', 'no host'],
    ['https://doi.org:99999', 'no port'],
    ['https://doi.org/?type=URL', 'a query'],
    ['https://doi.org/#top', 'a fragment'],
    [',', 'none'],
    ['https://a.example,', 'none after the comma'],
    ['https://a.example,b.example', 'one of several without scheme'],
    ['https://a.example;https://b.example/?q', 'another divider'],
  ])('may not be %s: %s', (text) => {
    expect(complaint({ DOI_DIRECTORY_URL: text })).toContain(
      `DOI_DIRECTORY_URL="${text}": must be an http or https URL without query, fragment or password, such as https://doi.org, or several such URLs, separated by commas`,
    );
  });
});

describe('a password in DOI_DIRECTORY_URL', () => {
  testTable(['https://user@doi.org', 'https://user:password@doi.org'])(
    'is refused and not repeated: %s',
    (text) => {
      expect(complaint({ DOI_DIRECTORY_URL: text })).toContain(
        'DOI_DIRECTORY_URL="https://***@doi.org": must be',
      );
    },
  );
});

test('the password of any of several directories is not repeated', () => {
  const message = complaint({ DOI_DIRECTORY_URL: 'https://a:b@doi.org,https://c:d@doi.org' });
  expect(message).toContain('DOI_DIRECTORY_URL="https://***@doi.org,https://***@doi.org": must be');
});

describe('a password in DOI_DIRECTORY_URL with characters that end a host', () => {
  testTable([
    ['https://a:s3/cret@doi.org', 'https://***@doi.org'],
    ['https://a:s3//cret@doi.org', 'https://***@doi.org'],
    ['https://a:s3@cret@doi.org,https://c:s3/cret@b.example', 'https://***@doi.org,https://***@b.example'],
  ])('is not repeated: %s', (text, shown) => {
    expect(complaint({ DOI_DIRECTORY_URL: text })).toContain(`DOI_DIRECTORY_URL="${shown}": must be`);
  });
});

describe('REDIS_URL', () => {
  const plain = {
    isCluster: false,
    isEncrypted: false,
    nodes: [{ host: 'cache.example', port: 6379 }],
    username: null,
    password: null,
    database: 0,
  };
  const cluster = { ...plain, isCluster: true };

  testTable([
    ['redis://cache.example', plain],
    ['redis://cache.example/', plain],
    ['rediss://cache.example:6380', { isEncrypted: true, nodes: [{ host: 'cache.example', port: 6380 }] }],
    ['redis://127.0.0.1:1/2', { nodes: [{ host: '127.0.0.1', port: 1 }], database: 2 }],
    ['redis://[::1]:6379', { nodes: [{ host: '::1', port: 6379 }] }],
    ['redis://:secret@cache.example', { ...plain, password: 'secret' }],
    ['redis://user@cache.example', { ...plain, username: 'user' }],
    ['redis://user:pa%2Fs%40s%25@cache.example', { ...plain, username: 'user', password: 'pa/s@s%' }],
    ['redis://user:pa:s@s@cache.example', { ...plain, username: 'user', password: 'pa:s@s' }],
    [
      'redis+cluster://u:p@a.example:7000,[::1],b_2.example',
      {
        ...cluster,
        username: 'u',
        password: 'p',
        nodes: [
          { host: 'a.example', port: 7000 },
          { host: '::1', port: 6379 },
          { host: 'b_2.example', port: 6379 },
        ],
      },
    ],
  ])('may be %s', (text, address) => {
    expect(parseConfig({ REDIS_URL: text }).REDIS_URL).toMatchObject(address);
  });

  testTable([
    ['cache.example:6379', 'a URL of redis://, rediss:// or redis+cluster://'],
    ['http://cache.example', 'a URL of redis://, rediss:// or redis+cluster://'],
    ['redis:cache.example', 'a URL of redis://, rediss:// or redis+cluster://'],
    ['redis://', 'end with its host and port'],
    ['redis:///1', 'end with its host and port'],
    ['redis://cache.example/a', 'end with its host and port'],
    ['redis://cache.example?family=6', 'end with its host and port'],
    ['redis://cache.example:6379/1/2', 'end with its host and port'],
    ['redis+cluster://cache.example/1', 'a cluster has no databases'],
    ['redis://cache.example:', 'HOST or HOST:PORT'],
    ['redis://cache.example:0', 'HOST or HOST:PORT'],
    ['redis://cache.example:65536', 'HOST or HOST:PORT'],
    ['redis://cache.example:six', 'HOST or HOST:PORT'],
    ['redis://cache example', 'HOST or HOST:PORT'],
    ['redis://[::1', 'HOST or HOST:PORT'],
    ['redis+cluster://a.example,', 'HOST or HOST:PORT'],
    ['redis://a.example,b.example', 'write redis+cluster://'],
  ])('may not be %s', (text, reason) => {
    const message = complaint({ REDIS_URL: text });
    expect(message).toContain('REDIS_URL="');
    expect(message).toContain(reason);
  });

  testTable([
    ['redis://:s3/cret@h', 'redis://***@h', 'write %2F'],
    ['redis://s3#cret:s3?cret@h', 'redis://***@h', 'write %2F'],
    ['redis://u:s3%zzcret@h', 'redis://***@h', 'write %25'],
    ['redis://u:s3//cret@h:99999', 'redis://***@h:99999', 'write %2F'],
    ['rediss://u:s3@cret@h:99999', 'rediss://***@h:99999', 'HOST:PORT'],
    ['redis://:s3cret', 'redis://***@', 'HOST:PORT'],
    ['user:s3cret@h:6379', '***@h:6379', 'must be a URL'],
    ['redis+cluster://u:s3/cret@a,b', 'redis+cluster://***@a,b', 'write %2F'],
  ])('with a password is not repeated: %s', (text, shown, reason) => {
    const message = complaint({ REDIS_URL: text });
    expect(message).toContain(`REDIS_URL="${shown}": `);
    expect(message).toContain(reason);
    expect(message).not.toMatch(/s3|cret/);
  });
});

describe('jobs', () => {
  const both = { JOBS_REDIS_URL: 'redis://queue', JOBS_DIR: '/jobs' };

  test('need a Redis and a folder', () => {
    expect(complaint(both)).toBe('nothing to complain of');
    expect(complaint({ JOBS_DIR: '/jobs' })).toContain('JOBS_REDIS_URL="": set both JOBS_REDIS_URL');
    expect(complaint({ JOBS_REDIS_URL: 'redis://queue' })).toContain('JOBS_DIR="": set both JOBS_REDIS_URL');
  });

  test('are what a worker is for', () => {
    expect(complaint({ ROLE: 'worker' })).toContain('ROLE="worker": there is no work');
    expect(complaint({ ...both, ROLE: 'worker' })).toBe('nothing to complain of');
  });

  test('leave something of the directory to others', () => {
    expect(complaint({ ...both, DIRECTORY_RPS: '100' })).toContain('must be less than DIRECTORY_RPS (100)');
    expect(complaint({ ...both, DIRECTORY_RPS: '101' })).toBe('nothing to complain of');
    expect(complaint({ DIRECTORY_RPS: '100' })).toBe('nothing to complain of');
  });
});

describe('variables that look like those of the gateway', () => {
  test('and are unknown are reported, so that the operator sees a typing error', () => {
    const environment = {
      DOI_DIRECTORY_URI: 'https://doi.org',
      DIRECTORY_CONNECTION: '5',
      PATH: '/bin',
      PORT: '80',
    };
    expect(unknownVariables(environment)).toEqual([
      { name: 'DOI_DIRECTORY_URI', suggestion: 'DOI_DIRECTORY_URL' },
      { name: 'DIRECTORY_CONNECTION', suggestion: 'DIRECTORY_CONNECTIONS' },
    ]);
  });

  testTable([
    ['MAX_LOOKUP', 'MAX_LOOKUPS'],
    ['DIRECTORYCONNECTIONS', 'DIRECTORY_CONNECTIONS'],
    ['CACHE_MAXBYTES', 'CACHE_MAX_BYTES'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['COUNTRYHEADER', 'COUNTRY_HEADER'],
    ['PERSISTED_OPERATION_FILE', 'PERSISTED_OPERATIONS'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['WORKER', 'WORKERS'],
    ['Redis_Url', 'REDIS_URL'],
    ['port', 'PORT'],
  ])('%s is reported with %s', (name, suggestion) => {
    expect(unknownVariables({ [name]: 'x' })).toEqual([{ name, suggestion }]);
  });

  test('and belong to other programs are not reported', () => {
    const names =
      'PATH HOME POST HOSTS HOSTNAME PORTS PWD USER SHELL LANG TERM TZ CI EDITOR LOGNAME LS_COLORS CONTENT REDIS_HOST REDIS_PORT ' +
      'REDIS_TLS_URL CACHE_DIR MAX_MEMORY PUBLIC_IP PUBLIC_DIR LOG_FILE LOG_FORMAT NODE_ENV NODE_OPTIONS WEB_CONCURRENCY ' +
      'npm_config_cache npm_package_name DIRENV_DIR XDG_CACHE_HOME SSH_AUTH_SOCK KUBERNETES_PORT DEBUG ' +
      'DOI_GATEWAY_PORT DATABASE_URL LC_ALL COLORTERM NO_COLOR FORCE_COLOR HTTP_PROXY http_proxy https_proxy no_proxy ALL_PROXY __proto__';
    const environment = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
    expect(unknownVariables(environment)).toEqual([]);
  });

  test('and are known are not reported', () => {
    expect(unknownVariables(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'x'])))).toEqual(
      [],
    );
  });
});

describe('removed variables', () => {
  const names = Object.keys(REMOVED_VARIABLES);

  test('are named with their replacement, unless they are empty, and are not taken for slips', () => {
    expect(removedVariables({ DIRECTORY_RETRIES: '3', MAX_CONNECTIONS: '', PORT: '80' })).toEqual([
      'The gateway no longer reads DIRECTORY_RETRIES. The value is always 2 attempts after the first.',
    ]);
    const environment = Object.fromEntries(names.map((name) => [name, 'any text']));
    expect(removedVariables(environment)).toHaveLength(names.length);
    expect(unknownVariables(environment)).toEqual([]);
    expect(parseConfig(environment)).toEqual(parseConfig({}));
  });

  test('are no variables, and their replacements are', () => {
    expect(names.filter((name) => Object.hasOwn(VARIABLES, name))).toEqual([]);
    const named = Object.values(REMOVED_VARIABLES).flatMap(
      (text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [],
    );
    expect(named.filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([]);
  });
});

describe('HTTPS_PROXY', () => {
  test('and NO_PROXY are read in small letters too, after their own names', () => {
    const { HTTPS_PROXY, NO_PROXY } = parseConfig({ https_proxy: 'http://a:3128', no_proxy: '.example' });
    expect([HTTPS_PROXY?.href, NO_PROXY]).toEqual(['http://a:3128/', '.example']);
    const both = parseConfig({ HTTPS_PROXY: 'http://b:3128', https_proxy: 'http://a:3128' });
    expect(both.HTTPS_PROXY?.host).toBe('b:3128');
  });

  testTable(['http://me:secret@proxy.example:3128', 'https://proxy.example/'])('may be %s', (url) => {
    expect(parseConfig({ HTTPS_PROXY: url }).HTTPS_PROXY).toEqual(new URL(url));
  });

  testTable(['proxy.example:3128', 'socks5://proxy.example', 'http://proxy.example/path', 'http://a/?b'])(
    'may not be %s',
    (url) => {
      expect(complaint({ HTTPS_PROXY: url })).toContain(
        `HTTPS_PROXY="${url}": must be an http or https URL without a path`,
      );
    },
  );

  test('is said without its password where it cannot be used', () => {
    expect(complaint({ HTTPS_PROXY: 'ftp://me:secret@proxy.example' })).not.toContain('secret');
  });
});

describe('notices at the start', () => {
  const LIVE = { DOI_DIRECTORY_URL: 'https://doi.org', CONTACT: 'ops@example.org' };
  const noticesOf = (environment: Environment) => configNotices(parseConfig(environment));

  testTable([
    ['of the defaults', {}],
    ['of the live system with CONTACT', LIVE],
    ['of another directory without CONTACT', { DOI_DIRECTORY_URL: 'https://notdoi.org,http://localhost:1' }],
    ['of a shared cache before a directory', { ...LIVE, REDIS_URL: 'redis://localhost' }],
    ['of a deadline that the embedded directory does not have', { OPERATION_DEADLINE_MS: '1000' }],
    ['of a proxy that is not used', { HTTPS_PROXY: 'http://proxy.example:3128' }],
  ])('there are none %s', (_, environment) => {
    expect(noticesOf(environment)).toEqual([]);
  });

  testTable<[string, Environment, RegExp]>([
    ['a shared cache without a directory', { REDIS_URL: 'redis://localhost' }, /^REDIS_URL has no effect/],
    [
      'doi.org without CONTACT',
      { DOI_DIRECTORY_URL: 'https://doi.org' },
      /^Requests go to the live DOI system without CONTACT/,
    ],
    [
      'dx.doi.org without CONTACT',
      { DOI_DIRECTORY_URL: 'http://localhost:1,https://dx.doi.org/' },
      /^Requests go to the live DOI system without CONTACT/,
    ],
  ])('warn of %s', (_, environment, text) => {
    expect(noticesOf(environment)).toEqual([{ level: 'warn', text: expect.stringMatching(text) }]);
  });

  test('name the proxy without its password, and what is left to it', () => {
    expect(noticesOf({ ...LIVE, HTTPS_PROXY: 'http://me:secret@proxy.example:3128' })).toEqual([
      {
        level: 'info',
        text: 'Requests over https go through the proxy http://proxy.example:3128. The gateway does not check the IP addresses that the proxy connects to.',
      },
    ]);
  });
});

describe('CONTACT', () => {
  testTable(['ops@example.org', "o'neil+doi@sub.example.org", 'x@localhost'])('may be %s', (address) => {
    expect(parseConfig({ CONTACT: address }).CONTACT).toBe(address);
  });

  testTable([
    'ops',
    '@example.org',
    'ops@',
    'Operations <ops@example.org>',
    'ops@example.org, me@example.org',
    'öps@example.org',
    'ops@example.org\r\nX-Injected: yes',
    'ops@example.org\n',
  ])('may not be %j, which no header should hold', (address) => {
    expect(complaint({ CONTACT: address })).toContain(`CONTACT="${address}": must be a mail address`);
  });
});

describe('several variables that are wrong', () => {
  test('are all reported at once, each with its name, its value and the reason', () => {
    const message = complaint({
      PORT: 'abc',
      HOST: 'localhost',
      DOI_DIRECTORY_URL: 'doi.org',
      CONTACT: 'ops',
      MAX_BODY_BYTES: '1',
      LOG_LEVEL: 'loud',
    });
    expect(message.split('\n')).toEqual([
      'The configuration cannot be used:',
      '  PORT="abc": must be a whole number',
      expect.stringMatching(/^ {2}DOI_DIRECTORY_URL="doi\.org": must be an http or https URL/),
      '  CONTACT="ops": must be a mail address',
      '  MAX_BODY_BYTES="1": must be from 1000 to 100000000',
      expect.stringMatching(/^ {2}LOG_LEVEL="loud": /),
    ]);
  });
});

test('docs/configuration.md is what the tables say', () => {
  const path = 'docs/configuration.md';
  expect(readFileSync(resolve(root, path), 'utf8'), 'run `npm run tables`').toBe(TABLE_PAGES[path]);
  const documented = [...(TABLE_PAGES[path] ?? '').matchAll(/^\| `([A-Z_]+)` \| (?:unset|the|`)/gm)];
  expect(documented.map(([, name]) => name)).toEqual(Object.keys(VARIABLES));
});

test('there are at most 48 variables, and each has sentences that say what it means and when to change it', () => {
  expect(Object.keys(VARIABLES).length).toBeLessThanOrEqual(48);
  const texts = Object.values<Variable>(VARIABLES).flatMap(({ meaning, changeWhen }) => [
    meaning,
    changeWhen,
  ]);
  expect(texts.filter((text) => !/^[A-Z].*\.$/.test(text) || text.includes('|'))).toEqual([]);
});

test.each<[boolean, Environment]>([
  [false, {}],
  [false, { METADATA_API: 'yes' }],
  [true, { DOI_DIRECTORY_URL: 'https://doi.org' }],
  [true, { DOI_DIRECTORY_URL: 'https://dx.doi.org,https://hdl.handle.net' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA_API: 'no' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA: 'no' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org', METADATA: 'no', METADATA_API: 'yes' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.example.org' }],
  [false, { DOI_DIRECTORY_URL: 'https://doi.org,https://doi.example.org' }],
  [true, { DOI_DIRECTORY_URL: 'https://doi.example.org', METADATA_API: 'yes' }],
  [true, { DOI_DIRECTORY_URL: 'http://127.0.0.1:1', CROSSREF_API_URL: 'http://127.0.0.1:2' }],
  [true, { DOI_DIRECTORY_URL: 'http://127.0.0.1:1', DATACITE_API_URL: 'http://127.0.0.1:2' }],
])('whether the APIs of the agencies are used: %s with %j', (isUsed, environment) => {
  expect(usesAgencyApis(parseConfig(environment))).toBe(isUsed);
});
