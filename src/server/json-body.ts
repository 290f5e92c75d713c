import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { GatewayError } from '../errors.ts';

/** Reads JSON bodies as the Fetch standard does, a byte order mark included, and says what is wrong with others. */
export function useJsonBody(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (request.method !== 'POST' || !isJson(request.headers.get('content-type'))) return;
      setRequestParser(async (unread) => parseBody((await unread.text()).replace(/^\uFEFF/, '')));
    },
  };
}

function isJson(contentType: string | null): boolean {
  return /^application\/(?:graphql\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

function parseBody(text: string): GraphQLParams {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw badBody('is not JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('is not a JSON object');
  return body;
}

function badBody(what: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: `The request body ${what}. Send {"query": "…", "variables": {…}} as application/json.`,
  });
}
