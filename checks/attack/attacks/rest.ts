// The REST API of the DOI proxy, the pages, and long or invalid headers.

import { type Attack, gets, http, tenAtOnce } from '../attack.ts';
import { letters, list, NAME, oneOf, times } from '../requests.ts';

const LONG = 15_000;
const HUNDRED = tenAtOnce(100);
const RECORD = `/api/handles/${NAME}`;
const GRAPHQL = '/graphql?query=%7BdoiDirectory%7Bkind%7D%7D';

/** A query `a=0&a=1&…`, as long as a request line may be. */
const query = (key: string, value = ''): string =>
  times(Math.floor(LONG / (key.length + value.length + 5)), (n) => `${key}=${value}${n}`, '&');

const targets = gets(
  {
    '/api/handles/ and a name of 15 kB': (n) => `/api/handles/10.1/${n}${letters(LONG)}`,
    '/api/handles/ and 5,000 percent triplets': `/api/handles/10.1/${'%C3%A9'.repeat(2_500)}`,
    '/api/handles/ and invalid percent triplets': (n) =>
      `/api/handles/10.1/${oneOf(n, '%E9', '%', '%zz', '%00', '%C0%80', '%ED%A0%80')}`,
    '/api/handles/ with many types': `${RECORD}?${query('type')}`,
    '/api/handles/ with many indexes': `${RECORD}?${query('index')}`,
    '/api/handles/ with invalid indexes': `${RECORD}?${times(900, (n) => `index=${oneOf(n, '-1', '1e9', '99999999999', 'x')}`, '&')}`,
    'a callback of 10 kB': `${RECORD}?callback=${'a'.repeat(10_000)}`,
    'a callback that is a program': `${RECORD}?callback=${encodeURIComponent('alert(1);//<script>')}`,
    'a callback of brackets and full stops': `${RECORD}?callback=${'a.'.repeat(5_000)}${'[0]'.repeat(1_500)}!`,
    '/doiRA/ of 15,000 commas': `/doiRA/${','.repeat(LONG)}`,
    '/doiRA/ of 1,700 names': (n) => `/doiRA/${times(1_700, (m) => `10.${n}/${m}`, ',')}`,
    '/doiRA/ of one name 1,500 times': `/doiRA/${times(1_500, '10.1/1', ',')}`,
    '/ra/ of invalid names': `/ra/${times(3_000, '%25', ',')}`,
    'an absent name of 15 kB': (n) => `/10.1/${n}${letters(LONG)}`,
    'a name of 5,000 dot segments': `/10.1${'/..'.repeat(5_000)}`,
    '15,000 slashes': '/'.repeat(LONG),
    '15,000 question marks': `/10.1/1${'?'.repeat(LONG)}`,
    '15,000 colons after urn:doi:': `/urn:doi:10.1${':'.repeat(LONG)}`,
    'doi: 3,500 times': `/${'doi:'.repeat(3_500)}10.1/1`,
    'a path of combining marks': `/10.1/a${'%CC%81'.repeat(2_500)}`,
    'absent names, each new': [(n) => `/10.9999/${n}-${'%252F'.repeat(200)}.`, tenAtOnce(300)],
    'the parameter locatt many times': `/${NAME}?${query('locatt', 'a:')}`,
    'many parameters without a value': `/${NAME}?${'a&'.repeat(7_000)}`,
    'seven parameters 300 times, with wrong values': `/${NAME}?${times(300, (n) => `${oneOf(n, 'noredirect', 'auth', 'cert', 'ignore_aliases', 'nols', 'action', 'country')}=${n}`, '&')}`,
    'an urlappend of 15 kB': `/${NAME}?urlappend=${'a'.repeat(LONG)}`,
    'an urlappend to another host': (n) =>
      `/${NAME}?urlappend=${oneOf(n, '.evil.example', '@evil.example', '%0d%0aset-cookie:a=b', '//evil', '\\evil')}`,
    'a country of 15 kB': `/${NAME}?country=${'g'.repeat(LONG)}`,
    'the front page': ['/', tenAtOnce(300)],
    '/metrics': ['/metrics', tenAtOnce(200)],
    '/healthz and /readyz': [(n) => (n % 2 ? '/healthz' : '/readyz'), tenAtOnce(2_000)],
    'files that do not exist': (n) =>
      `/${oneOf(n, '..%2f..%2fetc/passwd', '.git/config', 'inspector/../../package.json', 'assets/%00', 'graphql/', 'graphql/../metrics', 'favicon.ico')}`,
  },
  HUNDRED,
);

/** A header field, its value, and the target of the request. The default target is `/` and a DOI name. */
const HEADERS: Readonly<Record<string, readonly [field: string, value: string, target?: string]>> = {
  'an Accept of 13 kB': ['accept', times(900, (n) => `a/b${n};q=0.${n}`, ',')],
  'an Accept of commas': ['accept', ','.repeat(LONG)],
  'an Accept with 2,000 parameters': ['accept', `text/html${times(2_000, (n) => `;p${n}=1`, '')}`, GRAPHQL],
  'an Accept of 13 kB for GraphQL': ['accept', times(900, (n) => `a/b${n};q=0.${n}`, ','), GRAPHQL],
  'an Accept of quotes': ['accept', `text/html;a="${'\\"'.repeat(7_000)}`],
  'an Accept-Encoding of 15 kB': ['accept-encoding', times(1_500, (n) => `gz${n};q=0`, ',')],
  'an Accept-Language of 17 kB': ['accept-language', times(1_500, (n) => `l${n};q=0.1`, ',')],
  'a thousand cookies': ['cookie', times(1_000, (n) => `c${n}=${n}`, '; ')],
  'cookies of semicolons': ['cookie', '; ='.repeat(5_000)],
  'a cookie for another library': ['cookie', 'doi-local-service=https%3A%2F%2Fevil.example%2F'],
  'an If-None-Match of 9 kB': ['if-none-match', times(1_500, (n) => `"${n}"`, ','), RECORD],
  'an If-None-Match of commas and quotes': ['if-none-match', ',"'.repeat(7_000), RECORD],
  'an invalid If-Modified-Since': ['if-modified-since', letters(LONG), RECORD],
  'a Range of 2,000 parts': ['range', `bytes=${times(2_000, '0-0', ',')}`, RECORD],
  'a Cache-Control of 7 kB': ['cache-control', times(1_000, (n) => `x${n}=1`, ',')],
  'an Origin of 15 kB': ['origin', `https://${letters(LONG)}`],
  'an X-Forwarded-For of 11 kB': ['x-forwarded-for', times(1_200, '10.0.0.1', ',')],
  'a Host of 10 kB': ['host', letters(10_000), '/'],
  'an invalid Host': ['host', '][@:99999', GRAPHQL],
  'a header of 20 kB': ['x-long', letters(20_000)],
};
const HTML = { accept: 'text/html' };
const LONG_INSPECTOR = `/?doi=${letters(LONG)}&with=${'y'.repeat(500)}`;
const METHODS = ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS', 'HEAD', 'REPORT', 'QUERY'];
const MEGABYTE = letters(1_000_000);
const PREFLIGHT = {
  origin: 'https://a.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': times(900, (n) => `x-h${n}`, ','),
};
const withHeader = Object.entries(HEADERS).map(([name, [field, value, target = `/${NAME}`]]) => {
  return [name, { target, headers: { [field]: value } }] as const;
});
const requests = http(
  {
    ...Object.fromEntries(withHeader),
    'the inspector with a DOI of 15 kB': { target: LONG_INSPECTOR, headers: HTML },
    GraphiQL: [{ target: '/graphql', headers: HTML }, tenAtOnce(200)],
    '1,500 headers': { target: `/${NAME}`, headers: Object.fromEntries(list(1_500, (n) => [`x${n}`, '1'])) },
    'every other method': [
      (n) => ({ method: oneOf(n, ...METHODS), target: oneOf(n, '/graphql', `/${NAME}`, RECORD, '/') }),
      { requests: 160, atOnce: 10, leaveAfterMs: 1_000, expect: 'cut' },
    ],
    'a PUT with a megabyte': [
      { method: 'PUT', target: `/${NAME}`, body: MEGABYTE },
      { ...tenAtOnce(10), expect: 'cut' },
    ],
    'a POST of a megabyte to every other path': [
      (n) => ({
        target: oneOf(n, '/', `/${NAME}`, '/api/handles/1', '/metrics', '/healthz'),
        body: MEGABYTE,
      }),
      { ...tenAtOnce(20), expect: 'cut' },
    ],
    preflights: [{ method: 'OPTIONS', target: '/graphql', headers: PREFLIGHT }, tenAtOnce(300)],
  },
  HUNDRED,
);

export const rest: readonly Attack[] = [...targets, ...requests];
