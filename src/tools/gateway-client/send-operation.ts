// Sends GraphQL operations to a gateway, in this process or over HTTP. The command line, jobs and tools for agents use the
// gateway only in this way.

/** The gateway in this process needs no connection. */
const PLACEHOLDER_URL = 'http://localhost/graphql';

/** Sends operations to the gateway in this process. @param fetch the `fetch` of the App */
export function sendInProcess(fetch: (request: Request) => Promise<Response>): SendOperation {
  return async (query, variables, signal) => {
    const response = await fetch(graphqlRequest(PLACEHOLDER_URL, { query, variables }, signal));
    // A response to an aborted request says nothing about the names.
    signal?.throwIfAborted();
    return readResponse(response, PLACEHOLDER_URL);
  };
}

/** Sends one GraphQL operation. Rejects with a NoGatewayError if there is no GraphQL response. */
export type SendOperation = <Data>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<GraphqlResponse<Data>>;

export interface GraphqlResponse<Data> {
  /** null if the gateway refused the operation, or if the whole operation failed */
  readonly data: Data | null;
  readonly errors: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  /** undefined if the gateway refused the operation */
  readonly path?: readonly (string | number)[];
  /** `code` is a code of src/errors.ts, or `UNKNOWN`. The other keys depend on the code. */
  readonly extensions: { readonly code: string; readonly [key: string]: unknown };
}

/** No program answers at the address, or the program is not a DOI gateway. The message is for the user. */
export class NoGatewayError extends Error {
  override readonly name = 'NoGatewayError';
}

/** Throws a NoGatewayError if the response is not a GraphQL response. */
async function readResponse<Data>(response: Response, url: string): Promise<GraphqlResponse<Data>> {
  return parseResponse<Data>(await response.json().catch(() => null), response.status, url);
}

/** Like `readResponse`, for a parsed body. */
export function parseResponse<Data>(answer: unknown, status: number, url: string): GraphqlResponse<Data> {
  const { data, errors } = isObject(answer) ? answer : {};
  const known = errors ?? [];
  const hasData = data === undefined || data === null ? errors !== undefined : isObject(data);
  if (!hasData || !isErrorList(known)) {
    throw new NoGatewayError(
      `${url} sent no GraphQL response (HTTP status ${status}). Check that a DOI gateway listens there.`,
    );
  }
  return { data: (data as Data | undefined) ?? null, errors: known.map(withCode) };
}

type RawError = Omit<GraphqlError, 'extensions'> & { readonly extensions?: Record<string, unknown> | null };

function isErrorList(errors: unknown): errors is readonly RawError[] {
  return (
    Array.isArray(errors) && errors.every((error) => isObject(error) && typeof error['message'] === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error of the gateway has a code. An error of a proxy in front of the gateway can have none. */
function withCode({ extensions, ...error }: RawError): GraphqlError {
  const code = extensions?.['code'];
  return { ...error, extensions: { ...extensions, code: typeof code === 'string' ? code : 'UNKNOWN' } };
}

export function graphqlRequest(
  url: string,
  body: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>> = {},
): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

/**
 * Sends operations to a running gateway. An aborted operation rejects with the signal's reason.
 * @param url the GraphQL endpoint
 */
export function sendOverHttp(url: string, apiKey?: string): SendOperation {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async (query, variables, signal) => {
    try {
      return await readResponse(await fetch(graphqlRequest(url, { query, variables }, signal, headers)), url);
    } catch (error) {
      if (error instanceof NoGatewayError) throw error;
      signal?.throwIfAborted();
      throw new NoGatewayError(`${url} could not be reached${causeInBrackets(error)}.`, { cause: error });
    }
  };
}

/** Example: ` (ECONNREFUSED)`. Empty if the system gives no cause. */
function causeInBrackets(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
}
