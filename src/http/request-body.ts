// Reads what a GraphQL request consists of, and says what is wrong with what cannot be read.

import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { GatewayError } from '../errors.ts';

const JSON_TYPE = /^application\/(?:graphql\+)?json\s*(?:;|$)/i;
const OTHER_TYPES = /^application\/(?:graphql|x-www-form-urlencoded)\s*(?:;|$)/i;

/** JSON bodies as the Fetch standard reads them, a byte order mark included; no bytes that are not UTF-8. */
export function useRequestBody(): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const type = request.headers.get('content-type') ?? '';
      const encoding = request.headers.get('content-encoding')?.trim() || 'identity';
      if (request.method === 'POST' && encoding.toLowerCase() !== 'identity') {
        throw badRequest(
          `The request body has the Content-Encoding "${encoding.slice(0, 40)}", and none is supported here. Send the body uncompressed.`,
          415,
        );
      }
      if (request.method === 'POST' && JSON_TYPE.test(type)) {
        setRequestParser(async (unread) => parseBody(await readBytes(unread)));
      } else if (request.method === 'POST' && !OTHER_TYPES.test(type)) {
        throw badRequest('The request has no content type that is read here. Send application/json.', 415);
      } else if (requestParser) {
        setRequestParser((unread) => explaining(() => requestParser(unread)));
      }
    },
  };
}

async function readBytes(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    // A body over the limit is reported by Yoga; everything else is a client that went away.
    throw error instanceof GraphQLError ? error : badRequest('The request body broke off.', 400, error);
  }
}

function parseBody(bytes: ArrayBuffer): GraphQLParams {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw badBody(error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('is not a JSON object');
  return body;
}

/** The parameters of a URL or a form hold JSON as well. */
async function explaining<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(
      'The parameter "variables" or "extensions" is not JSON. Send an object such as {"input": "10.1000/182"}.',
      400,
    );
  }
}

function badBody(what: string): GatewayError {
  return badRequest(
    `The request body ${what}. Send {"query": "…", "variables": {…}} as application/json.`,
    400,
  );
}

function badRequest(message: string, httpStatus: number, cause?: unknown): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message, httpStatus, cause });
}
