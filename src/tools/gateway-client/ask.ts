// How the command line, bulk jobs and tools for agents ask the gateway: the same GraphQL as everybody.

// Asks the gateway in this very process.

/** No connection is opened to it. */
const HERE = 'http://localhost/graphql';

/** @param fetch of the App */
export function askInProcess(fetch: (request: Request) => Promise<Response>): Ask {
  return async (query, variables, signal) => {
    const response = await fetch(graphqlRequest(HERE, { query, variables }, signal));
    // What is answered to whoever has gone says nothing of the names.
    signal?.throwIfAborted();
    return readAnswer(response, HERE);
  };
}

/** One GraphQL operation. Rejects with an AskError where there is no GraphQL answer at all. */
export type Ask = <Data>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<GraphqlAnswer<Data>>;

export interface GraphqlAnswer<Data> {
  /** null where the operation was refused or nothing of it could be answered */
  readonly data: Data | null;
  /** empty where everything was answered */
  readonly errors: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  /** undefined where the whole operation was refused */
  readonly path?: readonly (string | number)[];
  /** `code` is one of src/errors.ts; further keys as the code has them */
  readonly extensions: { readonly code: string; readonly [key: string]: unknown };
}

/** There is no gateway there, or what answered is none. Its message is for whoever asked. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

/** Reads what came. Throws an AskError where that is no GraphQL answer. */
export async function readAnswer<Data>(response: Response, url: string): Promise<GraphqlAnswer<Data>> {
  return answerOf<Data>(await response.json().catch(() => null), response.status, url);
}

/** The same of an answer that is there already. */
export function answerOf<Data>(answer: unknown, status: number, url: string): GraphqlAnswer<Data> {
  const { data, errors } = isObject(answer) ? answer : {};
  const known = errors ?? [];
  const hasData = data === undefined || data === null ? errors !== undefined : isObject(data);
  if (!hasData || !isErrorList(known)) {
    throw new AskError(
      `${url} sent no GraphQL response (HTTP status ${status}). Check that a DOI gateway listens there.`,
    );
  }
  return { data: (data as Data | undefined) ?? null, errors: known.map(withCode) };
}

type ToldError = Omit<GraphqlError, 'extensions'> & { readonly extensions?: Record<string, unknown> | null };

function isErrorList(errors: unknown): errors is readonly ToldError[] {
  return (
    Array.isArray(errors) && errors.every((error) => isObject(error) && typeof error['message'] === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A gateway's errors have a code; something in front of it may have answered instead. */
function withCode({ extensions, ...error }: ToldError): GraphqlError {
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

// Asks a gateway that runs somewhere else.

export interface RemoteGateway {
  /** of its GraphQL endpoint */
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** Rejects with the signal's reason when that was what ended it. */
export function askOverHttp({ url, apiKey }: RemoteGateway): Ask {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async (query, variables, signal) => {
    try {
      return await readAnswer(await fetch(graphqlRequest(url, { query, variables }, signal, headers)), url);
    } catch (error) {
      if (error instanceof AskError) throw error;
      signal?.throwIfAborted();
      throw new AskError(`${url} could not be reached${causeTold(error)}.`, { cause: error });
    }
  };
}

/** ` (ECONNREFUSED)`; empty where the system names no cause. */
function causeTold(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
}
