// The rows of the benchmark: one kind of request each.

import { graphqlBytes, requestBytes } from '../http-bytes.ts';
import { names, query, workQuery } from '../peers/data.mjs';
import type { ServerName } from './servers.ts';
import { RANDOM_NAME, REPEATED_NAME, SERIAL } from './template.ts';

export interface Row {
  /** for `--rows` */
  readonly name: string;
  readonly title: string;
  readonly servers: readonly ServerName[];
  /** Templates, which the load sends in turn. Each request gets other names. */
  readonly requests: readonly Buffer[];
  /** The benchmark sends these to each server once, so that caches hold all names. */
  readonly warmUp: readonly Buffer[];
  /**
   * When a response is right. `equal`: it has the JSON of bare's response. `same-redirect`: it redirects to the same
   * address. `data`: it has data and no errors.
   */
  readonly rightWhen: 'equal' | 'same-redirect' | 'data';
}

const ALL: readonly ServerName[] = ['bare', 'mercurius', 'yoga', 'apollo', 'ours', 'live'];

const FORMS =
  'name display uri url dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints canonicalName mandatory: url(encoding: MANDATORY)';

/** No server uses the variable `serial`. It makes each body different. */
const ofNames = (text: string, n: readonly string[]): Buffer =>
  graphqlBytes({ query: text, variables: { n, serial: SERIAL } });
const randomNames = (count: number): string[] => Array.from({ length: count }, () => RANDOM_NAME);
/** Requests for all names, a thousand in each. */
const allNames = (text: string): Buffer[] =>
  Array.from({ length: names.length / 1_000 }, (_, at) => {
    return ofNames(text, names.slice(at * 1_000, (at + 1) * 1_000));
  });
const WARM_UP = allNames(query);

/** A row for which `bare` also has the right responses. */
function bareRow(name: string, title: string, request: Buffer, options: Partial<Row> = {}): Row {
  const servers: readonly ServerName[] = ['bare', 'ours', 'live'];
  return { name, title, servers, requests: [request], warmUp: WARM_UP, rightWhen: 'equal', ...options };
}

export function doisRow(count: number, servers = ALL): Row {
  const title = count === 1 ? 'dois of 1 name' : `dois of ${count} names`;
  return bareRow(String(count), title, ofNames(query, randomNames(count)), { servers });
}

/** A row that only the gateway can serve. */
function oursRow(name: string, title: string, request: Buffer, server: ServerName = 'ours'): Row {
  return bareRow(name, title, request, { servers: [server], rightWhen: 'data' });
}

/** Each name in three forms, one after the other, so that equivalence classes have three members. */
function inForms(count: number): string[] {
  const forms = [RANDOM_NAME, `doi:${REPEATED_NAME}`, `https://doi.org/${REPEATED_NAME.toUpperCase()}`];
  return Array.from({ length: count }, (_, at) => forms[at % 3] as string);
}

const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){...on DOI{name uri record{responseCode} registrationAgency{name}}}}';
const CLASSES =
  'query($n:[String!]!){doiEquivalenceClasses(inputs:$n){classes{doi{name}members{index input}}unreadable{index input}}}';

const HALF_UNCACHED = randomNames(20).map((name, at) => (at % 2 === 0 ? name : `10.5555/${SERIAL}-${at}`));

export const ROWS: readonly Row[] = [
  doisRow(1),
  doisRow(20),
  doisRow(1_000),
  oursRow(
    'forms',
    'all forms of 20 names, no record',
    ofNames(`query($n:[String!]!){dois(inputs:$n){${FORMS}}}`, randomNames(20)),
  ),
  oursRow(
    'parse',
    'parseDois of 1,000 names',
    ofNames(
      'query($n:[String!]!){parseDois(inputs:$n){form input doi{name uri}problem{code}}}',
      inForms(1_000),
    ),
  ),
  oursRow('classes', 'doiEquivalenceClasses of 1,000 names', ofNames(CLASSES, inForms(1_000))),
  oursRow(
    'entities',
    '_entities of 100 names',
    graphqlBytes({
      query: ENTITIES,
      variables: { r: randomNames(100).map((name) => ({ __typename: 'DOI', id: `doi:${name}` })) },
    }),
  ),
  bareRow(
    'metadata',
    'title, people, date and updates of 1,000 names',
    ofNames(workQuery, randomNames(1_000)),
    {
      servers: ['bare', 'live'],
      warmUp: allNames(workQuery),
    },
  ),
  oursRow('uncached', 'dois of 20 names, half of them uncached', ofNames(query, HALF_UNCACHED), 'live'),
  bareRow('api', 'REST /api/handles/{name}', requestBytes({ target: `/api/handles/${RANDOM_NAME}` })),
  bareRow('redirect', 'REST /{name}', requestBytes({ target: `/${RANDOM_NAME}` }), {
    rightWhen: 'same-redirect',
  }),
];
