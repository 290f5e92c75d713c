// What a record can do: asked for over GraphQL and over the REST face.

import { type Attack, http, post, times } from '../attack.ts';

const name = (record: string): string => `10.5555/${record}`;
const doi = (record: string, fields: string): string => `{doi(input:"${name(record)}"){${fields}}}`;
const aliases = (count: number, field: string): string => times(count, (n) => `a${n}:${field}`);
const many = (record: string, count: number, fields: string): string =>
  `{dois(inputs:[${times(count, () => `"${name(record)}"`, '')}]){${fields}}}`;

const VALUES = 'record{values{index type ttl timestamp text data{format ...on HandleStringData{value}}}}';
const LOCATIONS = 'locations{href weight country label localId httpRole attributes{name value}}';
const REDIRECT =
  'redirect{url chosenBy statusCode via candidates{href attributes{name value}}location{href}warnings{code message}}';
const LISTS = [
  'attributes',
  'locations',
  'weight',
  'weight-spaces',
  'chooseby',
  'choose-many',
  'template',
  'ampersands',
  'entities',
  'lists',
  'doctype',
  'nested',
];

export const recordAttacks: readonly Attack[] = [
  post('20,000 values', doi('values', VALUES), {}, { times: 4 }),
  post('20,000 values, 30 aliases', doi('values', aliases(30, VALUES))),
  post('20,000 values, of 200 times the same name', many('values', 200, VALUES)),
  post(
    '20,000 values, one kept of each of 300 aliases',
    doi('values', aliases(300, 'record{values(indexes:[7]){index}}')),
  ),
  post('20,000 values, 300 aliases of redirect', doi('values', aliases(300, 'redirect{url}'))),
  post('20,000 values, exists and alias of 500', many('values', 500, 'exists alias{handle}')),
  post(
    '5,000 administrators with their grants',
    doi('admins', 'record{values{data{...on HandleAdminData{grants permissions handle}}}}'),
    {},
    { times: 4 },
  ),
  post('22,000 attributes, 300 aliases', doi('attributes', aliases(300, LOCATIONS))),
  post('22,000 attributes, of 300 times the same name', many('attributes', 300, LOCATIONS)),
  ...LISTS.map((record) =>
    post(`locations of ${record}, 30 aliases`, doi(record, `${aliases(30, 'locations{href weight}')}`)),
  ),
  ...LISTS.map((record) => post(`redirect of ${record}, 30 aliases`, doi(record, aliases(30, REDIRECT)))),
  post(
    '1,000 locations, 3,000 locatt',
    `query($p:RedirectInput){doi(input:"${name('locations')}"){${aliases(20, 'redirect(parameters:$p){url}')}}}`,
    { p: { locatt: Array.from({ length: 3_000 }, () => 'country:gb') } },
  ),
  post(
    '1,000 locations, of 500 times the same name',
    many('locations', 500, 'redirect{url candidates{localId}}'),
  ),
  post('text of 3 MB, 300 aliases', doi('long-text', aliases(300, 'record{values{text}}'))),
  post('a megabyte of quotes, 30 aliases', doi('quotes', aliases(30, 'record{values{text}}'))),
  post('a megabyte of controls, 30 aliases', doi('controls', aliases(30, 'record{values{text}}'))),
  post('a URL of a megabyte, 200 aliases', doi('long-url', aliases(200, REDIRECT))),
  post(
    'bytes of 2 MB as hex, base64 and text, 20 aliases',
    doi('bytes', aliases(20, 'record{values{data{...on HandleBinaryData{hex base64 text byteLength}}}}')),
  ),
  post(
    'hex of 3 MB as hex, base64 and text, 20 aliases',
    doi('hex', aliases(20, 'record{values{text data{...on HandleBinaryData{hex base64 text byteLength}}}}')),
  ),
  post(
    '20,000 references, 20 aliases',
    doi(
      'references',
      aliases(
        20,
        'record{values{references{handle index}data{...on HandleValueListData{references{handle index}}}}}',
      ),
    ),
  ),
  post(
    'JSON of 60,000 keys, 50 aliases',
    doi('wide', aliases(50, 'record{values{data{...on HandleOtherData{value}}}}')),
  ),
  post(
    'JSON 24 deep, 900 aliases',
    doi('deep', aliases(900, 'record{values{data{...on HandleOtherData{value}}}}')),
  ),
  post(
    '5,000 values that are aliases',
    doi('aliases', aliases(100, 'alias{handle}redirect{url}').replaceAll('redirect', 'r:redirect')),
  ),
  post(
    'chains of 40 aliases',
    `{${times(150, (n) => `a${n}:doi(input:"${name(`chain-${n % 40}`)}"){redirect{url via}locations{href}alias{doi{alias{doi{alias{handle}}}}}}`)}}`,
  ),
  post('an alias of itself, and a ring', many('loop-a', 400, 'redirect{url}alias{doi{alias{handle}}}')),
  post(
    'sameAliasTarget of chains',
    `{${times(300, (n) => `a${n}:doiEquivalence(a:"${name(`chain-${n % 40}`)}",b:"${name('self')}"){sameAliasTarget}`)}}`,
  ),
  post('an alias of 200 kB', doi('long-alias', aliases(50, 'alias{handle doi{exists}}'))),
  http('20,000 values as JSON, 10 at once', { target: `/api/handles/${name('values')}` }, { times: 10 }),
  http(
    '20,000 values, indented, for a callback',
    { target: `/api/handles/${name('values')}?pretty&callback=f` },
    { times: 10 },
  ),
  http(
    '20,000 values, 1,500 types',
    { target: `/api/handles/${name('values')}?${times(1_500, (n) => `type=${n}.`, '&')}` },
    { times: 5 },
  ),
  http('20,000 values on a page', { target: `/${name('values')}?noredirect` }, { times: 10 }),
  http('20,000 values, where they lead', { target: `/${name('values')}` }, { times: 100, atOnce: 10 }),
  http('text of 3 MB as JSON, 20 at once', { target: `/api/handles/${name('long-text')}` }, { times: 20 }),
  http('a megabyte of quotes on a page', { target: `/${name('quotes')}?noredirect` }, { times: 10 }),
  http('a URL of a megabyte', { target: `/${name('long-url')}` }, { times: 20 }),
  ...LISTS.map((record) =>
    http(`GET of ${record}`, { target: `/${name(record)}?locatt=a:b&country=gb` }, { times: 10 }),
  ),
  ...['locations', 'attributes', 'template', 'lists'].map((record) =>
    http(`showurls of ${record}`, { target: `/${name(record)}?action=showurls` }, { times: 10 }),
  ),
  http(
    '1,000 locations, 2,000 locatt',
    { target: `/${name('locations')}?${times(1_200, () => 'locatt=id:1', '&')}` },
    { times: 10 },
  ),
  http(
    'GET of chains and rings',
    (n) => ({ target: `/${name(['chain-0', 'self', 'loop-a', 'long-alias', 'aliases'][n % 5] ?? '')}` }),
    { times: 100, atOnce: 10 },
  ),
];
