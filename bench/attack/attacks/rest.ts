// The DOI proxy's own face, the pages, and headers of every kind.

import type { RequestParts } from '../../http-bytes.ts';
import { names } from '../../peers/data.mjs';
import { type Attack, http, type Options, times } from '../attack.ts';

const NAME = names[0] ?? '';
const LONG = 15_000;
const MANY: Options = { times: 100, atOnce: 10 };

const get = (name: string, target: string | ((n: number) => string), options: Options = MANY): Attack =>
  http(name, (n) => ({ target: typeof target === 'function' ? target(n) : target }), options);
const header = (name: string, field: string, value: string, target = `/${NAME}`): Attack =>
  http(name, { target, headers: { [field]: value } }, MANY);
/** `a=0&a=1&…`, as much as fits a request line. */
const query = (key: string, value = ''): string =>
  times(Math.floor(LONG / (key.length + value.length + 5)), (n) => `${key}=${value}${n}`, '&');

export const rest: readonly Attack[] = [
  get('/api/handles/ and a name of 15 kB', (n) => `/api/handles/10.1/${n}${'x'.repeat(LONG)}`),
  get('/api/handles/ and 5,000 triplets', `/api/handles/10.1/${'%C3%A9'.repeat(2_500)}`),
  get(
    '/api/handles/ and triplets that are wrong',
    (n) => `/api/handles/10.1/${['%E9', '%', '%zz', '%00', '%C0%80', '%ED%A0%80'][n % 6]}`,
  ),
  get('/api/handles/ with many types', `/api/handles/${NAME}?${query('type')}`),
  get('/api/handles/ with many indexes', `/api/handles/${NAME}?${query('index')}`),
  get(
    '/api/handles/ with indexes that are none',
    `/api/handles/${NAME}?${times(900, (n) => `index=${['-1', '1e9', '99999999999', 'x'][n % 4]}`, '&')}`,
  ),
  get('a callback of 10 kB', `/api/handles/${NAME}?callback=${'a'.repeat(10_000)}`),
  get(
    'a callback that is a program',
    `/api/handles/${NAME}?callback=${encodeURIComponent('alert(1);//<script>')}`,
  ),
  get(
    'a callback of brackets and full stops',
    `/api/handles/${NAME}?callback=${'a.'.repeat(5_000)}${'[0]'.repeat(1_500)}!`,
  ),
  get('/doiRA/ of 7,000 commas', `/doiRA/${','.repeat(LONG)}`),
  get('/doiRA/ of 2,000 names', (n) => `/doiRA/${times(1_700, (m) => `10.${n}/${m}`, ',')}`),
  get('/doiRA/ of one name 1,500 times', `/doiRA/${times(1_500, () => '10.1/1', ',')}`),
  get('/ra/ of names that are none', `/ra/${times(3_000, () => '%25', ',')}`),
  get('a name of 15 kB that is not there', (n) => `/10.1/${n}${'x'.repeat(LONG)}`),
  get('a name of 5,000 dot segments', `/10.1${'/..'.repeat(5_000)}`),
  get('15,000 slashes', '/'.repeat(LONG)),
  get('15,000 question marks', `/10.1/1${'?'.repeat(LONG)}`),
  get('15,000 colons after urn:doi:', `/urn:doi:10.1${':'.repeat(LONG)}`),
  get('doi: 3,000 times', `/${'doi:'.repeat(3_500)}10.1/1`),
  get('a path of combining marks', `/10.1/a${'%CC%81'.repeat(2_500)}`),
  get('names not found, each new', (n) => `/10.9999/${n}-${'%252F'.repeat(200)}.`, {
    times: 300,
    atOnce: 10,
  }),
  get('many locatt', `/${NAME}?${query('locatt', 'a:')}`),
  get('many parameters without a value', `/${NAME}?${'a&'.repeat(7_000)}`),
  get(
    'every parameter twice, with the wrong value',
    `/${NAME}?${times(300, (n) => `${['noredirect', 'auth', 'cert', 'ignore_aliases', 'nols', 'action', 'country'][n % 7]}=${n}`, '&')}`,
  ),
  get('an urlappend of 15 kB', `/${NAME}?urlappend=${'a'.repeat(LONG)}`),
  get(
    'an urlappend to another host',
    (n) =>
      `/${NAME}?urlappend=${['.evil.example', '@evil.example', '%0d%0aset-cookie:a=b', '//evil', '\\evil'][n % 5]}`,
  ),
  get('a country of 15 kB', `/${NAME}?country=${'g'.repeat(LONG)}`),
  get('the front page', '/', { times: 300, atOnce: 10 }),
  http(
    'the inspector with a DOI of 15 kB',
    { target: `/?doi=${'x'.repeat(LONG)}&with=${'y'.repeat(500)}`, headers: { accept: 'text/html' } },
    MANY,
  ),
  http('GraphiQL', { target: '/graphql', headers: { accept: 'text/html' } }, { times: 200, atOnce: 10 }),
  get('/metrics', '/metrics', { times: 200, atOnce: 10 }),
  get('/healthz and /readyz', (n) => (n % 2 ? '/healthz' : '/readyz'), { times: 2_000, atOnce: 10 }),
  get(
    'files that are not there',
    (n) =>
      `/${['..%2f..%2fetc/passwd', '.git/config', 'inspector/../../package.json', 'assets/%00', 'graphql/', 'graphql/../metrics', 'favicon.ico'][n % 7]}`,
  ),
  header(
    'an Accept of 15 kB',
    'accept',
    times(900, (n) => `a/b${n};q=0.${n}`, ','),
  ),
  header('an Accept of commas', 'accept', ','.repeat(LONG)),
  header(
    'an Accept with 2,000 parameters',
    'accept',
    `text/html${times(2_000, (n) => `;p${n}=1`, '')}`,
    '/graphql?query=%7BdoiDirectory%7Bkind%7D%7D',
  ),
  header(
    'an Accept of 15 kB for GraphQL',
    'accept',
    times(900, (n) => `a/b${n};q=0.${n}`, ','),
    '/graphql?query=%7BdoiDirectory%7Bkind%7D%7D',
  ),
  header('an Accept of quotes', 'accept', `text/html;a="${'\\"'.repeat(7_000)}`),
  header(
    'an Accept-Encoding of 15 kB',
    'accept-encoding',
    times(1_500, (n) => `gz${n};q=0`, ','),
  ),
  header(
    'an Accept-Language of 15 kB',
    'accept-language',
    times(1_500, (n) => `l${n};q=0.1`, ','),
  ),
  header(
    'a thousand cookies',
    'cookie',
    times(1_000, (n) => `c${n}=${n}`, '; '),
  ),
  header('cookies of semicolons', 'cookie', '; ='.repeat(5_000)),
  header(
    'a cookie for another library',
    'cookie',
    `doi-local-service=${encodeURIComponent('https://evil.example/')}`,
  ),
  header(
    'an If-None-Match of 15 kB',
    'if-none-match',
    times(1_500, (n) => `"${n}"`, ','),
    `/api/handles/${NAME}`,
  ),
  header(
    'an If-None-Match of commas and quotes',
    'if-none-match',
    ',"'.repeat(7_000),
    `/api/handles/${NAME}`,
  ),
  header('an If-Modified-Since that is none', 'if-modified-since', 'x'.repeat(LONG), `/api/handles/${NAME}`),
  header(
    'a Range of 2,000 parts',
    'range',
    `bytes=${times(2_000, () => '0-0', ',')}`,
    `/api/handles/${NAME}`,
  ),
  header(
    'a Cache-Control of 15 kB',
    'cache-control',
    times(1_000, (n) => `x${n}=1`, ','),
  ),
  header('an Origin of 15 kB', 'origin', `https://${'x'.repeat(LONG)}`),
  header(
    'X-Forwarded-For of 15 kB',
    'x-forwarded-for',
    times(1_200, () => '10.0.0.1', ','),
  ),
  header('a Host of 10 kB', 'host', 'x'.repeat(10_000), '/'),
  header('a Host that is none', 'host', '][@:99999', '/graphql?query=%7BdoiDirectory%7Bkind%7D%7D'),
  header('a header of 20 kB', 'x-long', 'x'.repeat(20_000)),
  http(
    '2,000 headers',
    {
      target: `/${NAME}`,
      headers: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`x${n}`, '1'])),
    },
    MANY,
  ),
  http(
    'every other method',
    (n): RequestParts => ({
      method: ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS', 'HEAD', 'REPORT', 'QUERY'][n % 8] ?? 'PUT',
      target: ['/graphql', `/${NAME}`, `/api/handles/${NAME}`, '/'][n % 4] ?? '/',
    }),
    { times: 160, atOnce: 10, expect: 'cut', manner: { leaveAfterMs: 1_000 } },
  ),
  http(
    'a PUT with a megabyte',
    { method: 'PUT', target: `/${NAME}`, body: 'x'.repeat(1_000_000) },
    { times: 10, expect: 'cut' },
  ),
  http(
    'a POST of a megabyte to every other path',
    (n) => ({
      target: ['/', `/${NAME}`, '/api/handles/1', '/metrics', '/healthz'][n % 5] ?? '/',
      body: 'x'.repeat(1_000_000),
    }),
    { times: 20, atOnce: 10, expect: 'cut' },
  ),
  http(
    'preflights',
    {
      method: 'OPTIONS',
      target: '/graphql',
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': times(900, (n) => `x-h${n}`, ','),
      },
    },
    { times: 300, atOnce: 10 },
  ),
];
