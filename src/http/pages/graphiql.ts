// The page of GraphiQL, at the same path as the GraphQL endpoint.

import type { Handler, HttpRequest, HttpResponse } from '../request/exchange.ts';
import { preferredType } from '../response/negotiate.ts';
import {
  asTheyCome,
  everyForm,
  FIFTY_NAMES,
  fiftyAtOnce,
  inText,
  prefixAndShort,
  sameName,
  suspicious,
  whatBecame,
  whatItIs,
  whichAgency,
} from './graphiql-documents.ts';
import { graphiqlFilePath } from './graphiql-files.ts';
import { mark, pageHeaders } from './page-headers.ts';

/** GraphiQL shows the name of the operation as the title of the tab. */
interface GraphiqlTab {
  readonly query: string;
  readonly variables: string;
}

const tab = (query: string, variables: object): GraphiqlTab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** The tabs of a first visit. Tests execute them. */
export const graphiqlExamples: readonly GraphiqlTab[] = [
  tab(everyForm, { input: '10.1000/456#789' }),
  tab(whatItIs, { input: '10.1371/journal.pone.0000030' }),
  tab(whatBecame, {
    inputs: ['10.5555/invented.retracted', '10.5555/invented.article', '10.5555/invented.preprint'],
  }),
  tab(fiftyAtOnce, { inputs: FIFTY_NAMES }),
  tab(asTheyCome, { inputs: FIFTY_NAMES }),
  tab(sameName, {
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
  }),
  tab(whichAgency, {
    inputs: [
      '10.1021/jacs.5c01100',
      '10.5438/bc11-cqw1',
      '10.5240/7481-838B-59CA-63D0-B9A8-E',
      '10.2777/28598',
      '10.5555/no-such-name',
    ],
  }),
  tab(inText, {
    text: `Berninger (2020), doi:10.1021/jacs.5c01100. See also <https://doi.org/10.1000/182>
and <i>10.1103/PhysRevLett.118.140402</i>.`,
  }),
  tab(suspicious, {
    inputs: [
      '10.1000/182.',
      '10.1000/182?utm_source=mail',
      '10.1021/jacs.5c01100/pdf',
      '10.1000/d\u0435mo_DOI',
      'see https://doi.org/10.1000/182 and 10.1000/1',
    ],
    lookalike: '10.1000/d\u0435mo_DOI',
  }),
  tab(prefixAndShort, { prefix: '10.1021', short: '10/p54k' }),
];

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

/** Whether the response is the page: the client prefers HTML, and the URL has no operation. */
export function wantsGraphiql(request: Pick<HttpRequest, 'method' | 'query' | 'header'>): boolean {
  const { method, query } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (preferredType(request, offered) !== 'text/html') return false;
  if (query === '') return true;
  const parameters = new URLSearchParams(query);
  return !operationParameters.some((name) => parameters.has(name));
}

/**
 * Responds to every request with the page. Call `wantsGraphiql` first.
 * @param options.endpoint the path of the GraphQL endpoint and of the page
 */
export function createGraphiqlPage({ endpoint }: { readonly endpoint: string }): Handler {
  const response: HttpResponse = {
    status: 200,
    headers: pageHeaders(contentSecurityPolicy, 'Accept'),
    body: renderPage(endpoint),
  };
  return () => response;
}

function renderPage(endpoint: string): string {
  const options = {
    endpoint,
    title: TITLE,
    logo: mark,
    defaultTabs: graphiqlExamples,
    defaultEditorToolsVisibility: 'variables',
    // A header can contain a secret, so the browser must not store headers.
    shouldPersistHeaders: false,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="${graphiqlFilePath('favicon.svg')}">
<link rel="stylesheet" href="${graphiqlFilePath('graphiql.css')}">
<script defer src="${graphiqlFilePath('bootstrap.js')}"></script>
<script defer src="${graphiqlFilePath('graphiql.js')}"></script>
</head>
<body>
<noscript>GraphiQL needs JavaScript. The API itself is at this address for POST requests.</noscript>
<div id="root"></div>
<p id="key-hint" role="status" hidden>This gateway asks for an API key. Open “Headers” below the query, write <code>{"Authorization": "Bearer YOUR-KEY"}</code>, and press “Re-fetch GraphQL schema”.</p>
<script type="application/json" id="graphiql-options">
${JSON.stringify(options).replaceAll('<', '\\u003c')}
</script>
</body>
</html>
`;
}
