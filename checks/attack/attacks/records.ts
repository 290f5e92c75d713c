// Requests for hostile records, by GraphQL and by the REST API.

import { type Attack, gets, posts, queries, tenAtOnce } from '../attack.ts';
import { graphqlAliases, list, oneOf, op, times } from '../requests.ts';

const name = (record: string): string => `10.5555/${record}`;
const doi = (record: string, fields: string): string => `{doi(input:"${name(record)}"){${fields}}}`;
const many = (record: string, count: number, fields: string): string =>
  `{dois(inputs:[${times(count, `"${name(record)}"`, '')}]){${fields}}}`;
const chain = (n: number): string => name(`chain-${n % 40}`);

const VALUES = 'record{values{index type ttl timestamp text data{format ...on HandleStringData{value}}}}';
const REDIRECT =
  'redirect{url chosenBy statusCode via candidates{href attributes{name value}}location{href}warnings{code message}}';
const BYTES = 'record{values{text data{...on HandleBinaryData{hex base64 text byteLength}}}}';
const OTHER_VALUES = 'record{values{data{...on HandleOtherData{value}}}}';
const ALIASES = 'alias{doi{alias{doi{alias{handle}}}}}';
const RECORDS =
  'attributes locations weight weight-spaces chooseby choose-many template ampersands entities lists doctype nested';
const ofEach = (records: string, row: (record: string) => [string, string]) =>
  Object.fromEntries(records.split(' ').map(row));
const ONE_VALUE = graphqlAliases(300, 'record{values(indexes:[7]){index}}');
const GRANTS = 'record{values{data{...on HandleAdminData{grants permissions handle}}}}';
const TYPES = times(1_500, (n) => `type=${n}.`, '&');

const documents = queries({
  'a record of 20,000 values': [doi('values', VALUES), 4],
  '20,000 values, 300 GraphQL aliases that each select one value': doi('values', ONE_VALUE),
  '20,000 values, 300 GraphQL aliases of redirect': doi('values', graphqlAliases(300, 'redirect{url}')),
  '20,000 values, the name 500 times with the fields exists and alias': many(
    'values',
    500,
    'exists alias{handle}',
  ),
  '5,000 administrators with their grants': [doi('admins', GRANTS), 4],
  ...ofEach(RECORDS, (record) => [
    `locations of the record "${record}", 30 GraphQL aliases`,
    doi(record, graphqlAliases(30, 'locations{href weight}')),
  ]),
  ...ofEach(RECORDS, (record) => [
    `redirect of the record "${record}", 30 GraphQL aliases`,
    doi(record, graphqlAliases(30, REDIRECT)),
  ]),
  'a URL of a megabyte, 200 GraphQL aliases': doi('long-url', graphqlAliases(200, REDIRECT)),
  'hex of 3 MB as hex, base64 and text, 20 GraphQL aliases': doi('hex', graphqlAliases(20, BYTES)),
  'JSON 24 deep, 900 GraphQL aliases': doi('deep', graphqlAliases(900, OTHER_VALUES)),
  'a record with 5,000 handle aliases': doi('aliases', graphqlAliases(100, 'alias{handle}r:redirect{url}')),
  'chains of 40 handle aliases': `{${times(150, (n) => `a${n}:doi(input:"${chain(n)}"){redirect{url via}locations{href}${ALIASES}}`)}}`,
  'two handle aliases of each other': many('loop-a', 400, 'redirect{url}alias{doi{alias{handle}}}'),
  'sameAliasTarget of chains of handle aliases': `{${times(300, (n) => `a${n}:doiEquivalence(a:"${chain(n)}",b:"${name('self')}"){sameAliasTarget}`)}}`,
  'a handle alias of 200 kB': doi('long-alias', graphqlAliases(50, 'alias{handle doi{exists}}')),
});

const locations = posts({
  '1,000 locations, the parameter locatt with 3,000 values': op(
    `query($p:RedirectInput)${doi('locations', graphqlAliases(20, 'redirect(parameters:$p){url}'))}`,
    { p: { locatt: list(3_000, () => 'country:gb') } },
  ),
});

/** The n-th of the records that are handle aliases. */
const aliasRecord = (n: number): string => oneOf(n, 'chain-0', 'self', 'loop-a', 'long-alias', 'aliases');
const targets = gets(
  {
    '20,000 values as JSON, 10 at once': `/api/handles/${name('values')}`,
    '20,000 values as indented JSON with a callback': `/api/handles/${name('values')}?pretty&callback=f`,
    '20,000 values, 1,500 types': [`/api/handles/${name('values')}?${TYPES}`, 5],
    '20,000 values on a page': `/${name('values')}?noredirect`,
    'redirect of a record with 20,000 values': [`/${name('values')}`, tenAtOnce(100)],
    'text of 3 MB as JSON, 20 at once': [`/api/handles/${name('long-text')}`, 20],
    'a megabyte of quotes on a page': `/${name('quotes')}?noredirect`,
    'a URL of a megabyte': [`/${name('long-url')}`, 20],
    ...ofEach(RECORDS, (record) => [
      `GET of the record "${record}"`,
      `/${name(record)}?locatt=a:b&country=gb`,
    ]),
    ...ofEach('locations attributes template lists', (record) => [
      `showurls of the record "${record}"`,
      `/${name(record)}?action=showurls`,
    ]),
    '1,000 locations, the parameter locatt 1,200 times': `/${name('locations')}?${times(1_200, 'locatt=id:1', '&')}`,
    'GET of handle aliases in chains and rings': [(n) => `/${name(aliasRecord(n))}`, tenAtOnce(100)],
  },
  10,
);

export const recordAttacks: readonly Attack[] = [...documents, ...locations, ...targets];
