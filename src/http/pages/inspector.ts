// The bare address: a page for people, an index for programs.

import etag from 'etag';
import type { DirectoryDescription } from '../../directory/directory.ts';
import type { Answer, Handler } from '../exchange.ts';
import { locationQuery } from '../location-query.ts';
import { preferredType } from '../negotiate.ts';
import { createCompressed } from './compressed.ts';
import { inspectorFiles, inspectorFolder, renderInspector } from './inspector-files.ts';
import { ownPolicy, pageHeaders } from './page-headers.ts';
import { serviceIndex } from './service-index.ts';
import { createStaticFiles } from './static-files.ts';

const contentSecurityPolicy = ownPolicy("'self'");

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
};

// In the order in which they win where a client does not care.
const offered = ['application/json', 'text/html'] as const;

export interface InspectorOptions {
  /** The path of the GraphQL endpoint, "/graphql". */
  readonly endpoint: string;
  /** The gateway's own address as clients see it; null: links are relative. */
  readonly publicUrl: string | null;
  /** false where `/metrics` has an address of its own */
  readonly hasMetrics: boolean;
  /** what answers: the page says so where it is not the live system */
  readonly directory: DirectoryDescription;
}

export interface Inspector {
  /** `/` */
  readonly home: Handler;
  /** `/inspector` and `/inspector/`, which people guess: leads to `/` */
  readonly guessed: Handler;
  /** every other path below `/inspector/` */
  readonly files: Handler;
}

export function createInspector(options: InspectorOptions): Inspector {
  const { endpoint, publicUrl, hasMetrics, directory } = options;
  const compressed = createCompressed();
  const page = renderInspector(publicUrl, directory);
  const pageAnswer = {
    ...pageHeaders(contentSecurityPolicy, 'Accept, Accept-Encoding'),
    // Weak: the same page in several encodings.
    ETag: etag(page, { weak: true }),
  };
  const index: Answer = {
    status: 200,
    headers: jsonHeaders,
    body: serviceIndex(publicUrl ?? '', hasMetrics),
  };
  const refusal: Answer = {
    status: 405,
    headers: { ...jsonHeaders, 'Cache-Control': 'no-store', Allow: 'GET, HEAD, OPTIONS' },
    body: `${JSON.stringify({
      errors: [
        {
          message: `GraphQL is at ${(publicUrl ?? '') + endpoint}: send the request there.`,
          extensions: { code: 'BAD_USER_INPUT', retryable: false },
        },
      ],
    })}\n`,
  };

  return {
    home(request) {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') return refusal;
      if (preferredType(request, offered) !== 'text/html') return index;
      return compressed('page', async () => page, request).then(({ body, headers }) => ({
        status: 200,
        headers: { ...pageAnswer, ...headers },
        body,
      }));
    },
    guessed({ path, query }) {
      const home = publicUrl === null ? (path.endsWith('/') ? '../' : './') : `${publicUrl}/`;
      const location = home + locationQuery(query);
      return { status: 308, headers: { Location: location, 'Cache-Control': 'no-cache' }, body: null };
    },
    files: createStaticFiles(inspectorFolder, inspectorFiles),
  };
}
