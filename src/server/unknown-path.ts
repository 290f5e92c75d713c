import type { Plugin } from 'graphql-yoga';

/** A person who opens the bare address is sent to GraphiQL; every path that is nothing gets a plain 404. */
export function useUnknownPath(known: readonly [home: string, ...others: string[]]): Plugin {
  const [home] = known;
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (known.includes(url.pathname.replace(/(?<=.)\/$/, ''))) return;
      if (url.pathname === '/' && request.method === 'GET') {
        endResponse(new fetchAPI.Response(null, { status: 302, headers: { Location: home } }));
        return;
      }
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
      const body = `Not found. GraphQL is at ${home}.\n`;
      endResponse(new fetchAPI.Response(body, { status: 404, headers }));
    },
  };
}
