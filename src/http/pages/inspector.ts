// The bare address: a page for people, an index for programs.

import etag from 'etag';
import fresh from 'fresh';
import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';
import type { DirectoryDescription } from '../../directory/directory.ts';
import { inspectorFiles, inspectorFolder, renderInspector } from './inspector-files.ts';
import { pageHeaders } from './page-headers.ts';
import { serviceIndex } from './service-index.ts';
import { type Bytes, createCompressed, createStaticFiles } from './static-files.ts';

// Strings of strangers are shown here. Nothing from elsewhere, nothing inline, and nobody may frame it.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept',
};

// In the order in which they win where a client does not care.
const offered = ['application/json', 'text/html'];

export interface InspectorOptions {
  /** The path of the GraphQL endpoint, "/graphql". */
  readonly endpoint: string;
  /** The gateway's own address as clients see it; null: links are relative. */
  readonly publicUrl: string | null;
  /** what answers: the page says so where it is not the live system */
  readonly directory: DirectoryDescription;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Bytes | null;
}

/** Answers `/` and what is below `/inspector/`; `/inspector` itself, which people guess, leads to `/`. */
export function useInspector({ endpoint, publicUrl, directory }: InspectorOptions): Plugin {
  const file = createStaticFiles(inspectorFolder, inspectorFiles);
  const compressed = createCompressed();
  const page = renderInspector(publicUrl, directory);
  // Weak: the same page in several encodings.
  const pageTag = etag(page, { weak: true });
  const index = serviceIndex(publicUrl ?? '');
  const refusal = JSON.stringify({
    errors: [
      {
        message: `GraphQL is at ${(publicUrl ?? '') + endpoint}: send the request there.`,
        extensions: { code: 'BAD_USER_INPUT', retryable: false },
      },
    ],
  });

  async function answerHome(request: Request): Promise<Answer> {
    const { method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, headers: { ...jsonHeaders, Allow: 'GET, HEAD, OPTIONS' }, body: `${refusal}\n` };
    }
    const accepted = new Negotiator({ headers: { accept: headers.get('accept') ?? undefined } });
    if (accepted.mediaType(offered) !== 'text/html')
      return { status: 200, headers: jsonHeaders, body: index };
    const validators = {
      ...pageHeaders(contentSecurityPolicy, 'Accept, Accept-Encoding'),
      ETag: pageTag,
    };
    if (fresh(Object.fromEntries(headers), { etag: pageTag })) {
      return { status: 304, headers: validators, body: null };
    }
    const { bytes, headers: encoding } = await compressed('page', async () => page, request);
    return { status: 200, headers: { ...validators, ...encoding }, body: bytes };
  }

  return {
    async onRequest({ request, url, fetchAPI, endResponse }) {
      const isGuess = /^\/inspector\/?$/.exec(url.pathname)?.[0];
      if (isGuess !== undefined) {
        const home = publicUrl === null ? (isGuess.endsWith('/') ? '../' : './') : `${publicUrl}/`;
        const headers = { Location: home + url.search, 'Cache-Control': 'no-cache' };
        endResponse(new fetchAPI.Response(null, { status: 308, headers }));
        return;
      }
      const isHome = url.pathname === '/';
      if (!isHome && !url.pathname.startsWith('/inspector/')) return;
      const { body, ...init } = await (isHome ? answerHome(request) : file(request, url.pathname));
      // A copy: Response writes the length of its body into the headers it is given.
      const headers = { ...init.headers };
      endResponse(new fetchAPI.Response(request.method === 'HEAD' ? null : body, { ...init, headers }));
    },
  };
}
