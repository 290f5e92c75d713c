// An answer that is read part by part, over a real connection.

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

export interface PartsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next part as soon as it has come; null at the end of the answer. */
  next(): Promise<Part | null>;
  /** What is still to come, in one list. */
  increments(): Promise<readonly Increment[]>;
  /** The whole text that has come so far. */
  text(): string;
  /** Goes away without waiting for the rest. */
  leave(): void;
}

export const MULTIPART = 'multipart/mixed';
export const SSE = 'text/event-stream';

export interface PartsQuestion {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** multipart/mixed where nothing else is said */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** that keeps connections; without one the connection ends with the answer */
  readonly agent?: Agent;
}

/** Asks, and resolves once the head of the answer is there. */
export async function askForParts(
  { url }: { readonly url: string },
  query: string,
  { variables = {}, accept = MULTIPART, headers: more = {}, agent }: PartsQuestion = {},
): Promise<PartsAnswer> {
  const headers = { 'content-type': 'application/json', accept, ...more };
  const asked = request(`${url}/graphql`, { method: 'POST', headers, agent: agent ?? false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end(JSON.stringify({ query, variables }));
  });
  // A client that leaves does not wait for more, and so is not told of it.
  asked.on('error', () => undefined);
  return partsOf(response, () => asked.destroy());
}

function partsOf(response: IncomingMessage, leave: () => void): PartsAnswer {
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
