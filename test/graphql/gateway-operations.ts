// Random operations over the schema of the gateway and the names of the troubled directory.

import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { type GeneratorOptions, generatedOperations } from './generated-operations.ts';
import { TROUBLED_NAMES } from './troubled-directory.ts';

const INPUTS = [
  ...TROUBLED_NAMES,
  'https://doi.org/10.5555/URL',
  'doi:10.5555/many',
  '10.5555/a%2Fb',
  '10.5555/é"\u2028\\',
  '10.5555/x/',
  '10.5555/p\u0430ypal\u2013\u03b2a',
  '10/p54k',
  '10.5555/',
  'nonsense',
  '',
];

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  input: INPUTS,
  inputs: INPUTS,
  a: INPUTS,
  b: INPUTS,
  name: ['Crossref', '10.5555', 'Unheard of', ''],
  types: ['URL', 'url.', 'HS_ADMIN', '10320/loc'],
  locatt: ['id:1', 'country:gb', 'nonsense'],
  country: ['gb', 'US', ''],
  urlAppend: ['?page=2', '//elsewhere.example/', '\u00e9'],
};

const REPRESENTATIONS = [
  { __typename: 'DOI', name: '10.5555/url' },
  { __typename: 'DOI', id: 'doi:10.5555/many', ref: 'x' },
  { __typename: 'RegistrationAgency', name: 'DataCite' },
  { __typename: 'DOIPrefix', name: '10.5555' },
  { __typename: 'Handle', name: '10.5555/url' },
  { __typename: 'Work' },
  'no object',
  [1],
];

export function gatewayOperations(options: Partial<GeneratorOptions> = {}) {
  return generatedOperations({
    schema: servedSchema,
    texts: (argument) => TEXTS[argument] ?? ['text'],
    values: { _Any: REPRESENTATIONS },
    ...options,
  });
}
