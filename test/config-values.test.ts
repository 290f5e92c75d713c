// The values that each variable of the environment accepts, and the message about any other value.

import { describe, expect, test } from 'vitest';
import { type Environment, parseConfig, VARIABLES } from '../src/config.ts';
import type { Variable } from '../src/config-variables/variable-types.ts';
import { configErrors } from './support/config-errors.ts';
import { testTable } from './support/test-table.ts';

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
] as const)('a whole number has a minimum and a maximum', (name, min, max) => {
  expect(parseConfig({ [name]: String(min) })[name]).toBe(min);
  expect(parseConfig({ [name]: String(max) })[name]).toBe(max);
  for (const text of [String(max + 1), '9'.repeat(400), ...(min > 0 ? [String(min - 1)] : [])])
    expect(configErrors({ [name]: text })).toContain(`${name}="${text}": must be from ${min} to ${max}`);
  for (const text of NOT_WHOLE)
    expect(configErrors({ [name]: text })).toContain(`${name}="${text}": must be a whole number`);
});

const addresses = (...hrefs: string[]) => hrefs.map((href) => new URL(href));

testTable<[name: keyof ReturnType<typeof parseConfig>, text: string, value: unknown]>([
  ['WORKERS', '256', 256],
  ['WORKERS', 'auto', 'auto'],
  ['OPS_ADDRESS', '127.0.0.1:9464', { host: '127.0.0.1', port: 9_464 }],
  ['OPS_ADDRESS', 'localhost:0', { host: 'localhost', port: 0 }],
  ['OPS_ADDRESS', '[::1]:65535', { host: '::1', port: 65_535 }],
  [
    'TRUSTED_PROXIES',
    '192.0.2.1, 10.0.0.0/8,fd00::/8, ::1',
    [
      { address: '192.0.2.1', bits: 32, family: 'ipv4' },
      { address: '10.0.0.0', bits: 8, family: 'ipv4' },
      { address: 'fd00::', bits: 8, family: 'ipv6' },
      { address: '::1', bits: 128, family: 'ipv6' },
    ],
  ],
  ...['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map(
    (level): ['LOG_LEVEL', string, string] => ['LOG_LEVEL', level, level],
  ),
  ...['ops@example.org', "o'neil+doi@sub.example.org", 'x@localhost'].map(
    (address): ['CONTACT', string, string] => ['CONTACT', address, address],
  ),
  ['HTTPS_PROXY', 'http://me:secret@proxy.example:3128', new URL('http://me:secret@proxy.example:3128')],
  ['HTTPS_PROXY', 'https://proxy.example/', new URL('https://proxy.example/')],
  ['DOI_DIRECTORY_URL', 'https://doi.org', addresses('https://doi.org/')],
  ['DOI_DIRECTORY_URL', 'http://[::1]:8000/proxy/', addresses('http://[::1]:8000/proxy/')],
  ['DOI_DIRECTORY_URL', 'HTTPS://DOI.ORG', addresses('https://doi.org/')],
  // Several directories, which the gateway tries in order.
  ['DOI_DIRECTORY_URL', 'https://a.org,http://b:80/c', addresses('https://a.org/', 'http://b:80/c')],
  ['DOI_DIRECTORY_URL', 'https://a.org , http://b/c', addresses('https://a.org/', 'http://b/c')],
])('a variable accepts its values', (name, text, value) => {
  expect(parseConfig({ [name]: text })[name]).toEqual(value);
});

const ADDRESS = 'must be an address and a port, such as 127.0.0.1:9464 or [::]:9464';
const DIRECTORY =
  'must be an http or https URL without query, fragment or password, such as https://doi.org, or several such URLs, separated by commas';

testTable<[name: string, reason: string | RegExp, ...texts: string[]]>([
  ['WORKERS', 'must be a whole number from 1 to 256, or auto', '0', '257', '-1', '1.5', 'AUTO', 'many', ' 2'],
  [
    'OPS_ADDRESS',
    ADDRESS,
    '9464',
    ':9464',
    '127.0.0.1',
    '127.0.0.1:',
    'a:65536',
    '::1:80',
    '[a]:80',
    'a:80/x',
  ],
  ['TRUSTED_PROXIES', 'must be IP addresses or ranges such as 10.0.0.0/8', 'loopback', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'must be IP addresses', '10.0.0/8', '::/129', '10.0.0.0/', 'fe80::1%eth0', '::1 ::2'],
  ['LOG_LEVEL', /trace.*silent/, 'loud', 'INFO', '30'],
  ['METADATA', 'must be yes or no', 'true', 'YES', '1', 'on'],
  ['PERSISTED_ONLY', 'must be yes or no', 'true'],
  ['INTROSPECTION', 'must be yes or no', 'true'],
  ['CONTACT', 'must be a mail address', 'ops', '@example.org', 'ops@', 'Operations <ops@example.org>'],
  ['CONTACT', 'must be a mail address', 'ops@example.org, me@example.org', 'öps@example.org', 'a@b.org\n'],
  ['CONTACT', 'must be a mail address', 'ops@example.org\r\nX-Injected: yes'],
  [
    'HTTPS_PROXY',
    'must be an http or https URL without a path',
    'proxy.example:3128',
    'http://proxy.example/path',
  ],
  ['HTTPS_PROXY', 'must be an http or https URL', 'socks5://proxy.example', 'http://a/?b'],
  [
    'DOI_DIRECTORY_URL',
    DIRECTORY,
    'doi.org',
    '//doi.org',
    'localhost:8000',
    'ftp://doi.org',
    'file:///etc/passwd',
  ],
  ['DOI_DIRECTORY_URL', DIRECTORY, 'https://', 'https://doi.org:99999', 'https://doi.org/?type=URL', ','],
  [
    'DOI_DIRECTORY_URL',
    DIRECTORY,
    'https://doi.org/#top',
    'https://a.example,',
    'https://a.example,b.example',
  ],
  ['DOI_DIRECTORY_URL', DIRECTORY, 'https://a.example;https://b.example/?q'],
])('a variable rejects other values with a reason', (name, reason, ...texts) => {
  for (const text of texts) {
    const message = configErrors({ [name]: text });
    expect(message).toContain(`${name}="${text}": `);
    expect(message.slice(message.indexOf(`${text}": `))).toMatch(reason);
  }
});

describe('REDIS_URL', () => {
  const single = {
    ...{ isCluster: false, isEncrypted: false, nodes: [{ host: 'cache.example', port: 6379 }] },
    ...{ username: null, password: null, database: 0 },
  };

  testTable<[text: string, address: object]>([
    ['redis://cache.example', single],
    ['redis://cache.example/', single],
    ['rediss://cache.example:6380', { isEncrypted: true, nodes: [{ host: 'cache.example', port: 6380 }] }],
    ['redis://127.0.0.1:1/2', { nodes: [{ host: '127.0.0.1', port: 1 }], database: 2 }],
    ['redis://[::1]:6379', { nodes: [{ host: '::1', port: 6379 }] }],
    ['redis://:secret@cache.example', { ...single, password: 'secret' }],
    ['redis://user@cache.example', { ...single, username: 'user' }],
    ['redis://user:pa%2Fs%40s%25@cache.example', { ...single, username: 'user', password: 'pa/s@s%' }],
    ['redis://user:pa:s@s@cache.example', { ...single, username: 'user', password: 'pa:s@s' }],
    [
      'redis+cluster://u:p@a.example:7000,[::1],b_2.example',
      {
        ...{ ...single, isCluster: true, username: 'u', password: 'p' },
        nodes: [
          { host: 'a.example', port: 7000 },
          { host: '::1', port: 6379 },
          { host: 'b_2.example', port: 6379 },
        ],
      },
    ],
  ])('can be the address of one server or of a cluster', (text, address) => {
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
    ['redis://cache example', 'HOST or HOST:PORT'],
    ['redis://[::1', 'HOST or HOST:PORT'],
    ['redis+cluster://a.example,', 'HOST or HOST:PORT'],
    ['redis://a.example,b.example', 'write redis+cluster://'],
  ])('is rejected with a reason', (text, reason) => {
    const message = configErrors({ REDIS_URL: text });
    expect(message).toContain('REDIS_URL="');
    expect(message).toContain(reason);
  });
});

testTable<[variable: string, text: string, shown: string, reason?: string]>([
  ['DOI_DIRECTORY_URL', 'https://s3@doi.org', 'https://***@doi.org'],
  ['DOI_DIRECTORY_URL', 'https://a:s3@b.org,https://c:cret@d.org', 'https://***@b.org,https://***@d.org'],
  ['DOI_DIRECTORY_URL', 'https://a:s3/cret@doi.org', 'https://***@doi.org'],
  ['DOI_DIRECTORY_URL', 'https://a:s3//cret@doi.org', 'https://***@doi.org'],
  [
    'DOI_DIRECTORY_URL',
    'https://a:s3@cret@b.org,https://c:s3/cret@d.org',
    'https://***@b.org,https://***@d.org',
  ],
  ['REDIS_URL', 'redis://:s3/cret@h', 'redis://***@h', 'write %2F'],
  ['REDIS_URL', 'redis://s3#cret:s3?cret@h', 'redis://***@h', 'write %2F'],
  ['REDIS_URL', 'redis://u:s3%zzcret@h', 'redis://***@h', 'write %25'],
  ['REDIS_URL', 'redis://u:s3//cret@h:99999', 'redis://***@h:99999', 'write %2F'],
  ['REDIS_URL', 'rediss://u:s3@cret@h:99999', 'rediss://***@h:99999', 'HOST:PORT'],
  ['REDIS_URL', 'redis://:s3cret', 'redis://***@', 'HOST:PORT'],
  ['REDIS_URL', 'user:s3cret@h:6379', '***@h:6379', 'must be a URL'],
  ['REDIS_URL', 'redis+cluster://u:s3/cret@a,b', 'redis+cluster://***@a,b', 'write %2F'],
  ['HTTPS_PROXY', 'ftp://me:s3cret@proxy.example', 'ftp://***@proxy.example'],
])('a message never repeats a password', (variable, text, shown, reason = 'must be') => {
  const message = configErrors({ [variable]: text });
  expect(message).toContain(`${variable}="${shown}": `);
  expect(message).toContain(reason);
  expect(message).not.toMatch(/s3|cret/);
});

describe('HTTPS_PROXY and NO_PROXY', () => {
  test('are also read in lower-case letters, but the names in capitals come first', () => {
    const { HTTPS_PROXY, NO_PROXY } = parseConfig({ https_proxy: 'http://a:3128', no_proxy: '.example' });
    expect([HTTPS_PROXY?.href, NO_PROXY]).toEqual(['http://a:3128/', '.example']);
    const both: Environment = { HTTPS_PROXY: 'http://b:3128', https_proxy: 'http://a:3128' };
    expect(parseConfig(both).HTTPS_PROXY?.host).toBe('b:3128');
  });
});

test('each variable that can hold a password or has the name of a secret is marked as secret', () => {
  const urls = ['http', 'https', 'redis'].map((scheme) => `${scheme}://user:word@host.example`);
  const takesPassword = ({ type }: Variable) =>
    !type.safeParse('any text').success && urls.some((url) => type.safeParse(url).success);
  const unmarked = Object.entries<Variable>(VARIABLES).filter(
    ([name, variable]) =>
      !variable.isSecret && (takesPassword(variable) || /TOKEN|SECRET|PASSWORD|_KEYS?(?:_|$)/.test(name)),
  );
  expect(unmarked).toEqual([]);
});

testTable(Object.keys(VARIABLES))('the message about any variable shows no password', (name) => {
  for (const scheme of ['http', 'redis', 'ftp'])
    expect(configErrors({ [name]: `${scheme}://user:s3cret@host.example/?#` })).not.toContain('s3cret');
});
