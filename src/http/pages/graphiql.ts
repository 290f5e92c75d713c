// The page of GraphiQL, at the same path as the GraphQL endpoint, and its files.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Handler, HttpRequest, HttpResponse } from '../request/exchange.ts';
import { preferredType } from '../response/negotiate.ts';
import { LOGO, pageHeaders } from './page-headers.ts';
import { readPageScripts } from './page-scripts.ts';
import { createStaticFiles } from './static-files.ts';

/** Fifty names of the embedded directory, in spellings that occur in catalogs. */
const FIFTY_NAMES = `
  10.1021/jacs.5c01100  10.5438/bc11-cqw1  10.5240/7481-838B-59CA-63D0-B9A8-E  10.2777/28598
  10.1103/PhysRevLett.118.140402  10.1177/0020720920940575  10.1371/journal.pone.0000030
  10.3389/fpsyg.2016.00565  10.5438/bv9z-dc66  10.5240/B1FA-0EEC-C316-3316-3A73-L
  10.1000/1  10.1000/182  10.1000/456  10.1000/456#789  10.1000/res#test  10.1000/demo_DOI
  10.123/456  10.123/456ABC/zyz  10.1006/rwei.1999".0001  10.4033/iee.2013.6b.6.f
  10.5594/SMPTE.ST2067-21.2020  10.6338/JDA.202212/SP_17(4).0000
  10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03  10.5555/multiurl  10.5555/unicode  10.5555/loc
  https://doi.org/10.1000/182  https://doi.org/10.1000/456%23789
  https://doi.org/10.1021/jacs.5c01100  https://doi.org/10.1103/PhysRevLett.118.140402
  https://doi.org/10.1177/0020720920940575  https://www.doi.org/10.5594/SMPTE.ST2067-21.2020
  https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03
  http://dx.doi.org/10.1371/journal.pone.0000030  http://dx.doi.org/10.2777/28598
  doi.org/10.5240/7481-838B-59CA-63D0-B9A8-E
  https://doi.org/api/handles/10.3389/fpsyg.2016.00565
  https://doi.org/urn:doi:10.123:456ABC%2Fzyz  urn:doi:10.123:456ABC%2Fzyz
  urn:doi:10.4033:iee.2013.6b.6.f  info:doi/10.1000/182  info:doi/10.5438/bc11-cqw1
  hdl:10.5438/bv9z-dc66  doi:10.1000/456%23789  doi:10.1006/rwei.1999%22.0001
  DOI:10.1103/physrevlett.118.140402  10.1021/JACS.5C01100  10.1371/JOURNAL.PONE.0000030
  10.1000/DEMO_doi  <https://doi.org/10.3389/FPSYG.2016.00565>`
  .trim()
  .split(/\s+/);

/** The variables of the example queries, by the name of the operation. */
const VARIABLES: Readonly<Record<string, object>> = {
  EveryForm: { input: '10.1000/456#789' },
  WhatItIs: { input: '10.1371/journal.pone.0000030' },
  WhatBecame: {
    inputs: ['10.5555/invented.retracted', '10.5555/invented.article', '10.5555/invented.preprint'],
  },
  FiftyAtOnce: { inputs: FIFTY_NAMES },
  AsTheyCome: { inputs: FIFTY_NAMES },
  SameName: {
    a: '10.1000/demo_DOI',
    b: 'https://doi.org/10.1000/DEMO_doi',
    list: [
      '10.1000/456#789',
      'https://doi.org/10.1000/456%23789',
      'urn:doi:10.1000:456%23789',
      '10.1000/456',
      '10.1000/456/',
      '10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03',
      '10.26321/á.gutiérrez.zarza.02.2018.03',
      '10.1000',
    ],
  },
  WhichRA: {
    inputs: [
      '10.1021/jacs.5c01100',
      '10.5438/bc11-cqw1',
      '10.5240/7481-838B-59CA-63D0-B9A8-E',
      '10.2777/28598',
      '10.5555/no-such-name',
    ],
  },
  InText: {
    text: `Berninger (2020), doi:10.1021/jacs.5c01100. See also <https://doi.org/10.1000/182>
and <i>10.1103/PhysRevLett.118.140402</i>.`,
  },
  Suspicious: {
    inputs: [
      '10.1000/182.',
      '10.1000/182?utm_source=mail',
      '10.1021/jacs.5c01100/pdf',
      '10.1000/d\u0435mo_DOI',
      'see https://doi.org/10.1000/182 and 10.1000/1',
    ],
    lookalike: '10.1000/d\u0435mo_DOI',
  },
  PrefixAndShortDoi: { prefix: '10.1021', short: '10/p54k' },
};

// The folder is beside src/ and dist/.
const read = (name: string) => readFileSync(new URL(`../../../graphiql/${name}`, import.meta.url), 'utf8');

/** The tabs of a first visit. Tests execute them. GraphiQL shows the name of the operation as the title of the tab. */
export const graphiqlExamples = read('examples.graphql')
  .trimEnd()
  .split('\n\n')
  .map((query) => {
    const [, name = ''] = /^query (\w+)/m.exec(query) ?? [];
    return { query, variables: JSON.stringify(VARIABLES[name], null, 2) };
  });

const scripts = [...readPageScripts('graphiql', 'bootstrap.js')];
const additionalCss = read('graphiql.css');

// Imported at the first request and not at the start, because the text has nine megabytes.
const bundle = () => import('@graphql-yoga/render-graphiql/graphiql');

const files = new Map<string, string | (() => Promise<string>)>([
  ...scripts,
  ['favicon.svg', LOGO],
  ['graphiql.css', async () => (await bundle()).css + additionalCss],
  ['graphiql.js', async () => (await bundle()).js],
  ['editor.worker.js', async () => (await bundle()).editorWorkerService],
  ['graphql.worker.js', async () => (await bundle()).graphqlWorker],
  ['json.worker.js', async () => (await bundle()).jsonWorker],
]);

// The path of the files changes when their content changes. For the package, its version number is enough, because a
// published version never changes. So the package is not loaded here.
const { version } = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/package.json') as {
  version: string;
};
const hash = createHash('sha256')
  .update(version + scripts.join() + LOGO + additionalCss)
  .digest('hex');
const folder = `/graphiql/${version}-${hash.slice(0, 8)}/`;

export const graphiqlFilePath = (name: string): string => folder + name;

/** The handler of all paths below /graphiql/. Paths of other versions get status 404. */
export const graphiqlFiles = createStaticFiles(folder, files);

const TITLE = 'DOI gateway';

// The page loads nothing from other origins, and runs no inline scripts. Styles need 'unsafe-inline', because Monaco
// writes a <style> element and style attributes. Styles cannot load anything either.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

// If a client prefers several types equally, the gateway chooses the first of this list.
const offered = ['application/graphql-response+json', 'application/json', 'text/html'] as const;

/** A request with one of these parameters executes an operation. */
const operationParameters = ['query', 'documentId', 'doc_id', 'extensions'] as const;

/** True if the client prefers HTML and the URL has no operation. Then the response is the page. */
export function wantsGraphiql(request: Pick<HttpRequest, 'method' | 'query' | 'header'>): boolean {
  const { method, query } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (preferredType(request, offered) !== 'text/html') return false;
  if (query === '') return true;
  const parameters = new URLSearchParams(query);
  return !operationParameters.some((name) => parameters.has(name));
}

const OPTIONS = {
  endpoint: '/graphql',
  title: TITLE,
  logo: LOGO,
  defaultTabs: graphiqlExamples,
  defaultEditorToolsVisibility: 'variables',
  // A header can contain a secret, so the browser must not store headers.
  shouldPersistHeaders: false,
};

/** In place of a schema: GraphiQL then sends no introspection. */
const WITHOUT_SCHEMA = { ...OPTIONS, schema: null };
const NO_INTROSPECTION =
  '<p class="hint" role="status">This gateway does not allow introspection. Queries run, but GraphiQL cannot complete or explain fields. <a href="/schema.graphql">Read the schema</a>.</p>';

/** The response for every request for which `wantsGraphiql` returns true. */
export function createGraphiqlPage(allowsIntrospection: boolean): Handler {
  const page: HttpResponse = {
    status: 200,
    headers: pageHeaders(contentSecurityPolicy, 'Accept'),
    body: allowsIntrospection ? pageWith(OPTIONS, '') : pageWith(WITHOUT_SCHEMA, NO_INTROSPECTION),
  };
  return () => page;
}

function pageWith(options: object, notice: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="${graphiqlFilePath('favicon.svg')}">
<link rel="stylesheet" href="${graphiqlFilePath('graphiql.css')}">
<script type="module" src="${graphiqlFilePath('bootstrap.js')}"></script>
<script defer src="${graphiqlFilePath('graphiql.js')}"></script>
</head>
<body>
<noscript>GraphiQL needs JavaScript. Without JavaScript, send GraphQL queries to this address with POST.</noscript>
${notice}<div id="root"></div>
<p id="key-hint" class="hint" role="status" hidden>This gateway requires an API key. Open “Headers” below the query, write <code>{"Authorization": "Bearer YOUR-KEY"}</code>, and press “Re-fetch GraphQL schema”.</p>
<script type="application/json" id="graphiql-options">
${JSON.stringify(options).replaceAll('<', '\\u003c')}
</script>
</body>
</html>
`;
}
