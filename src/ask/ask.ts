// How the command line, bulk jobs and tools for agents ask the gateway: the same GraphQL as everybody.

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
