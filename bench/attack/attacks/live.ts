// Attacks on a gateway whose directory misbehaves: its responses are slow, large, deep, broken or wrong.

import type { Behaviour } from '../../directory-process.ts';
import { type Attack, byTen, cold, gets, leaving, type Options, posts } from '../attack.ts';
import { dois, graphqlAliases, known, letters, list, type Operation, op, times } from '../requests.ts';

const LIVE: Options = { gateway: 'live' };
const RECORDS = 'name record{status values{type text}}registrationAgency{name}redirect{url}';
const OTHER_VALUES = 'record{values{data{...on HandleOtherData{value}}}}';
/** An operation that looks up new names. The start of their suffixes selects the behaviour of the directory. */
const lookUps = (behaviour: Behaviour, count: number, fields = RECORDS): Operation =>
  op(dois(fields), { n: cold(count, behaviour) });

const behaviours = posts(
  {
    'records of 3.9 MB for 100 names': lookUps('large', 100),
    'a record of 3.9 MB, 300 GraphQL aliases': lookUps(
      'large',
      1,
      graphqlAliases(300, 'record{values{text}}'),
    ),
    'records without an end, 50 names': lookUps('endless', 50),
    'records of 20,000 values for 40 names': lookUps('values', 40, 'record{values{index type ttl text}}'),
    'responses of status 103 without an end, 64 names': lookUps('hints', 64),
    'header lines without an end, 64 names': lookUps('lines', 64),
    'trailers without an end, 64 names': lookUps('trailers', 64),
    'chunk extensions without an end, 64 names': lookUps('extensions', 64),
    'chunks of one byte without an end, 64 names': lookUps('crumbs', 64),
    'JSON 100,000 deep for 50 names': lookUps('deep', 50),
    'JSON of 300,000 small lists for 20 names': lookUps('lists', 20, OTHER_VALUES),
    'JSON of 200,000 keys for 20 names': lookUps('wide', 20, OTHER_VALUES),
    'JSON 3,900,000 deep for 20 names': lookUps('deepest', 20),
    'JSON of 200,000 different keys in small objects for 20 names': lookUps('keys', 20),
    'JSON of 24,000 odd dates for 10 names': lookUps('dates', 10),
    'base64 of JSON with 1,900,000 spaces for 20 names': lookUps('spaces', 20),
    'keys like __proto__': lookUps(
      'proto',
      50,
      'record{values{type data{format ...on HandleOtherData{value}}}}',
    ),
    '100 kB of invalid JSON for 200 names': lookUps('garbage', 200),
    'HTML with status 200': lookUps('html', 200),
    'responses that end in the middle': lookUps('half', 50),
    'redirects to the same address': lookUps('redirect', 50),
    'a hundred response headers of 100 bytes': lookUps('headers', 50),
    'the record of another name': lookUps('other', 200),
    'values of the wrong types': lookUps('wrong', 200),
    'compressed responses that the gateway did not request': lookUps('gzip', 50),
    'handle aliases without an end': lookUps('alias', 100),
    'templates that grow: 40,000 times the name': lookUps('template', 20, 'locations{href}redirect{url}'),
    'templates that grow with a long name': op(dois('locations{href}redirect{url}'), {
      n: list(4, (n) => `10.5555/template-${n}${'\u00e9'.repeat(2_000)}`),
    }),
    '1,000 names while the directory is unavailable': [
      lookUps('unavailable', 1_000, 'record{handle}registrationAgency{name}redirect{url}exists'),
      { maxResponseBytes: 800_000 },
    ],
    '1,000 cold names, 10 at once': [lookUps('ordinary', 1_000, 'record{values{text}}'), 10],
    'auth of 900 names, which bypasses the cache': [
      op(dois('record(auth:true){handle}'), { n: known(900) }),
      4,
    ],
    'names of 4 kB each, 200 of them': op(dois('record{handle}whichRa{status}'), {
      n: list(200, (n) => `10.5557/ordinary-${n}${letters(4_000)}`),
    }),
  },
  LIVE,
);

const targets = gets(
  {
    '/doiRA/: JSON of agencies that is large and wrong': [
      (n) => `/doiRA/${times(10, (m) => `10.5556/agencies-${n}-${m}`, ',')}`,
      2,
    ],
    'templates that grow, by GET': [(n) => `/10.5555/template-${n}${letters(5_000)}`, 10],
    '2,000 cold names over REST': [
      (n) => `/api/handles/10.5555/ordinary-rest-${n}`,
      { times: 2_000, atOnce: 50 },
    ],
    '/doiRA/: JSON of agencies that is wrong': [
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
      '1,000 names without a response': [lookUps('silent', 1_000), 10],
      'responses of one byte a second': [lookUps('drip', 60), 5],
      'no response, and the client leaves': [lookUps('silent', 900), leaving(200, 50, 5)],
    },
    SILENT,
  ),
  ...gets({ 'REST: no response': [(n) => `/10.5555/silent-rest-${n}`, 300] }, SILENT),
];

export const live: readonly Attack[] = [...behaviours, ...targets, ...silent];
