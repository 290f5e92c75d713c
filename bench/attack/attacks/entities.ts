// What a federated gateway may send: representations of entities.

import { graphqlBytes } from '../../http-bytes.ts';
import { type Attack, attacks, posts } from '../attack.ts';
import { letters, list, nest, op, times } from '../requests.ts';

const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){__typename ...on DOI{name exists}...on RegistrationAgency{name}}}';
const deepText = (depth: number): string => `{"__typename":"DOI","ref":${nest(depth, '{"a":', '1')}}`;
const asRepresentations = (texts: string): string =>
  `{"query":${JSON.stringify(ENTITIES)},"variables":{"r":[${texts}]}}`;

export const entityAttacks: readonly Attack[] = [
  ...attacks(
    (r: readonly unknown[]) => graphqlBytes(op(ENTITIES, { r })),
    {
      '_entities: 10,000 of no type': () => list(10_000, () => ({})),
      '_entities: 10,000 of an unknown type': () => list(10_000, (n) => ({ __typename: `T${n}`, id: 'x' })),
      '_entities: 10,000 bad names': () => list(10_000, () => ({ __typename: 'DOI', name: 'x' })),
      '_entities: 20,000 agencies': () =>
        list(20_000, (n) => ({ __typename: 'RegistrationAgency', name: `A${n}` })),
      '_entities: 9,000 unregistered names': () =>
        list(9_000, (n) => ({ __typename: 'DOI', id: `doi:10.1/${n}` })),
      '_entities: one with 60,000 keys': () => [
        { __typename: 'DOI', ...Object.fromEntries(list(60_000, (n) => [`k${n}`, n])) },
      ],
      '_entities: a reference of 900 kB': () => [{ __typename: 'DOI', ref: letters(900_000) }],
      '_entities: a list in place of a reference': () =>
        list(5_000, () => ({ __typename: 'DOI', ref: [[[]]], id: null })),
      '_entities: keys that contradict each other': () =>
        list(5_000, (n) => ({
          __typename: 'DOI',
          id: `doi:10.1/${n}`,
          name: '10.2/1',
          canonicalName: 'x',
          ref: 1,
        })),
    },
    { times: 2 },
  ),
  ...posts(
    {
      '_entities: one, 5,000 objects deep': asRepresentations(deepText(5_000)),
      '_entities: 4,000, each 20 objects deep': asRepresentations(times(4_000, () => deepText(20), ',')),
      '_service 900 times': [op(`{${times(900, (n) => `a${n}:_service{sdl}`)}}`), 3],
      '_entities: 300 aliases': [
        op(`query($r:[_Any!]!){${times(300, (n) => `a${n}:_entities(representations:$r){__typename}`)}}`, {
          r: list(300, () => ({ __typename: 'DOI', ref: 'x' })),
        }),
        1,
      ],
      '_entities: literals with the variable inside': [
        op(
          `query($s:String!){_entities(representations:[${times(2_000, () => '{__typename:"DOI",name:$s}', ',')}]){__typename}}`,
          { s: letters(500_000) },
        ),
        1,
      ],
    },
    { times: 2 },
  ),
];
