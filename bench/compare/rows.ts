// What is measured: one row, one kind of request.

import { graphqlBytes, requestBytes } from '../http-bytes.ts';
import { names, query } from '../peers/data.mjs';
import { workQuery } from '../peers/works.mjs';
import { SERIAL } from './load.ts';
import type { ServerName } from './servers.ts';

export interface Row {
  /** for `--rows` */
  readonly name: string;
  readonly title: string;
  readonly servers: readonly ServerName[];
  /** sent in turns */
  readonly requests: readonly Buffer[];
  /** how an answer is told to be right: it is bare's JSON, it leads where bare's leads, it has data and no errors */
  readonly rightWhen: 'equal' | 'same-redirect' | 'data';
}

const ALL: readonly ServerName[] = ['bare', 'mercurius', 'yoga', 'apollo', 'ours', 'live'];
const MAX_REQUESTS = 64;

const FORMS =
  'name display uri url dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints canonicalName mandatory: url(encoding: MANDATORY)';

/** All names, `count` in a request, as many requests as there are, to a limit. */
function slices(count: number): string[][] {
  const requests = Math.min(MAX_REQUESTS, Math.floor(names.length / count));
  return Array.from({ length: requests }, (_, at) => names.slice(at * count, (at + 1) * count));
}

export function doisRow(count: number, servers = ALL): Row {
  return {
    name: String(count),
    title: count === 1 ? 'dois of 1 name' : `dois of ${count} names`,
    servers,
    requests: slices(count).map((n) => graphqlBytes({ query, variables: { n } })),
    rightWhen: 'equal',
  };
}

function oursRow(name: string, title: string, requests: readonly Buffer[], server: ServerName = 'ours'): Row {
  return { name, title, servers: [server], requests, rightWhen: 'data' };
}

function listRow(name: string, title: string, count: number, text: string): Row {
  return oursRow(
    name,
    title,
    slices(count).map((n) => graphqlBytes({ query: text, variables: { n } })),
  );
}

/** `https://doi.org/…`, `doi:…`, `urn:doi:…` and the name itself in turns, so that classes have members. */
function inForms(n: readonly string[]): string[] {
  const forms = [
    (x: string) => x,
    (x: string) => `doi:${x}`,
    (x: string) => `https://doi.org/${x.toUpperCase()}`,
  ];
  return n.map((_, at) => (forms[at % 3] as (x: string) => string)(n[Math.floor(at / 3)] as string));
}

const ENTITIES =
  'query($r:[_Any!]!){_entities(representations:$r){...on DOI{name uri record{responseCode} registrationAgency{name}}}}';
const CLASSES =
  'query($n:[String!]!){doiEquivalenceClasses(inputs:$n){classes{doi{name}members{index input}}unreadable{index input}}}';

function coldRequest(): Buffer {
  const n = names.slice(0, 20).map((name, at) => (at % 2 === 0 ? name : `10.5555/${SERIAL}-${at}`));
  return graphqlBytes({ query, variables: { n } });
}

export const ROWS: readonly Row[] = [
  doisRow(1),
  doisRow(20),
  doisRow(1_000),
  listRow('forms', 'all forms of 20 names, no record', 20, `query($n:[String!]!){dois(inputs:$n){${FORMS}}}`),
  oursRow(
    'parse',
    'parseDois of 1,000',
    slices(1_000).map((n) =>
      graphqlBytes({
        query: 'query($n:[String!]!){parseDois(inputs:$n){form input doi{name uri}problem{code}}}',
        variables: { n: inForms(n) },
      }),
    ),
  ),
  oursRow(
    'classes',
    'doiEquivalenceClasses of 1,000',
    slices(1_000).map((n) => graphqlBytes({ query: CLASSES, variables: { n: inForms(n) } })),
  ),
  oursRow(
    'entities',
    '_entities of 100',
    slices(100).map((n) =>
      graphqlBytes({
        query: ENTITIES,
        variables: { r: n.map((name) => ({ __typename: 'DOI', id: `doi:${name}` })) },
      }),
    ),
  ),
  {
    name: 'metadata',
    title: 'title, people, date and citation of 1,000 names',
    servers: ['bare', 'live'],
    requests: slices(1_000).map((n) => graphqlBytes({ query: workQuery, variables: { n } })),
    rightWhen: 'equal',
  },
  oursRow('cold', 'dois of 20 names, half of them cold', [coldRequest()], 'live'),
  {
    name: 'api',
    title: 'REST /api/handles/{name}',
    servers: ['bare', 'ours', 'live'],
    requests: names.slice(0, MAX_REQUESTS).map((name) => requestBytes({ target: `/api/handles/${name}` })),
    rightWhen: 'equal',
  },
  {
    name: 'redirect',
    title: 'REST /{name}',
    servers: ['bare', 'ours', 'live'],
    requests: names.slice(0, MAX_REQUESTS).map((name) => requestBytes({ target: `/${name}` })),
    rightWhen: 'same-redirect',
  },
];
