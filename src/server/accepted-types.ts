import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';

const ANSWERED = ['application/graphql-response+json', 'application/json', 'text/html'];

const REFUSAL = JSON.stringify({
  errors: [
    {
      message:
        'Answers are application/graphql-response+json or application/json, and the Accept header allows neither.',
      extensions: { code: 'BAD_USER_INPUT', retryable: false },
    },
  ],
});

/** Says so where a client accepts no type that GraphQL is answered in; Yoga's 406 has no body. */
export function useAcceptedTypes(endpoint: string): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      const accept = request.headers.get('accept');
      if (accept === null || url.pathname !== endpoint) return;
      if (new Negotiator({ headers: { accept } }).mediaType(ANSWERED)) return;
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      endResponse(new fetchAPI.Response(REFUSAL, { status: 406, headers }));
    },
  };
}
