// One HTTP exchange that keeps every response header, and sends bodies that fetch cannot send.

import { type IncomingMessage, request } from 'node:http';
import type { GraphqlError } from '../support/gateway.ts';

export interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** a body that is sent with its length, or parts that are sent in chunks */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** the address of the client: any address of 127.0.0.0/8 */
  readonly localAddress?: string | undefined;
}

export interface ReceivedResponse {
  readonly status: number;
  /** in the order of the wire, repeated headers included, names in lower case */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bytes: Buffer;
  readonly text: string;
}

/** Rejects when the connection ends before the response is complete. */
export function exchange(
  url: string,
  { method = 'GET', headers = {}, body, localAddress }: SentRequest = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers, agent: false, ...(localAddress !== undefined && { localAddress }) },
      (response) => {
        receive(response).then(resolve, reject);
      },
    );
    sent.once('error', reject);
    if (typeof body === 'string' || Buffer.isBuffer(body)) {
      sent.setHeader('content-length', Buffer.byteLength(body));
      sent.write(body);
    } else {
      for (const chunk of body ?? []) sent.write(chunk);
    }
    sent.end();
  });
}

/** POSTs JSON to the GraphQL endpoint. */
export function post(
  gateway: { readonly url: string },
  body: NonNullable<SentRequest['body']>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReceivedResponse> {
  const allHeaders = { 'content-type': 'application/json', ...headers };
  return exchange(`${gateway.url}/graphql`, { method: 'POST', headers: allHeaders, body });
}

export function get(
  gateway: { readonly url: string },
  path: string,
  sent: SentRequest = {},
): Promise<ReceivedResponse> {
  return exchange(gateway.url + path, sent);
}

/** All values of a header. A correct response has at most one value. */
export function headerValues({ headers }: ReceivedResponse, name: string): string[] {
  return headers.filter(([candidate]) => candidate === name).map(([, value]) => value);
}

export interface ReceivedResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlError[];
}

export function graphqlResult({ text }: Pick<ReceivedResponse, 'text'>): ReceivedResult {
  return JSON.parse(text) as ReceivedResult;
}

/** `[status, code of the first error]`; the code is null if there is no error. */
export function statusAndCode(response: ReceivedResponse): [status: number, code: unknown] {
  if (response.text === '') return [response.status, 'no body'];
  return [response.status, graphqlResult(response).errors?.[0]?.extensions['code'] ?? null];
}

async function receive(response: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const { rawHeaders, statusCode = 0 } = response;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );
  const bytes = Buffer.concat(chunks);
  return { status: statusCode, headers, bytes, text: bytes.toString() };
}
