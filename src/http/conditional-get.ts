// ETag and 304 for GraphQL results that may be kept: a client whose copy is still good gets no body.

import etag from 'etag';
import fresh from 'fresh';
import type { Plugin } from 'graphql-yoga';
import { isGraphqlJson } from './media-type.ts';

/**
 * For GET alone: there is no 304 to a POST. Runs after what sets Cache-Control. The tag is weak, since one
 * result has the same bytes in two media types, and what compresses it on its way may keep a weak one.
 */
export function useConditionalGet(): Plugin {
  return {
    onResponse({ request, response, setResponse, fetchAPI }) {
      const { status, headers } = response;
      const isKept = headers.get('cache-control')?.startsWith('public') ?? false;
      if (request.method !== 'GET' || status !== 200 || !isKept || !isGraphqlJson(headers)) return;
      return tag();

      async function tag(): Promise<void> {
        const body = await response.clone().text();
        headers.set('ETag', etag(body, { weak: true }));
        if (!fresh(conditionOf(request.headers), { etag: headers.get('etag') ?? undefined })) return;
        const kept = new fetchAPI.Headers(headers);
        for (const name of ['content-type', 'content-length']) kept.delete(name);
        setResponse(new fetchAPI.Response(null, { status: 304, headers: kept }));
      }
    },
  };
}

/** A reload past all caches (Cache-Control: no-cache) is a condition to `fresh`, too. */
function conditionOf(headers: Headers): fresh.Headers {
  return {
    'if-none-match': headers.get('if-none-match') ?? undefined,
    'cache-control': headers.get('cache-control') ?? undefined,
  };
}
