// What a federated gateway may send: representations of entities.

import { type Attack, list, post, postBody, times } from '../attack.ts';

const letters = (count: number): string => 'x'.repeat(count);
const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){__typename ...on DOI{name exists}...on RegistrationAgency{name}}}';
const entities = (name: string, representations: unknown): Attack =>
  post(`_entities: ${name}`, ENTITIES, { r: representations }, { times: 2 });
const deepText = (depth: number): string =>
  `{"__typename":"DOI","ref":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
const asRepresentations = (texts: string): string =>
  `{"query":${JSON.stringify(ENTITIES)},"variables":{"r":[${texts}]}}`;

export const entityAttacks: readonly Attack[] = [
  entities(
    '10,000 bad ones',
    list(10_000, () => ({ __typename: 'DOI' })),
  ),
  entities(
    '10,000 of no type',
    list(10_000, () => ({})),
  ),
  entities(
    '10,000 of an unknown type',
    list(10_000, (n) => ({ __typename: `T${n}`, id: 'x' })),
  ),
  entities(
    '10,000 bad names',
    list(10_000, () => ({ __typename: 'DOI', name: 'x' })),
  ),
  entities(
    '20,000 agencies',
    list(20_000, (n) => ({ __typename: 'RegistrationAgency', name: `A${n}` })),
  ),
  entities(
    '9,000 names of nobody',
    list(9_000, (n) => ({ __typename: 'DOI', id: `doi:10.1/${n}` })),
  ),
  postBody('_entities: one, 5,000 objects deep', asRepresentations(deepText(5_000)), { times: 2 }),
  postBody(
    '_entities: 4,000, each 20 objects deep',
    asRepresentations(times(4_000, () => deepText(20), ',')),
    { times: 2 },
  ),
  entities('one with 60,000 keys', [
    { __typename: 'DOI', ...Object.fromEntries(list(60_000, (n) => [`k${n}`, n])) },
  ]),
  entities('a reference of 900 kB', [{ __typename: 'DOI', ref: letters(900_000) }]),
  entities(
    'a list in place of a reference',
    list(5_000, () => ({ __typename: 'DOI', ref: [[[]]], id: null })),
  ),
  entities(
    'keys that contradict each other',
    list(5_000, (n) => ({
      __typename: 'DOI',
      id: `doi:10.1/${n}`,
      name: '10.2/1',
      canonicalName: 'x',
      ref: 1,
    })),
  ),
  post('_service 900 times', `{${times(900, (n) => `a${n}:_service{sdl}`)}}`, {}, { times: 3 }),
  post(
    '_entities: 300 aliases',
    `query($r:[_Any!]!){${times(300, (n) => `a${n}:_entities(representations:$r){__typename}`)}}`,
    { r: list(300, () => ({ __typename: 'DOI', ref: 'x' })) },
  ),
  post(
    '_entities: literals with the variable inside',
    `query($s:String!){_entities(representations:[${times(2_000, () => '{__typename:"DOI",name:$s}', ',')}]){__typename}}`,
    { s: letters(500_000) },
  ),
];
