import type { Plugin } from 'graphql-yoga';

/** `GET /healthz`: the process is alive. Says nothing of the directory. */
export function useHealth(): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (url.pathname !== '/healthz') return;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        endResponse(
          new fetchAPI.Response('GET or HEAD.\n', { status: 405, headers: { Allow: 'GET, HEAD' } }),
        );
        return;
      }
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      const body = request.method === 'HEAD' ? null : '{"status":"ok"}\n';
      endResponse(new fetchAPI.Response(body, { headers }));
    },
  };
}
