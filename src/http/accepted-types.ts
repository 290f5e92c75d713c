import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';

/** What an answer in parts comes in, also where Apollo says which format of the parts it reads: the one there is. */
const IN_PARTS = ['multipart/mixed', 'text/event-stream', 'multipart/mixed;deferSpec=20220824'];
const AT_ONCE = ['application/graphql-response+json', 'application/json'];

const JSON_TYPE = 'application/json; charset=utf-8';

const REFUSAL = JSON.stringify({
  errors: [
    {
      message:
        'Answers are application/graphql-response+json, application/json, multipart/mixed or text/event-stream, and the Accept header allows none that this one could come in.',
      extensions: { code: 'BAD_USER_INPUT', retryable: false },
    },
  ],
});

/**
 * Says so where a client accepts no type that GraphQL is answered in; Yoga's 406 has no body. A browser that is
 * shown GraphiQL does not come here.
 */
export function useAcceptedTypes(endpoint: string): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (url.pathname !== endpoint || accepts(request, [...AT_ONCE, ...IN_PARTS])) return;
      const headers = { 'Content-Type': JSON_TYPE };
      endResponse(new fetchAPI.Response(REFUSAL, { status: 406, headers }));
    },
    // Yoga's own, for an answer that cannot come in a type that others can.
    onResponse({ response, setResponse, fetchAPI }) {
      if (response.status !== 406 || response.headers.has('content-type')) return;
      const headers = new fetchAPI.Headers(response.headers);
      headers.delete('accept');
      headers.set('Content-Type', JSON_TYPE);
      setResponse(new fetchAPI.Response(REFUSAL, { status: 406, headers }));
    },
  };
}

/** Whether a client can be answered in parts, as `@defer` and `@stream` want it. */
export function acceptsParts(request: Request): boolean {
  return accepts(request, IN_PARTS);
}

function accepts({ headers }: Request, types: readonly string[]): boolean {
  const accept = headers.get('accept') ?? undefined;
  return new Negotiator({ headers: { accept } }).mediaType([...types]) !== undefined;
}
