import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';
import { createGraphiqlAssets, graphiqlAssetPath } from './graphiql-assets.ts';
import { graphiqlExamples } from './graphiql-examples.ts';
import { mark } from './mark.ts';
import { pageHeaders } from './page-headers.ts';

export interface GraphiqlOptions {
  /** The path of the GraphQL endpoint, "/graphql": the page is shown there and asks there. */
  readonly endpoint: string;
  readonly title?: string;
}

// Nothing from elsewhere, nothing inline that runs, no eval. Styles are the exception: Monaco writes its
// theme into a <style> element and the place of lines into style attributes. Without 'unsafe-inline' for
// the one Chromium shows no colours, without it for the other lines on top of each other. What such a
// style could fetch the other directives keep on this origin.
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

// In the order in which they win where a client does not care.
const offered = ['application/graphql-response+json', 'application/json', 'text/html'];

/**
 * GraphiQL from the gateway's own origin, in place of Yoga's (give createYoga `graphiql: false` and
 * `landingPage: false`). The page goes to who prefers HTML at the endpoint and brings no query.
 */
export function useGraphiql({ endpoint, title = 'DOI gateway' }: GraphiqlOptions): Plugin {
  const asset = createGraphiqlAssets();
  const page = renderPage(endpoint, title);

  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      const path = url.pathname;
      if (path === endpoint && wantsPage(request, url)) {
        const headers = pageHeaders(contentSecurityPolicy, 'Accept');
        endResponse(new fetchAPI.Response(request.method === 'HEAD' ? null : page, { headers }));
      }
      if (!path.startsWith('/graphiql/')) return;
      return asset(request, path).then(({ body, ...init }) => endResponse(new fetchAPI.Response(body, init)));
    },
  };
}

function wantsPage({ method, headers }: Request, url: URL): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accepted = new Negotiator({ headers: { accept: headers.get('accept') ?? undefined } });
  const asks = ['query', 'documentId', 'doc_id', 'extensions'].some((name) => url.searchParams.has(name));
  return !asks && accepted.mediaType(offered) === 'text/html';
}

function renderPage(endpoint: string, title: string): string {
  const options = {
    endpoint,
    title,
    logo: mark,
    defaultTabs: graphiqlExamples,
    defaultEditorToolsVisibility: 'variables',
    // What is typed as a header may be a secret: it is not kept in the browser's storage.
    shouldPersistHeaders: false,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${graphiqlAssetPath('favicon.svg')}">
<link rel="stylesheet" href="${graphiqlAssetPath('graphiql.css')}">
<script defer src="${graphiqlAssetPath('bootstrap.js')}"></script>
<script defer src="${graphiqlAssetPath('graphiql.js')}"></script>
</head>
<body>
<noscript>GraphiQL needs JavaScript. The API itself is at this address for POST requests.</noscript>
<div id="root"></div>
<script type="application/json" id="graphiql-options">
${JSON.stringify(options).replaceAll('<', '\\u003c')}
</script>
</body>
</html>
`;
}
