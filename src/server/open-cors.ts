// CORS for a public, read-only service: any origin, never with credentials.

import type { Plugin } from 'graphql-yoga';

/** Yoga's own CORS repeats the caller's origin; `*` says that nothing depends on who asks. */
const ANYONE = { 'Access-Control-Allow-Origin': '*' };

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** Answers preflight requests, and opens every response to all origins. */
export function useOpenCors(): Plugin {
  return {
    onRequest({ request, fetchAPI, endResponse }) {
      if (request.method === 'OPTIONS') {
        endResponse(new fetchAPI.Response(null, { status: 204, headers: PREFLIGHT }));
      }
    },
    onResponse({ response }) {
      for (const [name, value] of Object.entries(ANYONE)) response.headers.set(name, value);
    },
  };
}
