// Attacks on a gateway whose directory misbehaves: its responses are slow, large, deep, broken or wrong.

import type { Behaviour } from '../../../bench/directory-process.ts';
import { type Attack, gets, type Options, posts, tenAtOnce, uncachedNames } from '../attack.ts';
import { dois, graphqlAliases, known, letters, list, type Operation, op, times } from '../requests.ts';

const LIVE: Options = { gateway: 'live' };
const RECORDS = 'name record{status values{type text}}registrationAgency{name}redirect{url}';
const OTHER_VALUES = 'record{values{data{...on HandleOtherData{value}}}}';
const TEXTS = 'record{values{text}}';
const MANY_RECORDS = graphqlAliases(300, TEXTS);
const AUTHORIZED = 'record(auth:true){handle}';
const FORMATS = 'record{values{type data{format ...on HandleOtherData{value}}}}';
const UNAVAILABLE = 'record{handle}registrationAgency{name}redirect{url}exists';
const LONG_NAMES = list(200, (n) => `10.5557/ordinary-${n}${letters(4_000)}`);
/** An operation that looks up `count` uncached names. `behaviour` says how the directory responds. */
const lookUps = (behaviour: Behaviour, count: number, fields = RECORDS): Operation =>
  op(dois(fields), { n: uncachedNames(count, behaviour) });

const behaviours = posts(
  {
    'records of 3.9 MB for 100 names': lookUps('large', 100),
    'a record of 3.9 MB, 300 GraphQL aliases of the field record': lookUps('large', 1, MANY_RECORDS),
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
    '24,000 values with odd dates for 10 names': lookUps('dates', 10),
    'base64 with 1,900,000 spaces for 20 names': lookUps('spaces', 20),
    'keys like __proto__': lookUps('proto', 50, FORMATS),
    '100 kB of invalid JSON for 200 names': lookUps('garbage', 200),
    'HTML with status 200': lookUps('html', 200),
    'responses that end in the middle': lookUps('half', 50),
    'redirects to the same address': lookUps('redirect', 50),
    'a hundred response headers of 100 bytes': lookUps('headers', 50),
    'the record of another name': lookUps('other', 200),
    'values of the wrong types': lookUps('wrong', 200),
    'compressed responses that the gateway did not request': lookUps('gzip', 50),
    'handle aliases without an end': lookUps('alias', 100),
    'a template that inserts the name 40,000 times': lookUps('template', 20, 'locations{href}redirect{url}'),
    'a template that inserts a name of 4 kB 40,000 times': op(dois('locations{href}redirect{url}'), {
      n: list(4, (n) => `10.5555/template-${n}${'\u00e9'.repeat(2_000)}`),
    }),
    '1,000 names while the directory is unavailable': [
      lookUps('unavailable', 1_000, UNAVAILABLE),
      { maxResponseBytes: 800_000 },
    ],
    'the same 1,000 uncached names, 10 requests at once': [lookUps('ordinary', 1_000, TEXTS), 10],
    '900 names with auth: true, which bypasses the cache': [op(dois(AUTHORIZED), { n: known(900) }), 4],
    '200 names of 4 kB each': op(dois('record{handle}whichRa{status}'), { n: LONG_NAMES }),
  },
  LIVE,
);

const targets = gets(
  {
    '/doiRA/: the directory sends JSON that is large and wrong': [
      (n) => `/doiRA/${times(10, (m) => `10.5556/agencies-${n}-${m}`, ',')}`,
      2,
    ],
    'GET: a template that inserts a name of 5 kB 40,000 times': [
      (n) => `/10.5555/template-${n}${letters(5_000)}`,
      10,
    ],
    '2,000 uncached names over REST': [
      (n) => `/api/handles/10.5555/ordinary-rest-${n}`,
      { requests: 2_000, atOnce: 50 },
    ],
    '/doiRA/: the directory sends JSON that is wrong': [
      (n) => `/doiRA/${times(100, (m) => `10.5556/agency-${n}-${m}`, ',')}`,
      tenAtOnce(20),
    ],
  },
  LIVE,
);

const SILENT: Options = { ...LIVE, group: 'silent' };
const LEAVING: Options = { requests: 50, atOnce: 5, leaveAfterMs: 200 };
const silent = posts(
  {
    '1,000 names, the directory does not respond': [lookUps('silent', 1_000), 10],
    '60 names, the directory sends one byte per second': [lookUps('drip', 60), 5],
    '900 names, the directory does not respond, the client leaves after 200 ms': [
      lookUps('silent', 900),
      LEAVING,
    ],
  },
  SILENT,
);
const silentTargets = gets(
  { 'REST: the directory does not respond': [(n) => `/10.5555/silent-rest-${n}`, 300] },
  SILENT,
);

export const live: readonly Attack[] = [...behaviours, ...targets, ...silent, ...silentTargets];
