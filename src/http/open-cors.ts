// CORS for a public, read-only service: any origin, never with credentials.

import type { Plugin } from 'graphql-yoga';

/** Yoga's own CORS repeats the caller's origin; `*` says that nothing depends on who asks. */
const ANYONE = { 'Access-Control-Allow-Origin': '*' };

const PREFLIGHT = {
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** Answers preflight requests, and opens every response to all origins. Only the endpoint takes a POST. */
export function useOpenCors(endpoint: string): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (request.method === 'OPTIONS') {
        const isEndpoint = url.pathname.replace(/\/$/, '') === endpoint;
        const methods = isEndpoint ? 'GET, HEAD, POST' : 'GET, HEAD';
        const headers = { ...PREFLIGHT, 'Access-Control-Allow-Methods': methods };
        endResponse(new fetchAPI.Response(null, { status: 204, headers }));
      }
    },
    onResponse({ response }) {
      for (const [name, value] of Object.entries(ANYONE)) response.headers.set(name, value);
    },
  };
}
