// One HTTP exchange with every header as it went over the wire, and bodies that fetch would not send.

import { type IncomingMessage, request } from 'node:http';

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** one chunk, sent with its length; or several, sent chunked */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** whom it comes from: any address of 127.0.0.0/8 */
  readonly localAddress?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** each header as often as it came, names in lower case */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Rejects when the connection ends before the answer is complete. */
export function exchange(
  url: string,
  { method = 'GET', headers = {}, body, localAddress }: Question = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, headers, agent: false, ...(localAddress !== undefined && { localAddress }) },
      (response) => {
        read(response).then(resolve, reject);
      },
    );
    asked.once('error', reject);
    if (typeof body === 'string' || Buffer.isBuffer(body)) {
      asked.setHeader('content-length', Buffer.byteLength(body));
      asked.write(body);
    } else {
      for (const chunk of body ?? []) asked.write(chunk);
    }
    asked.end();
  });
}

/** POSTs to the GraphQL endpoint. */
export function post(
  gateway: { readonly url: string },
  body: NonNullable<Question['body']>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sent = { 'content-type': 'application/json', ...headers };
  return exchange(`${gateway.url}/graphql`, { method: 'POST', headers: sent, body });
}

export function get(
  gateway: { readonly url: string },
  path: string,
  question: Question = {},
): Promise<Answer> {
  return exchange(gateway.url + path, question);
}

/** Every value of a header; in a sound answer there is one at the most. */
export function valuesOf({ headers }: Answer, name: string): string[] {
  return headers.filter(([candidate]) => candidate === name).map(([, value]) => value);
}

export interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

export function graphqlAnswer({ text }: Pick<Answer, 'text'>): GraphqlAnswer {
  return JSON.parse(text) as GraphqlAnswer;
}

/** `[status, code of the first error]`; the code is null where there is no error. */
export function verdict(answer: Answer): [status: number, code: unknown] {
  if (answer.text === '') return [answer.status, 'no body'];
  return [answer.status, graphqlAnswer(answer).errors?.[0]?.extensions['code'] ?? null];
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const { rawHeaders, statusCode = 0 } = response;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { status: statusCode, headers, text: Buffer.concat(chunks).toString() };
}
