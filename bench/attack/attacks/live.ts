// The gateway before a directory that is not its friend: slow, large, deep, broken, out of order.

import type { Temper } from '../../directory-process.ts';
import { type Attack, byTen, cold, gets, leaving, type Options, posts } from '../attack.ts';
import { aliases, dois, known, letters, list, type Operation, op, times } from '../requests.ts';

const LIVE: Options = { gateway: 'live' };
const RECORDS = 'name record{status values{type text}}registrationAgency{name}redirect{url}';
const OTHER_VALUES = 'record{values{data{...on HandleOtherData{value}}}}';
/** The start of a name's suffix decides how the directory responds. */
const ask = (temper: Temper, count: number, fields = RECORDS): Operation =>
  op(dois(fields), { n: cold(count, temper) });

const tempers = posts(
  {
    'records of 3.9 MB for 100 names': ask('large', 100),
    'a record of 3.9 MB, 300 aliases': ask('large', 1, aliases(300, 'record{values{text}}')),
    'records without an end, 50 names': ask('endless', 50),
    'records of 20,000 values for 40 names': ask('values', 40, 'record{values{index type ttl text}}'),
    '103 responses without an end, 64 names': ask('hints', 64),
    'header lines without an end, 64 names': ask('lines', 64),
    'trailers without an end, 64 names': ask('trailers', 64),
    'chunk extensions without an end, 64 names': ask('extensions', 64),
    'chunks of one byte without an end, 64 names': ask('crumbs', 64),
    'JSON 100,000 deep for 50 names': ask('deep', 50),
    'JSON of 300,000 small lists for 20 names': ask('lists', 20, OTHER_VALUES),
    'JSON of 200,000 keys for 20 names': ask('wide', 20, OTHER_VALUES),
    'JSON 3,900,000 deep for 20 names': ask('deepest', 20),
    'JSON of 200,000 different keys in small objects for 20 names': ask('keys', 20),
    'JSON of 24,000 odd dates for 10 names': ask('dates', 10),
    'base64 of JSON with 1,900,000 spaces for 20 names': ask('spaces', 20),
    'keys like __proto__': ask('proto', 50, 'record{values{type data{format ...on HandleOtherData{value}}}}'),
    'no JSON': ask('garbage', 200),
    'HTML with status 200': ask('html', 200),
    'cut in the middle': ask('half', 50),
    'redirected to itself': ask('redirect', 50),
    'a hundred headers of 100 bytes': ask('headers', 50),
    'the record of another name': ask('other', 200),
    'values of the wrong types': ask('wrong', 200),
    'compressed, although not requested': ask('gzip', 50),
    'aliases without an end': ask('alias', 100),
    'templates that grow: 40,000 times the name': ask('template', 20, 'locations{href}redirect{url}'),
    'templates that grow with a long name': op(dois('locations{href}redirect{url}'), {
      n: list(4, (n) => `10.5555/template-${n}${'\u00e9'.repeat(2_000)}`),
    }),
    '1,000 names in an outage': [
      ask('unavailable', 1_000, 'record{handle}registrationAgency{name}redirect{url}exists'),
      { maxResponseBytes: 800_000 },
    ],
    '1,000 cold names, 10 at once': [ask('ordinary', 1_000, 'record{values{text}}'), 10],
    'past the cache: auth of 900 names': [op(dois('record(auth:true){handle}'), { n: known(900) }), 4],
    'names of 4 kB each, 200 of them': op(dois('record{handle}whichRa{status}'), {
      n: list(200, (n) => `10.5557/ordinary-${n}${letters(4_000)}`),
    }),
  },
  LIVE,
);

const targets = gets(
  {
    'JSON of agencies that is large and wrong': [
      (n) => `/doiRA/${times(10, (m) => `10.5556/agencies-${n}-${m}`, ',')}`,
      2,
    ],
    'templates that grow, by GET': [(n) => `/10.5555/template-${n}${letters(5_000)}`, 10],
    '2,000 cold names over REST': [
      (n) => `/api/handles/10.5555/ordinary-rest-${n}`,
      { times: 2_000, atOnce: 50 },
    ],
    '/doiRA/ of agencies that are wrong': [
      (n) => `/doiRA/${times(100, (m) => `10.5556/agency-${n}-${m}`, ',')}`,
      byTen(20),
    ],
  },
  LIVE,
);

const SILENT: Options = { ...LIVE, group: 'silent' };
const silent = [
  ...posts(
    {
      '1,000 names that are never answered': [ask('silent', 1_000), 10],
      'one byte a second': [ask('drip', 60), 5],
      'never answered, and the client leaves': [ask('silent', 900), leaving(200, 50, 5)],
    },
    SILENT,
  ),
  ...gets({ 'REST, never answered': [(n) => `/10.5555/silent-rest-${n}`, 300] }, SILENT),
];

export const live: readonly Attack[] = [...tempers, ...targets, ...silent];
