// Reads a response part by part, over a real connection.

import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { GraphqlError } from '../../support/gateway.ts';

export interface Increment {
  readonly path: readonly (string | number)[];
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly items?: readonly unknown[] | null;
  readonly errors?: readonly GraphqlError[];
}

export interface Part {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlError[];
  readonly incremental?: readonly Increment[];
  readonly hasNext?: boolean;
}

export interface PartsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Waits for the next part. Null at the end of the response. */
  next(): Promise<Part | null>;
  /** Waits for the end of the response. Returns the increments of all remaining parts. */
  increments(): Promise<readonly Increment[]>;
  /** The text that was received until now. */
  text(): string;
  /** Ends the connection before the end of the response. */
  leave(): void;
}

export const MULTIPART = 'multipart/mixed';
export const SSE = 'text/event-stream';

export interface PartsRequest {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** default: multipart/mixed */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** keeps the connection; default: the connection ends with the response */
  readonly agent?: Agent;
}

/** Sends a query. Resolves when the head of the response is there. */
export async function requestParts(
  { url }: { readonly url: string },
  query: string,
  { variables = {}, accept = MULTIPART, headers: others = {}, agent }: PartsRequest = {},
): Promise<PartsResponse> {
  const headers = { 'content-type': 'application/json', accept, ...others };
  const sent = request(`${url}/graphql`, { method: 'POST', headers, agent: agent ?? false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(JSON.stringify({ query, variables }));
  });
  // After `leave` the connection fails, as expected.
  sent.on('error', () => undefined);
  return readParts(response, () => sent.destroy());
}

function readParts(response: IncomingMessage, leave: () => void): PartsResponse {
  const { statusCode: status = 0, headers } = response;
  const end = headers['content-type'] === SSE ? '\n\n' : '\r\n---';
  const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = '';
  let unread = '';

  async function next(): Promise<Part | null> {
    for (;;) {
      const at = unread.indexOf(end);
      if (at !== -1) {
        const piece = unread.slice(0, at);
        unread = unread.slice(at + end.length);
        const json = /(?:^data: |\r\n\r\n)(\{.*)$/ms.exec(piece)?.[1];
        if (json !== undefined) return JSON.parse(json) as Part;
        continue;
      }
      const { value, done } = await chunks.next();
      if (done) return null;
      text += value;
      unread += value;
    }
  }

  return {
    status,
    headers,
    next,
    async increments() {
      const found: Increment[] = [];
      for (let part = await next(); part !== null; part = await next())
        found.push(...(part.incremental ?? []));
      return found;
    },
    text: () => text,
    leave,
  };
}
