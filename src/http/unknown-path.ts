import type { Plugin } from 'graphql-yoga';

/** Every path that is nothing gets a plain 404, which names the endpoint. */
export function useUnknownPath(endpoint: string): Plugin {
  return {
    onRequest({ url, fetchAPI, endResponse }) {
      if (url.pathname.replace(/\/$/, '') === endpoint) return;
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
      const body = `Not found. GraphQL is at ${endpoint}.\n`;
      endResponse(new fetchAPI.Response(body, { status: 404, headers }));
    },
  };
}
