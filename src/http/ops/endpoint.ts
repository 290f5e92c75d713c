// Pages for machines: one path each, GET and HEAD only, never cached.

import type { Plugin } from 'graphql-yoga';
import type { Log } from '../../log.ts';

export interface EndpointAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Answers `path`: with 405 every method but GET and HEAD, and with 503 where `answer` fails, which is logged. */
export function useEndpoint(
  path: string,
  log: Log,
  answer: () => EndpointAnswer | Promise<EndpointAnswer>,
): Plugin {
  return {
    async onRequest({ request: { method }, url, fetchAPI, endResponse }) {
      if (url.pathname !== path) return;
      if (method !== 'GET' && method !== 'HEAD') {
        const headers = { Allow: 'GET, HEAD' };
        endResponse(new fetchAPI.Response('GET or HEAD.\n', { status: 405, headers }));
        return;
      }
      const { status, contentType, body } = await attempt();
      const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' };
      endResponse(new fetchAPI.Response(method === 'HEAD' ? null : body, { status, headers }));
    },
  };

  async function attempt(): Promise<EndpointAnswer> {
    try {
      return await answer();
    } catch (error) {
      log.error({ err: error }, `${path} cannot be answered`);
      return { status: 503, contentType: 'text/plain; charset=utf-8', body: 'No answer can be given now.\n' };
    }
  }
}

/** One JSON object on a line of its own. */
export function jsonAnswer(status: number, value: object): EndpointAnswer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value)}\n` };
}
