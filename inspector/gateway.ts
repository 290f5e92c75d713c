// Sends operations to the gateway. Every failure becomes a GatewayFailure with a message for readers.

import { INSPECTOR_QUERIES } from '../src/http/pages/inspector-queries.ts';
import type { AnswerError } from './answers.ts';
import { keyHeaders } from './api-key.ts';
import type { Operations } from './query-types.ts';

type OperationName = keyof Operations;
type Variables<Name extends OperationName> = Operations[Name]['variables'];
type Data<Name extends OperationName> = Operations[Name]['data'];

/** The body of a response, if it is from the gateway. */
interface Answer<Name extends OperationName> {
  readonly data?: Data<Name> | null;
  readonly errors?: readonly AnswerError[];
}

/** The page cannot reach the gateway, or the gateway refuses the whole request. */
export class GatewayFailure extends Error {
  /** of the gateway's table, or UNREACHABLE */
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, code: string, retryable: boolean, retryAfterSeconds?: number) {
    super(message);
    this.name = 'GatewayFailure';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Rejects with a GatewayFailure. If the signal is aborted, rejects with the signal's reason. */
export async function sendOperation<Name extends OperationName>(
  name: Name,
  variables: Variables<Name>,
  signal: AbortSignal,
): Promise<{ data: Data<Name>; errors: readonly AnswerError[] }> {
  const response = await post(INSPECTOR_QUERIES[name], variables, signal);
  const answer = (await response.json().catch(() => null)) as Answer<Name> | null;
  signal.throwIfAborted();
  if (answer?.data) return { data: answer.data, errors: answer.errors ?? [] };
  const error = answer?.errors?.[0];
  if (!error) {
    const message = `The response (HTTP status ${response.status}) is not from the gateway. It may be restarting.`;
    throw new GatewayFailure(message, 'UNREACHABLE', true);
  }
  throw failureOf(error);
}

/** Converts an error of a response. */
export function failureOf(error: AnswerError | undefined) {
  const { code = 'INTERNAL_SERVER_ERROR', retryable = false, retryAfterSeconds } = error?.extensions ?? {};
  const message = error?.message ?? 'There is no data, for an unknown reason.';
  return new GatewayFailure(message, code, retryable, retryAfterSeconds);
}

async function post(document: string, variables: object, signal: AbortSignal) {
  try {
    return await fetch('./graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...keyHeaders(),
      },
      body: JSON.stringify({ query: document, variables }),
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw new GatewayFailure(
      'The gateway cannot be reached. It may be down, or this computer may be offline.',
      'UNREACHABLE',
      true,
    );
  }
}

/** The value of a field that is null only after an error. Throws the error as a GatewayFailure. */
export function required<Value>(value: Value | null, errors: readonly AnswerError[]): Value {
  if (value === null) throw failureOf(errors[0]);
  return value;
}

/** The error at a field of `doi`, or at a field inside it. */
export function errorAt(errors: readonly AnswerError[], field: string) {
  return errors.find(({ path }) => path?.[1] === field) ?? null;
}

/** The address of GraphiQL with a document and its variables. GraphiQL does not execute the document. */
export function graphiqlAddress<Name extends OperationName>(name: Name, variables: Variables<Name>) {
  const text = JSON.stringify(variables, null, 2);
  return `./graphql#query=${encodeURIComponent(INSPECTOR_QUERIES[name])}&variables=${encodeURIComponent(text)}`;
}

/** The operations for a DOI, or for another handle. @param id of either, a URI */
export function lookUpsOf(id: string) {
  return id.startsWith('doi:')
    ? ({ directory: 'InspectDirectory', redirect: 'InspectRedirect' } as const)
    : ({ directory: 'InspectHandleDirectory', redirect: 'InspectHandleRedirect' } as const);
}
