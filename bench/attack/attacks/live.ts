// The gateway before a directory that is not its friend: slow, large, deep, broken, out of order.

import { names } from '../../peers/data.mjs';
import { type Attack, http, list, type Options, post, times } from '../attack.ts';
import type { Temper } from '../hostile-directory.ts';

const LIVE: Options = { gateway: 'live' };
const FIELDS = 'name record{status values{type text}}registrationAgency{name}redirect{url}';
const QUERY = `query($n:[String!]!){dois(inputs:$n){${FIELDS}}}`;
/** The directory does by a name as its suffix begins. */
const of = (temper: Temper, count: number, salt: string | number = ''): string[] =>
  list(count, (n) => `10.5555/${temper}-${salt}-${n}`);
const ask = (name: string, temper: Temper, count: number, options: Options = {}, query = QUERY): Attack =>
  post(name, query, { n: of(temper, count, name.length) }, { ...LIVE, ...options });
const each = (fields: string): string => `query($n:[String!]!){dois(inputs:$n){${fields}}}`;

export const live: readonly Attack[] = [
  ask('records of 3.9 MB for 100 names', 'large', 100),
  ask(
    'a record of 3.9 MB, 300 aliases',
    'large',
    1,
    {},
    each(times(300, (n) => `a${n}:record{values{text}}`)),
  ),
  ask('records without an end, 50 names', 'endless', 50),
  ask('records of 20,000 values for 40 names', 'values', 40, {}, each('record{values{index type ttl text}}')),
  ask('103 responses without an end, 64 names', 'hints', 64),
  ask('header lines without an end, 64 names', 'lines', 64),
  ask('trailers without an end, 64 names', 'trailers', 64),
  ask('chunk extensions without an end, 64 names', 'extensions', 64),
  ask('chunks of one byte without an end, 64 names', 'crumbs', 64),
  ask('JSON 100,000 deep for 50 names', 'deep', 50),
  ask(
    'JSON of 300,000 small lists for 20 names',
    'lists',
    20,
    {},
    each('record{values{data{...on HandleOtherData{value}}}}'),
  ),
  ask(
    'JSON of 200,000 keys for 20 names',
    'wide',
    20,
    {},
    each('record{values{data{...on HandleOtherData{value}}}}'),
  ),
  ask('JSON 3,900,000 deep for 20 names', 'deepest', 20),
  ask('JSON of 200,000 different keys in small objects for 20 names', 'keys', 20),
  ask('JSON of 24,000 odd dates for 10 names', 'dates', 10),
  ask('base64 of JSON with 1,900,000 spaces for 20 names', 'spaces', 20),
  http(
    'JSON of agencies that is large and wrong',
    (n) => ({ target: `/doiRA/${times(10, (m) => `10.5556/agencies-${n}-${m}`, ',')}` }),
    { ...LIVE, times: 2 },
  ),
  ask(
    'keys like __proto__',
    'proto',
    50,
    {},
    each('record{values{type data{format ...on HandleOtherData{value}}}}'),
  ),
  ask('no JSON', 'garbage', 200),
  ask('HTML with status 200', 'html', 200),
  ask('cut in the middle', 'half', 50),
  ask('redirected to itself', 'redirect', 50),
  ask('a hundred headers of 100 bytes', 'headers', 50),
  ask('another name than was asked for', 'other', 200),
  ask('values of the wrong types', 'wrong', 200),
  ask('compressed without being asked', 'gzip', 50),
  ask('aliases that go on for ever', 'alias', 100),
  ask('templates that grow: 40,000 times the name', 'template', 20, {}, each('locations{href}redirect{url}')),
  post(
    'templates that grow with a long name',
    each('locations{href}redirect{url}'),
    { n: list(4, (n) => `10.5555/template-${n}${'\u00e9'.repeat(2_000)}`) },
    LIVE,
  ),
  http('templates that grow, by GET', (n) => ({ target: `/10.5555/template-${n}${'x'.repeat(5_000)}` }), {
    ...LIVE,
    times: 10,
  }),
  post(
    '1,000 names in an outage',
    each('record{handle}registrationAgency{name}redirect{url}exists'),
    { n: of('unavailable', 1_000, 'o') },
    { ...LIVE, maxAnswerBytes: 800_000 },
  ),
  post(
    '1,000 cold names, 10 at once',
    each('record{values{text}}'),
    { n: of('ordinary', 1_000, 'cold') },
    { ...LIVE, times: 10 },
  ),
  http('2,000 cold names over REST', (n) => ({ target: `/api/handles/10.5555/ordinary-rest-${n}` }), {
    ...LIVE,
    times: 2_000,
    atOnce: 50,
  }),
  http(
    '/doiRA/ of agencies that are wrong',
    (n) => ({ target: `/doiRA/${times(100, (m) => `10.5556/agency-${n}-${m}`, ',')}` }),
    { ...LIVE, times: 20, atOnce: 10 },
  ),
  post(
    'past the cache: auth of 900 names',
    each('record(auth:true){handle}'),
    { n: names.slice(0, 900) },
    { ...LIVE, times: 4 },
  ),
  post(
    'names of 4 kB each, 200 of them',
    each('record{handle}whichRa{status}'),
    { n: list(200, (n) => `10.5557/ordinary-${n}${'x'.repeat(4_000)}`) },
    LIVE,
  ),
  ask('1,000 names that are never answered', 'silent', 1_000, { group: 'silent', times: 10 }),
  ask('one byte a second', 'drip', 60, { group: 'silent', times: 5 }),
  http('REST, never answered', (n) => ({ target: `/10.5555/silent-rest-${n}` }), {
    ...LIVE,
    group: 'silent',
    times: 300,
  }),
  ask('never answered, and the client leaves', 'silent', 900, {
    group: 'silent',
    times: 50,
    atOnce: 5,
    manner: { leaveAfterMs: 200 },
  }),
];
