// The sums that once ended the process or kept it busy for seconds, as they were measured.

import { graphqlBytes, requestBytes } from '../../../http-bytes.ts';
import { names } from '../../../peers/data.mjs';
import { type Attack, list, type Options, times } from '../../attack.ts';
import type { Temper } from '../../hostile-directory.ts';
import { call, toolLists } from './faces.ts';
import { cold, coldDoiRa, sums } from './sum.ts';

const LIVE: Options = { gateway: 'live' };
const dois = (fields: string, n: readonly string[]): Buffer =>
  graphqlBytes({ query: `query($n:[String!]!){dois(inputs:$n){${fields}}}`, variables: { n } });

const PLACES = graphqlBytes({
  query: 'query($t:String!){findDois(text:$t){start}}',
  variables: { t: '10.1000/a '.repeat(93_000) },
});
const EMPTY = graphqlBytes({
  query: `query($r:[_Any!]!){${times(20, (n) => `a${n}:_entities(representations:$r){__typename}`)}}`,
  variables: { r: list(300_000, () => ({})) },
});
const ONE_DOI = times(25_000, () => names[0] ?? '', '\n');

/** A directory whose responses never come to their end, in a part that is no body. */
const ENDLESS: readonly Temper[] = ['hints', 'lines', 'trailers', 'extensions', 'endless'];

export const endedSums: readonly Attack[] = [
  ...sums('as measured: findDois(text){start} of 0.93 MB', PLACES, { at: [16, 25] }),
  ...sums(
    'as measured: 9,400 bad inputs by POST',
    dois(
      'name',
      list(9_400, () => ''),
    ),
    { at: [100, 150] },
  ),
  ...sums(
    'as measured: 1,900 cold names',
    () => dois('record{values{text}}registrationAgency{name}', cold(1_900)),
    {
      ...LIVE,
      at: [60, 100, 150],
    },
  ),
  ...sums('as measured: 1,900 cold names, slow', () => dois('record{values{text}}', cold(1_900, 'slow')), {
    ...LIVE,
    at: [60, 150],
  }),
  ...sums('as measured: /doiRA/ of 1,000 cold names', () => requestBytes({ target: coldDoiRa(1_000) }), {
    ...LIVE,
    at: [100, 200],
  }),
  ...sums('as measured: find_dois of 0.3 MB', call('find_dois', { text: '10.1000/a '.repeat(30_000) }), {
    at: [40],
  }),
  ...sums(
    'as measured: check_references, titles, 25,000 × one DOI',
    call('check_references', { text: ONE_DOI, titles: true }),
    { at: [1, 10] },
  ),
  ...sums('as measured: batches of ten tools/list over 50 connections', toolLists, {
    at: [50],
    times: 500,
    atOnce: 50,
  }),
  ...sums('as measured: _entities, 300,000 empty, 20 aliases', EMPTY, { at: [1, 10] }),
  ...ENDLESS.flatMap((temper) =>
    sums(
      `as measured: a directory without an end: ${temper}`,
      () => dois('record{handle}', cold(64, temper)),
      {
        ...LIVE,
        at: [1],
      },
    ),
  ),
];
